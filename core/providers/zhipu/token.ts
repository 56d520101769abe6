import { createHmac } from 'node:crypto';

const lifetimeMs = 24 * 60 * 60 * 1000;

/**
 * The JWT that Zhipu takes for a key of the form `{id}.{secret}`, undefined for any other key. Its times are milliseconds,
 * against the standard, and its header is not the standard one: signed by hand.
 */
export function zhipuToken(key: string, nowMs: number): string | undefined {
  const [id, secret, ...rest] = key.split('.');
  if (!id || !secret || rest.length > 0) return undefined;
  const payload = { api_key: id, exp: nowMs + lifetimeMs, timestamp: nowMs };
  const signed = `${encode({ alg: 'HS256', sign_type: 'SIGN' })}.${encode(payload)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
