import { TOTP } from 'otpauth';

/** What an authenticator app shows; `later` is how many codes on. */
export function codeOf(secret: string, later = 0): string {
  return new TOTP({ secret }).generate({ timestamp: Date.now() + later * 30_000 });
}
