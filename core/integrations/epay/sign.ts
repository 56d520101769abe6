import { createHash, timingSafeEqual } from 'node:crypto';

export type EpayFields = Readonly<Record<string, string>>;

/**
 * The interface's signature: every filled field but the signature itself, sorted by name in byte order, values as they are,
 * the merchant key right behind. MD5 is what the interface speaks; the key's secrecy is all that protects it.
 */
export function signEpay(fields: EpayFields, key: string): string {
  const text = Object.entries(fields)
    .filter(([name, value]) => value !== '' && name !== 'sign' && name !== 'sign_type')
    .sort(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  return createHash('md5')
    .update(text + key)
    .digest('hex');
}

/** Without a key nothing is signed right: anyone could sign with an empty secret. */
export function isSignedWith(fields: EpayFields, key: string): boolean {
  const { sign = '', sign_type = '' } = fields;
  if (key === '' || !/^[0-9a-f]{32}$/.test(sign) || (sign_type !== '' && sign_type !== 'MD5')) return false;
  return timingSafeEqual(Buffer.from(sign), Buffer.from(signEpay(fields, key)));
}
