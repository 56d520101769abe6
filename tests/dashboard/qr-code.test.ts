import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { qrCode } from '../../dashboard/src/pages/setting/personal/qr-code.ts';

const text = (modules: boolean[][]) => modules.map((row) => row.map((dark) => (dark ? '1' : '0')).join('')).join('\n');

describe('the QR code of the authenticator app', () => {
  it('is as large as its text asks for', () => {
    expect(qrCode('a')).toHaveLength(21);
    expect(qrCode('a'.repeat(15))).toHaveLength(25);
    expect(qrCode('a'.repeat(331))).toHaveLength(69);
    expect(() => qrCode('a'.repeat(332))).toThrow('332 bytes');
  });

  it('has a finder in three corners', () => {
    const rows = text(qrCode('otpauth://totp/Tollgate:alice?secret=JBSWY3DPEHPK3PXP')).split('\n');
    const finder = ['1111111', '1000001', '1011101', '1011101', '1011101', '1000001', '1111111'];
    expect(rows.slice(0, 7).map((row) => row.slice(0, 7))).toEqual(finder);
    expect(rows.slice(0, 7).map((row) => row.slice(-7))).toEqual(finder);
    expect(rows.slice(-7).map((row) => row.slice(0, 7))).toEqual(finder);
  });

  // Each of these was read by a decoder when it was written down.
  it.each([
    ['otpauth://totp/Tollgate:alice?secret=JBSWY3DPEHPK3PXP&issuer=Tollgate', 'ff44b8cdb7a4a5a9'],
    [`otpauth://totp/${'网关'.repeat(12)}:alice?secret=JBSWY3DPEHPK3PXP`, 'f6866e4771a352d9'],
    ['x'.repeat(331), '4e71bbf98fe1cf36'],
  ])('is what a camera reads: %s', (content, digest) => {
    expect(
      createHash('sha256')
        .update(text(qrCode(content)))
        .digest('hex')
        .slice(0, 16),
    ).toBe(digest);
  });
});
