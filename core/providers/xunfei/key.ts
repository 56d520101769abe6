import { AppError } from '../../errors/app-error.ts';
import { coded } from '../../text/coded.ts';

/** Three parts sign the address of a WebSocket; a password of the HTTP interface goes as it is. */
export type XunfeiKey =
  | { kind: 'socket'; appId: string; apiSecret: string; apiKey: string }
  | { kind: 'http'; password: string };

export function readXunfeiKey(key: string): XunfeiKey {
  const parts = key.split('|').map((part) => part.trim());
  const [first = '', second = '', third = ''] = parts;
  if (parts.length === 1 && /^\S+$/.test(first)) return { kind: 'http', password: first };
  if (parts.length !== 3 || parts.includes('')) throw wrongForm();
  return { kind: 'socket', appId: first, apiSecret: second, apiKey: third };
}

export function isXunfeiPassword(key: string): boolean {
  return !key.includes('|');
}

function wrongForm(): AppError {
  return new AppError('provider.keyForm', { form: coded('channel.xunfeiKey') });
}
