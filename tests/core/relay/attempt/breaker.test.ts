import { describe, expect, it } from 'vitest';
import { Breaker } from '../../../../core/relay/attempt/breaker.ts';

/** A circuit on a clock of its own, without chance. */
function circuit() {
  const clock = { ms: 1000 };
  return {
    clock,
    breaker: new Breaker(
      () => clock.ms,
      () => 0.5,
    ),
  };
}

function failTogether(breaker: Breaker, count: number): void {
  const begun = Array.from({ length: count }, () => breaker.begin(1));
  for (const begunAt of begun) breaker.fail(1, { begunAt });
}

describe('the breaker of a channel', () => {
  it('R5 opens for 2 s however many attempts that were under way fail together', () => {
    const { breaker, clock } = circuit();
    failTogether(breaker, 4);
    expect(breaker.allows(1)).toBe(true);
    const begun = Array.from({ length: 50 }, () => breaker.begin(1));
    clock.ms += 100;
    for (const begunAt of begun) breaker.fail(1, { begunAt });
    expect(breaker.allows(1)).toBe(false);
    expect(breaker.waitMs(1)).toBe(2000);
  });

  it('R5 waits longer each time a trial fails, up to 10 s', () => {
    const { breaker, clock } = circuit();
    failTogether(breaker, 5);
    const waits: number[] = [];
    for (let trial = 0; trial < 4; trial += 1) {
      clock.ms += breaker.waitMs(1);
      expect(breaker.allows(1)).toBe(true);
      const begunAt = breaker.begin(1);
      expect(breaker.allows(1)).toBe(false);
      clock.ms += 10;
      breaker.fail(1, { begunAt });
      waits.push(breaker.waitMs(1));
    }
    expect(waits).toEqual([4000, 8000, 10_000, 10_000]);
  });

  it('closes with the first response that was begun since, not with one from before', () => {
    const { breaker, clock } = circuit();
    const before = breaker.begin(1);
    clock.ms += 10;
    failTogether(breaker, 5);
    breaker.succeed(1, before);
    expect(breaker.allows(1)).toBe(false);
    clock.ms += 2000;
    breaker.succeed(1, breaker.begin(1));
    expect(breaker.waitMs(1)).toBe(0);
    failTogether(breaker, 4);
    expect(breaker.allows(1)).toBe(true);
  });

  it('lets others follow once its trial has begun to respond, and stays ready when the trial says nothing', () => {
    const { breaker, clock } = circuit();
    failTogether(breaker, 5);
    clock.ms += 2000;
    const begunAt = breaker.begin(1);
    breaker.release(1, begunAt - 1);
    expect(breaker.allows(1)).toBe(false);
    breaker.release(1, begunAt);
    expect(breaker.allows(1)).toBe(true);
  });

  it('counts half a failure for half', () => {
    const { breaker } = circuit();
    for (let call = 0; call < 9; call += 1) breaker.fail(1, { weight: 0.5 });
    expect(breaker.allows(1)).toBe(true);
    breaker.fail(1, { weight: 0.5 });
    expect(breaker.allows(1)).toBe(false);
  });

  it('leaves a channel alone for as long as it asked, whatever came in between', () => {
    const { breaker, clock } = circuit();
    const [one, other] = [breaker.begin(1), breaker.begin(1)];
    clock.ms += 10;
    breaker.fail(1, { begunAt: one, retryAfterSeconds: 60 });
    breaker.fail(1, { begunAt: other, retryAfterSeconds: 1 });
    breaker.fail(1);
    expect(breaker.waitMs(1)).toBe(60_000);
  });
});
