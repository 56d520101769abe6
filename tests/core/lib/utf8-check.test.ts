import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Utf8Check } from '../../../core/lib/utf8-check.ts';

function check(bytes: Buffer, pieceBytes: number): boolean {
  const utf8 = new Utf8Check();
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    if (!utf8.push(bytes.subarray(at, at + pieceBytes))) return false;
  }
  return utf8.end();
}

describe('Utf8Check', () => {
  it('judges pieces as the whole is judged', () => {
    const text = fc.string({ unit: 'binary' }).map((value) => Buffer.from(value));
    const odd = fc.array(
      fc.constantFrom(0x41, 0x80, 0xbf, 0xc0, 0xc3, 0xa9, 0xe2, 0x82, 0xed, 0xa0, 0xf0, 0x9f, 0xf8, 0xff),
    );
    const bytes = fc.oneof(
      text,
      odd.map((values) => Buffer.from(values)),
    );
    fc.assert(
      fc.property(bytes, fc.integer({ min: 1, max: 5 }), (value, pieceBytes) => {
        expect(check(value, pieceBytes)).toBe(isUtf8(value));
      }),
      { numRuns: 3000 },
    );
  });
});
