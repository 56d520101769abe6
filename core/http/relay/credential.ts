import type { IncomingMessage } from 'node:http';
import { AppError } from '../../errors/app-error.ts';
import { takesQueryKey } from '../../wire/error-dialect.ts';
import { pathOf, queryOf } from '../request-path.ts';

const protocolPrefix = 'openai-insecure-api-key.';

/**
 * The API key of a relay call, in any of the forms its SDK sends: Authorization (Bearer), x-api-key, api-key, x-goog-api-key or a
 * WebSocket sub-protocol. Throws when none is there, or two that differ: which one would be billed must not be a guess.
 */
export function credentialOf(
  { headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>,
  queryKeys?: string[],
): string {
  let key = headers.authorization === undefined ? undefined : only(undefined, bearersIn(rawHeaders));
  key = only(key, queryKeys);
  for (const name of keyHeaders) if (headers[name] !== undefined) key = only(key, listOf(headers[name]));
  const protocols = headers['sec-websocket-protocol'];
  if (protocols !== undefined) key = only(key, protocolKeyOf(protocols));
  if (key === undefined) throw new AppError('token.missing');
  return key;
}

/** As `credentialOf`, with `?key=` on the paths of Google's API: nowhere else may a key stand where proxies write logs. */
export function callCredentialOf(incoming: IncomingMessage): string {
  const isGoogle = takesQueryKey(pathOf(incoming));
  return credentialOf(incoming, isGoogle ? queryOf(incoming).getAll('key') : undefined);
}

const authorizationLength = 'authorization'.length;
const keyHeaders = ['x-api-key', 'api-key', 'x-goog-api-key', 'mj-api-secret'] as const;

/** The key known so far and another one that is named: they must be the same. */
function only(known: string | undefined, named: string | string[] | undefined): string | undefined {
  let key = known;
  for (const text of typeof named === 'string' ? [named] : (named ?? [])) {
    const trimmed = text.trim();
    if (trimmed === '') continue;
    if (key !== undefined && key !== trimmed) throw new AppError('token.twoKeys');
    key = trimmed;
  }
  return key;
}

/** Of each Authorization: node keeps the first of several and drops the others without a word. */
function bearersIn(rawHeaders: readonly string[]): string[] {
  const bearers: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length !== authorizationLength || name.toLowerCase() !== 'authorization') continue;
    const bearer = (rawHeaders[at + 1] ?? '').replace(/^bearer\s+/i, '');
    // Clients that send their key elsewhere leave these words here.
    if (!/^(bearer|midjourney-proxy)$/i.test(bearer)) bearers.push(bearer);
  }
  return bearers;
}

/** Several headers of one name are one to node, with commas between; no key has a comma. */
function listOf(values: string | string[]): string | string[] {
  return typeof values === 'string' && values.includes(',') ? values.split(',') : values;
}

function protocolKeyOf(protocols: string): string | undefined {
  const named = protocols.split(',').find((part) => part.trim().startsWith(protocolPrefix));
  return named?.trim().slice(protocolPrefix.length);
}
