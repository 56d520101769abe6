import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** What Telegram's login widget signs. */
const signedFields = ['id', 'first_name', 'last_name', 'username', 'photo_url', 'auth_date'] as const;
/** Consoles send it along; whether Telegram signs it too is not written anywhere. */
const perhapsSigned = 'lang';

export const telegramFields = [...signedFields, perhapsSigned, 'hash'] as const;
export type TelegramLogin = Partial<Record<(typeof telegramFields)[number], string>>;

export interface TelegramCheck {
  botToken: string;
  /** Unix seconds. */
  now: number;
}

const oldestSeconds = 5 * 60;
/** Clocks differ a little. */
const futureSeconds = 60;

/** The id of the user who signed in at Telegram, or undefined when the data is forged, old or from the future. */
export function readTelegramLogin(login: TelegramLogin, { botToken, now }: TelegramCheck): string | undefined {
  const { id = '', auth_date = '', hash = '' } = login;
  if (botToken === '' || !/^[1-9]\d{0,18}$/.test(id) || !/^\d{1,12}$/.test(auth_date)) return undefined;
  const age = now - Number(auth_date);
  if (age > oldestSeconds || age < -futureSeconds) return undefined;
  const isSigned = isSignedBy(botToken, login, signedFields, hash);
  return isSigned || isSignedBy(botToken, login, [...signedFields, perhapsSigned], hash) ? id : undefined;
}

function isSignedBy(
  botToken: string,
  login: TelegramLogin,
  fields: readonly (keyof TelegramLogin)[],
  hash: string,
): boolean {
  if (!/^[0-9a-f]{64}$/.test(hash)) return false;
  return timingSafeEqual(Buffer.from(hash, 'hex'), signatureOf(botToken, login, fields));
}

function signatureOf(botToken: string, login: TelegramLogin, fields: readonly (keyof TelegramLogin)[]): Buffer {
  const lines = fields.filter((name) => login[name] !== undefined).map((name) => `${name}=${login[name]}`);
  const secret = createHash('sha256').update(botToken).digest();
  return createHmac('sha256', secret).update(lines.sort().join('\n')).digest();
}
