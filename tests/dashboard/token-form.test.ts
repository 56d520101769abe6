import { describe, expect, it } from 'vitest';
import { tokenFormSchema, tokenFormValues } from '../../dashboard/src/pages/token/token-form.ts';

const limited = { remain_quota: -37, unlimited_quota: false };

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
});
