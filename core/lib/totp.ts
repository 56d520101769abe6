import { createHmac, timingSafeEqual } from 'node:crypto';

/** What every authenticator app assumes (RFC 6238): six digits of HMAC-SHA1, new every 30 seconds. */
const stepSeconds = 30;
const digits = 6;
/** Clocks of telephones are seldom further off than one step. */
const stepsAround = [0, -1, 1];
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0');
}

export const totpStep = (seconds: number): number => Math.floor(seconds / stepSeconds);

/** The step a code belongs to, of those around this moment that come after `lastStep`; undefined when it belongs to none. */
export function matchTotp(secret: Buffer, code: string, seconds: number, lastStep: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  return stepsAround
    .map((around) => totpStep(seconds) + around)
    .filter((step) => step > lastStep)
    .find((step) => timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code)));
}

/** What an authenticator app reads from a QR code. */
export function otpauthUrl({ issuer, account, secret }: { issuer: string; account: string; secret: string }): string {
  const query = `secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=${stepSeconds}`;
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?${query}`;
}

/** Without padding, as apps write it. */
export function base32(bytes: Buffer): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}
