import { describe, expect, it } from 'vitest';
import { formatTime, parseExpiry, parseTime, wholeNumber } from '../../../cli/flag/value.ts';

const now = Date.UTC(2026, 5, 1) / 1000;
const local = (...parts: [number, number, number, number, number, number]) => new Date(...parts).getTime() / 1000;

describe('values of flags', () => {
  it.each([
    ['never', -1],
    ['1h', now + 3600],
    ['1d', now + 86_400],
    ['30d', now + 30 * 86_400],
    ['2027-03-04 05:06:07', local(2027, 2, 4, 5, 6, 7)],
    ['2027-03-04', local(2027, 2, 4, 0, 0, 0)],
  ])('reads %s as an expiry', (text, expected) => {
    expect(parseExpiry(text, now)).toBe(expected);
  });

  it.each(['', 'tomorrow', '1w', '2027-13-01', '2027-02-29 00:00:00', '2027-01-01 24:00:00'])(
    'refuses %s as an expiry',
    (text) => {
      expect(() => parseExpiry(text, now)).toThrow('is not valid');
    },
  );

  it('reads a time as a date or as how long ago', () => {
    expect(parseTime('7d', now)).toBe(now - 7 * 86_400);
    expect(parseTime('2026-01-02', now)).toBe(local(2026, 0, 2, 0, 0, 0));
    expect(() => parseTime('never', now)).toThrow('is not valid');
  });

  it('writes a time the way it reads one', () => {
    const text = formatTime(now + 1);
    expect(text).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(parseExpiry(text, now)).toBe(now + 1);
  });

  it('takes no expiry that is not to come', () => {
    for (const text of [formatTime(now), '2020-01-31', '0h'])
      expect(() => parseExpiry(text, now), text).toThrow('must be in the future');
  });

  it('takes whole numbers only', () => {
    expect(wholeNumber('12')).toBe(12);
    expect(wholeNumber('1e3')).toBeNaN();
    expect(wholeNumber('1.5')).toBeNaN();
  });
});
