import type { IncomingMessage, ServerResponse } from 'node:http';
import { limitHeaderNames } from '../../relay/limit/limit-headers.ts';
import { taskErrorsOf } from '../../wire/task-path.ts';
import { pathOf } from '../request-path.ts';

/**
 * Routes that take a key and nothing a browser adds by itself: pages of any origin may call them (console reference, section 1).
 * Everything that knows a session stays closed.
 */
const openPath = /^\/(v1|v2|v1alpha|v1beta1?|openai\/deployments|dashboard\/billing)\/|^\/(rerank|api\/log\/token)\/?$/;
const maxRequestLength = 1024;

const anyOrigin = ['access-control-allow-origin', '*'];
const readable = [
  ...anyOrigin,
  // Beside the few headers a page may always read.
  'access-control-expose-headers',
  ['x-request-id, x-upstream-request-id, x-tollgate-served, x-tollgate-dropped, retry-after', ...limitHeaderNames].join(
    ', ',
  ),
];

/** Names and values in turn. What a page may read is a long list, and told to browsers alone. */
export function originHeaders({ headers }: Pick<IncomingMessage, 'headers'>): readonly string[] {
  return headers.origin === undefined ? anyOrigin : readable;
}

export function isOpen(path: string): boolean {
  return openPath.test(path) || taskErrorsOf(path) !== undefined;
}

export function setOriginHeaders(incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (!isOpen(pathOf(incoming))) return;
  const headers = originHeaders(incoming);
  for (let at = 0; at < headers.length; at += 2) outgoing.setHeader(headers[at] ?? '', headers[at + 1] ?? '');
}

/** What a browser asks before it sends a key to another origin. */
export function isPreflight(incoming: IncomingMessage): boolean {
  if (incoming.method !== 'OPTIONS' || !incoming.headers['access-control-request-method']) return false;
  return isOpen(pathOf(incoming));
}

export function respondToPreflight(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  headers: readonly string[],
): void {
  const asked = String(incoming.headers['access-control-request-headers'] ?? '');
  // A star would not cover Authorization; only what may be in a list of header names is said back.
  const allowed = asked.length <= maxRequestLength && /^[\w, -]+$/.test(asked) ? asked : 'authorization, content-type';
  outgoing.writeHead(204, [
    ...headers,
    ...readable,
    'access-control-allow-methods',
    'GET, POST, PUT, DELETE, OPTIONS',
    'access-control-allow-headers',
    allowed,
    'access-control-max-age',
    '86400',
    'vary',
    'access-control-request-headers',
  ]);
  outgoing.end();
}
