import { describe, expect, it } from 'vitest';
import { base32, matchTotp, otpauthUrl, totpCode, totpStep } from '../../../core/lib/totp.ts';

// The secret and the times of RFC 6238, appendix B, whose codes are shown with eight digits.
const secret = Buffer.from('12345678901234567890');

describe('a code of an authenticator app', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at second %i is %s', (seconds, code) => expect(totpCode(secret, totpStep(seconds))).toBe(code));

  it('is good one step early or late, never twice, and never when it is not a code', () => {
    const at = 1_800_000_000;
    const code = totpCode(secret, totpStep(at));
    for (const off of [-30, 0, 30]) expect(matchTotp(secret, code, at + off, 0)).toBe(totpStep(at));
    for (const off of [-90, 90]) expect(matchTotp(secret, code, at + off, 0)).toBeUndefined();
    expect(matchTotp(secret, code, at, totpStep(at))).toBeUndefined();
    // One that was used while the clock was an hour ahead.
    expect(matchTotp(secret, code, at, totpStep(at + 3600))).toBe(totpStep(at));
    for (const text of ['', '1', `${code}0`, '12345a', '１２３４５６'])
      expect(matchTotp(secret, text, at, 0)).toBeUndefined();
  });

  it('comes from an address that apps can read', () => {
    expect(base32(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    expect(otpauthUrl({ issuer: 'My Gate & Co', account: '张三', secret: 'GEZDGNBV' })).toBe(
      'otpauth://totp/My%20Gate%20%26%20Co:%E5%BC%A0%E4%B8%89?issuer=My%20Gate%20%26%20Co&secret=GEZDGNBV&algorithm=SHA1&digits=6&period=30',
    );
  });
});
