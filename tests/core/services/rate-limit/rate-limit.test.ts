import { describe, expect, it } from 'vitest';
import { networkOf } from '../../../../core/lib/address-network.ts';
import type { LimitRule } from '../../../../core/services/rate-limit/limit-rule.ts';
import { createLocalCount } from '../../../../core/services/rate-limit/local-count.ts';
import { createRateLimiter } from '../../../../core/services/rate-limit/rate-limit.ts';
import { WindowLog } from '../../../../core/services/rate-limit/window-log.ts';

describe('a window of calls', () => {
  it('contains what came in the last so many milliseconds, and nothing older', () => {
    const log = new WindowLog();
    for (const now of [0, 10, 500, 900]) log.add(4, 1000, now);
    expect(log.count(999)).toBe(4);
    expect(log.waitMs(4, 999)).toBe(1);
    expect(log.count(1000)).toBe(3);
    expect(log.count(1500)).toBe(1);
    expect(log.count(1900)).toBe(0);
  });

  it('tells how long to wait when the limit was lowered meanwhile', () => {
    const log = new WindowLog();
    for (const now of [0, 100, 200, 300]) log.add(4, 1000, now);
    expect(log.waitMs(2, 400)).toBe(800);
  });

  it('takes a call back', () => {
    const log = new WindowLog();
    const first = log.add(4, 1000, 0);
    log.add(4, 1000, 10);
    log.takeBack(first);
    log.takeBack(first);
    expect(log.count(20)).toBe(1);
    expect(log.count(1000)).toBe(1);
    expect(log.count(1010)).toBe(0);
  });

  it('never lets more than its limit into any window, and stays small, when the limit is large', () => {
    const [max, windowMs] = [1000, 60_000];
    const log = new WindowLog();
    const times: number[] = [];
    let seed = 7;
    for (let now = 0; now < 5 * windowMs; ) {
      seed = (seed * 16_807) % 2_147_483_647;
      now += seed % 80;
      if (log.count(now) >= max) continue;
      log.add(max, windowMs, now);
      times.push(now);
      expect(log.size).toBeLessThanOrEqual(258);
    }
    const worst = Math.max(
      ...times.map((from, index) => times.slice(index).filter((at) => at < from + windowMs).length),
    );
    expect(worst).toBe(max);
  });
});

describe('the count of this process', () => {
  const rule = (key: string, max = 2, windowMs = 1000): LimitRule => ({ kind: 'window', key, max, windowMs });

  it('refuses with the wait of the rule that takes longest', () => {
    let now = 0;
    const count = createLocalCount(() => now);
    const rules = [rule('short', 1, 1000), rule('long', 1, 5000)];
    count.add(rules);
    now = 400;
    expect(count.refusal(rules)).toMatchObject({ rule: { key: 'long' }, waitMs: 4600 });
    now = 1200;
    expect(count.refusal([rules[0] as LimitRule])).toBeUndefined();
  });

  it('forgets whose time is over, so memory does not grow with the number of addresses', () => {
    let now = 0;
    const count = createLocalCount(() => now);
    for (let address = 0; address < 50_000; address += 1) {
      now += 1;
      count.add([rule(`address ${address}`)]);
    }
    expect(count.size()).toBeLessThanOrEqual(1001);
  });

  it('keeps no more than 100,000 windows, the latest ones', () => {
    const count = createLocalCount(() => 0);
    for (let address = 0; address < 100_500; address += 1) count.add([rule(`address ${address}`, 1)]);
    expect(count.size()).toBe(100_000);
    expect(count.refusal([rule('address 100499', 1)])).toBeDefined();
    expect(count.refusal([rule('address 0', 1)])).toBeUndefined();
  });
});

describe('the limiter of one process', () => {
  it('R9 is exact: 200 calls at once, 7 at a time, 7 get in', async () => {
    const limiter = createRateLimiter();
    const rules: LimitRule[] = [{ kind: 'running', key: 'user 1', max: 7 }];
    const results = await Promise.all(Array.from({ length: 200 }, (_, index) => limiter.enter(`call ${index}`, rules)));
    const passes = results.flatMap((result) => ('pass' in result ? [result.pass] : []));
    expect(passes).toHaveLength(7);
    passes[0]?.end(true);
    expect(await limiter.enter('next', rules)).toHaveProperty('pass');
    expect(await limiter.enter('one more', rules)).toHaveProperty('refusal');
    for (const pass of passes.slice(1)) pass.end(false);
    expect(limiter.size()).toBe(1);
    limiter.close();
  });

  it('counts a call that one rule refuses under no rule', async () => {
    const limiter = createRateLimiter(undefined, () => 0);
    const wide: LimitRule = { kind: 'window', key: 'wide', max: 2, windowMs: 1000 };
    const narrow: LimitRule = { kind: 'window', key: 'narrow', max: 1, windowMs: 1000 };
    expect(await limiter.enter('a', [wide, narrow])).toHaveProperty('pass');
    for (let call = 0; call < 5; call += 1) expect(await limiter.enter('b', [wide, narrow])).toHaveProperty('refusal');
    expect(await limiter.enter('c', [wide])).toHaveProperty('pass');
    expect(await limiter.enter('d', [wide])).toHaveProperty('refusal');
    limiter.close();
  });
});

describe('whom an address counts for', () => {
  it('S9 takes an IPv6 /64 for one, however it is spelled, and mapped IPv4 for IPv4', () => {
    expect(networkOf('2001:db8:1:2::1')).toBe(networkOf('2001:0db8:0001:0002:ffff:ffff:ffff:ffff'));
    expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'));
    expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
    expect(networkOf('192.0.2.1')).toBe('192.0.2.1');
    expect(networkOf('not an address')).toBe('not an address');
  });
});
