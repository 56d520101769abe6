import { expect, it } from 'vitest';
import { waitBefore } from '../../../../core/relay/attempt/attempt.ts';

it('calls that failed together come back to their channel spread over 100 to 300 ms', () => {
  const waits = Array.from({ length: 1000 }, () => waitBefore({ retryAfterSeconds: undefined }));
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(100);
  expect(Math.max(...waits)).toBeLessThan(300);
  for (const from of [100, 150, 200, 250]) {
    const share = waits.filter((ms) => ms >= from && ms < from + 50).length / waits.length;
    expect(share).toBeGreaterThan(0.15);
  }
});

it('what an upstream asks for is waited for as it says', () => {
  expect(waitBefore({ retryAfterSeconds: 2 })).toBe(2000);
});
