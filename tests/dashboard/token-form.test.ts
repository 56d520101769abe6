import { describe, expect, it } from 'vitest';
import { tokenFormSchema, tokenFormValues, tokensOf } from '../../dashboard/src/pages/token/token-form.ts';
import { timeText } from '../../dashboard/src/state/format.ts';

const limited = { remain_quota: -37, unlimited_quota: false, expired_time: -1 };

describe('the form of a token', () => {
  const accepts = (token: typeof limited | undefined, change: object) =>
    tokenFormSchema(token).safeParse({ ...tokenFormValues(undefined), name: 'a', ...token, ...change }).success;

  it('can be saved when its last call has cost more than was left', () => {
    expect(accepts(limited, { name: 'renamed' })).toBe(true);
    expect(accepts(limited, { remain_quota: 500 })).toBe(true);
  });

  it('G-161 refuses a quota below 0 that a person typed, or that an unlimited token would be left with', () => {
    expect(accepts(limited, { remain_quota: -36 })).toBe(false);
    expect(accepts(undefined, { remain_quota: -1, unlimited_quota: false })).toBe(false);
    expect(accepts({ ...limited, unlimited_quota: true }, { unlimited_quota: false })).toBe(false);
    expect(accepts({ ...limited, unlimited_quota: true }, {})).toBe(true);
  });

  it('G-160 takes what was left wrong in the inputs of quota and count while an unlimited token turns them off', () => {
    const form = { ...tokenFormValues(undefined), name: 'a', unlimited_quota: true };
    for (const wrong of [Number.NaN, undefined, 1.5, -1] as number[]) {
      const made = tokenFormSchema(undefined).parse({ ...form, remain_quota: wrong, count: wrong });
      expect(tokensOf(made), String(wrong)).toMatchObject([{ name: 'a', unlimited_quota: true }]);
    }
    expect(accepts({ ...limited, unlimited_quota: true }, { remain_quota: Number.NaN })).toBe(true);
    expect(accepts(undefined, { remain_quota: Number.NaN })).toBe(false);
    expect(accepts(undefined, { count: Number.NaN })).toBe(false);
  });

  it('G-158 refuses a count that is no positive whole number', () => {
    for (const count of [0, -1, 1.5, 101]) expect(accepts(undefined, { count }), String(count)).toBe(false);
    for (const count of [1, 100]) expect(accepts(undefined, { count }), String(count)).toBe(true);
  });

  it('G-159 G-162 gives the others of several tokens a dash and 6 letters or digits, and refuses a name that leaves no room for them', () => {
    const names = (name: string, count: number) =>
      tokensOf(tokenFormSchema(undefined).parse({ ...tokenFormValues(undefined), name, count })).map((one) => one.name);
    const [first, ...others] = names('n'.repeat(23), 3);
    expect(first).toBe('n'.repeat(23));
    expect(others).toHaveLength(2);
    for (const other of others) expect(other).toMatch(/^n{23}-[A-Za-z0-9]{6}$/);
    expect(accepts(undefined, { name: 'n'.repeat(24), count: 2 })).toBe(false);
    expect(accepts(undefined, { name: 'n'.repeat(24), count: 2, unlimited_quota: true })).toBe(true);
    expect(names('n'.repeat(30), 1)).toEqual(['n'.repeat(30)]);
  });

  it('refuses an expiry in the past, except the one that an expired token has', () => {
    const past = 1_700_000_000;
    const expires = timeText(past);
    expect(accepts(undefined, { remain_quota: 5, expires })).toBe(false);
    expect(accepts({ ...limited, expired_time: past }, { expires })).toBe(true);
    expect(accepts({ ...limited, expired_time: past }, { expires: timeText(past + 60) })).toBe(false);
    expect(accepts(limited, { expires: timeText(Math.floor(Date.now() / 1000) + 3600) })).toBe(true);
  });
});
