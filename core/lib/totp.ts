import { Secret, TOTP } from 'otpauth';

// The library's defaults are what every authenticator app assumes (RFC 6238): six digits of HMAC-SHA1, new every 30 seconds.
const stepMs = 30_000;
/** Phone clocks are seldom further off than one step. */
const stepsAround = 1;

const secretOf = (bytes: Buffer) => Secret.fromHex(bytes.toString('hex'));
const totpOf = (bytes: Buffer) => new TOTP({ secret: secretOf(bytes) });

export function totpCode(secret: Buffer, step: number): string {
  return totpOf(secret).generate({ timestamp: step * stepMs });
}

export const totpStep = (seconds: number): number => TOTP.counter({ timestamp: seconds * 1000 });

/** A used step lies behind every one that a code can have by this, or the clock was ahead when it was used. */
export const farSteps = 2 * stepsAround;

/**
 * The step a code belongs to, of those around this moment that come after `lastStep`; undefined when it belongs to none. After a clock
 * was set back, a step that is yet to come stops nothing: no code would be right until then.
 */
export function matchTotp(secret: Buffer, code: string, seconds: number, lastStep: number): number | undefined {
  // Codes of other letters would make the library throw.
  if (!/^\d{6}$/.test(code)) return undefined;
  const offset = totpOf(secret).validate({ token: code, timestamp: seconds * 1000, window: stepsAround });
  if (offset === null) return undefined;
  const step = totpStep(seconds) + offset;
  return step > lastStep || step + farSteps < lastStep ? step : undefined;
}

/** What an authenticator app reads from a QR code. */
export function otpauthUrl({ issuer, account, secret }: { issuer: string; account: string; secret: string }): string {
  return new TOTP({ issuer, label: account, secret }).toString();
}

/** Without padding, as apps write it. */
export const base32 = (bytes: Buffer): string => secretOf(bytes).base32;
