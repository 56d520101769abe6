import type { IncomingMessage } from 'node:http';
import { isOpen, originHeaders } from './console/cross-origin.ts';
import { pathOf } from './request-path.ts';
import { securityHeaders } from './security-headers.ts';

/** Made once, because each call takes one of the two. */
const openHeaders = [false, true].map((isSecure) => ({
  program: [...securityHeaders(isSecure), ...originHeaders({ headers: {} })],
  browser: [...securityHeaders(isSecure), ...originHeaders({ headers: { origin: '*' } })],
}));

/** Of a response that is written without the framework. */
export function baseHeaders(incoming: IncomingMessage, isSecure: boolean): readonly string[] {
  const open = isOpen(pathOf(incoming)) ? openHeaders[Number(isSecure)] : undefined;
  if (!open) return securityHeaders(isSecure);
  return incoming.headers.origin === undefined ? open.program : open.browser;
}
