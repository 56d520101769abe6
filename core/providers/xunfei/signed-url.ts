import { createHmac } from 'node:crypto';
import type { XunfeiKey } from './key.ts';

/** The address of a WebSocket with its signature, good for five minutes around `now` (Unix ms). */
export function signedUrl(
  base: string,
  path: string,
  { apiKey, apiSecret }: Extract<XunfeiKey, { kind: 'socket' }>,
  now: number,
): string {
  const host = new URL(base).host;
  const date = new Date(now).toUTCString();
  const origin = `host: ${host}\ndate: ${date}\nGET ${path} HTTP/1.1`;
  const signature = createHmac('sha256', apiSecret).update(origin).digest('base64');
  const proof = `hmac username="${apiKey}", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`;
  const authorization = Buffer.from(proof).toString('base64');
  return `${base}${path}?${new URLSearchParams({ authorization, date, host })}`;
}
