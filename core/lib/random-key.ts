import { randomBytes, randomInt } from 'node:crypto';

const alphanumerics = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Letters and digits only: a '-' in a token key would read as the channel pin behind it. */
export function randomAlphanumerics(length: number): string {
  let text = '';
  while (text.length < length) text += alphanumerics[randomInt(alphanumerics.length)];
  return text;
}

/** Those of bytes that give each character the same chance; the other bytes are left out. */
export function alphanumericsOf(bytes: Uint8Array): string {
  const even = bytes.filter((byte) => byte < 256 - (256 % alphanumerics.length));
  return [...even].map((byte) => alphanumerics[byte % alphanumerics.length]).join('');
}

export const tokenKeyLength = 48;

/** 48 characters, 285 random bits; shown to people with `sk-` in front. */
export const randomTokenKey = (): string => randomAlphanumerics(tokenKeyLength);

/** 256 random bits. */
export const randomSessionId = (): string => randomBytes(32).toString('base64url');

/** 32 base64 characters, the form one-api consoles know. */
export const randomAccessToken = (): string => randomBytes(24).toString('base64');

export const redemptionKeyBytes = 16;

/** 128 random bits as 32 hexadecimal digits. */
export const randomRedemptionKey = (): string => randomBytes(redemptionKeyBytes).toString('hex');
