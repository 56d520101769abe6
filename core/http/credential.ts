import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../errors/app-error.ts';

const protocolPrefix = 'openai-insecure-api-key.';

/**
 * The API key of a relay call, in any of the forms its SDK sends: Authorization (Bearer), x-api-key, api-key, x-goog-api-key or a
 * WebSocket sub-protocol. Throws when none is there, or two that differ: which one would be billed must not be a guess.
 */
export function credentialOf(headers: IncomingHttpHeaders): string {
  const found = new Set<string>();
  const add = (value: string | string[] | undefined) => {
    for (const text of Array.isArray(value) ? value : [value]) if (text?.trim()) found.add(text.trim());
  };
  const bearer = headers.authorization?.replace(/^bearer\s+/i, '');
  if (bearer && !/^(bearer|midjourney-proxy)$/i.test(bearer)) add(bearer);
  add(headers['x-api-key']);
  add(headers['api-key']);
  add(headers['x-goog-api-key']);
  add(headers['mj-api-secret']);
  const protocols = headers['sec-websocket-protocol']?.split(',').map((part) => part.trim());
  add(protocols?.find((part) => part.startsWith(protocolPrefix))?.slice(protocolPrefix.length));
  const [first, second] = [...found];
  if (first === undefined) throw new AppError('token.missing');
  if (second !== undefined) throw new AppError('token.twoKeys');
  return first;
}
