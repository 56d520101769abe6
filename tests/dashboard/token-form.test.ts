import { describe, expect, it } from 'vitest';
import { tokenFormSchema, tokenFormValues } from '../../dashboard/src/pages/token/token-form.ts';
import { timeText } from '../../dashboard/src/state/format.ts';

const limited = { remain_quota: -37, unlimited_quota: false, expired_time: -1 };

describe('the form of a token', () => {
  const accepts = (token: typeof limited | undefined, change: object) =>
    tokenFormSchema(token).safeParse({ ...tokenFormValues(undefined), name: 'a', ...token, ...change }).success;

  it('can be saved when its last call has cost more than was left', () => {
    expect(accepts(limited, { name: 'renamed' })).toBe(true);
    expect(accepts(limited, { remain_quota: 500 })).toBe(true);
  });

  it('refuses a quota below 0 that a person typed, or that an unlimited token would be left with', () => {
    expect(accepts(limited, { remain_quota: -36 })).toBe(false);
    expect(accepts(undefined, { remain_quota: -1, unlimited_quota: false })).toBe(false);
    expect(accepts({ ...limited, unlimited_quota: true }, { unlimited_quota: false })).toBe(false);
    expect(accepts({ ...limited, unlimited_quota: true }, {})).toBe(true);
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
