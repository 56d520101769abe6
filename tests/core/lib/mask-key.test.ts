import { describe, expect, it } from 'vitest';
import { maskKey } from '../../../core/lib/mask-key.ts';
import { randomAlphanumerics, randomTokenKey } from '../../../core/lib/random-key.ts';

describe('key', () => {
  it('is shown with two characters in front and four behind', () => {
    expect(maskKey('sk-abcdefghijklmnopqrstuvwxyz')).toBe('sk-ab…wxyz');
    expect(maskKey('abcdefghijklmnopqrstuvwxyz')).toBe('ab…wxyz');
  });

  it('is not shown at all when it is short', () => {
    expect(maskKey('sk-secret')).toBe('sk-…');
    expect(maskKey('')).toBe('');
  });

  it('is 48 letters and digits and never the same', () => {
    const keys = new Set(Array.from({ length: 1000 }, randomTokenKey));
    expect(keys.size).toBe(1000);
    expect([...keys].every((key) => /^[0-9A-Za-z]{48}$/.test(key))).toBe(true);
    expect(randomAlphanumerics(4)).toHaveLength(4);
  });
});
