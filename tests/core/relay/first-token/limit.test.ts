import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstTokenFigures, measuredLimit } from '../../../../core/relay/first-token/limit.ts';
import { FirstTokenTimes } from '../../../../core/relay/first-token/times.ts';
import { firstTokenText } from '../../../../core/schemas/first-token.ts';
import { wordsIn } from '../../../../core/text/detail.ts';

const plain = { reasons: false, load: 1 };
const reasoning = { reasons: true, load: 1 };

/** The limit after these first tokens in milliseconds; a negative number is a wait without one. */
function limitAfter(times: readonly number[], pace = plain) {
  const record = new FirstTokenTimes();
  for (const ms of times) {
    if (ms > 0) record.took('model', ms);
    else record.waited('model', -ms);
  }
  return measuredLimit(record.of('model'), pace, firstTokenFigures);
}

const repeated = (ms: number, count: number) => new Array<number>(count).fill(ms);

describe('the first-token limit by default', () => {
  it('is 12 s without measurements, so that 20 s of silence are left before 15 s are over', () => {
    expect(limitAfter([])).toEqual({ ms: 12_000, source: 'default', samples: 0, abandoned: 0 });
    expect(limitAfter(repeated(1000, 19))).toMatchObject({ ms: 12_000, source: 'default', samples: 19, p99_ms: 1000 });
  });

  it('is at least 10 s however fast the channel was, and also when it falls silent three times', () => {
    expect(limitAfter(repeated(800, 50))).toMatchObject({ ms: 10_000, source: 'minimum', p99_ms: 800 });
    const silent = [...repeated(800, 50), -10_000, -10_000, -10_000];
    expect([1, 2, 3].map((waits) => limitAfter(silent.slice(0, 50 + waits)).ms)).toEqual([10_000, 10_000, 15_000]);
  });

  it('is three times the 99th percentile of a slower channel', () => {
    expect(limitAfter(repeated(8000, 60))).toMatchObject({ ms: 24_000, source: 'measured', samples: 60, factor: 3 });
    expect(limitAfter([8000]).ms, 'one slow response counts at once').toBe(24_000);
    expect(limitAfter([...repeated(5000, 99), 40_000]).ms, 'one of a hundred does not').toBe(15_000);
    expect(limitAfter([...repeated(5000, 98), 40_000, 41_000]).ms, 'two do').toBe(120_000);
  });

  it('forgets what is more than a hundred requests ago', () => {
    expect(limitAfter([...repeated(60_000, 50), ...repeated(800, 99)]).ms).toBe(10_000);
    expect(limitAfter([...repeated(800, 100), ...repeated(7000, 100)])).toMatchObject({ ms: 21_000, samples: 100 });
  });

  it('is much longer for reasoning and grows with the prompt', () => {
    expect(limitAfter([], reasoning)).toMatchObject({ ms: 120_000, reasoning: true });
    expect(limitAfter(repeated(800, 50), reasoning).ms).toBe(30_000);
    expect(limitAfter([], { reasons: false, load: 6 })).toMatchObject({ ms: 72_000, prompt_factor: 6 });
    expect(limitAfter(repeated(8000, 60), { reasons: false, load: 2 }).ms).toBe(48_000);
    expect(limitAfter(repeated(200_000, 60), { reasons: true, load: 50 }).ms, 'up to ten minutes').toBe(600_000);
  });

  it('lets a channel that has become slow be heard', () => {
    const history = repeated(800, 100);
    let tries = 0;
    // It takes 25 s now: until it is given as long, all that is seen of it are waits.
    while (limitAfter(history).ms < 25_000 && tries < 100) {
      history.push(-limitAfter(history).ms);
      tries += 1;
    }
    expect(tries).toBe(9);
    expect(limitAfter([...history, 25_000]), 'then it has room').toMatchObject({ ms: 75_000, source: 'measured' });
  });

  it('never waits more than a minute for one that is silent for good, ten for reasoning', () => {
    const waits = [...repeated(-12_000, 90), ...repeated(-50_000, 10)];
    expect(limitAfter(waits)).toMatchObject({ ms: 60_000, source: 'abandoned', abandoned: 100, factor: 1.5 });
    expect(limitAfter([...waits, ...repeated(-500_000, 3)], reasoning).ms).toBe(600_000);
  });

  it('is within its bounds whatever was measured, and never below three times what most requests took', () => {
    const time = fc.double({ min: -700_000, max: 700_000, noNaN: true }).filter((ms) => Math.abs(ms) >= 1);
    const pace = fc.record({ reasons: fc.boolean(), load: fc.double({ min: 1, max: 60, noNaN: true }) });
    fc.assert(
      fc.property(fc.array(time, { maxLength: 250 }), pace, (times, { reasons, load }) => {
        const { ms, samples = 0, abandoned = 0 } = limitAfter(times, { reasons, load });
        const window = times.slice(-100);
        expect(samples + abandoned).toBe(window.length);
        expect(ms).toBeGreaterThanOrEqual(reasons ? 30_000 : 10_000);
        expect(ms).toBeLessThanOrEqual(600_000);
        const taken = window.filter((one) => one > 0).sort((a, b) => a - b);
        const median = taken[Math.floor(taken.length / 2)] ?? 0;
        if (taken.length > 2) expect(ms).toBeGreaterThanOrEqual(Math.floor(Math.min(600_000, 3 * median * 0.999)));
      }),
    );
  });
});

describe('what was measured', () => {
  it('is kept apart by model and channel, and bounded', () => {
    const times = new FirstTokenTimes(20);
    for (let channel = 0; channel < 30; channel += 1) {
      times.took(`${channel}`, 5000 + channel);
      times.took('busy', 1000);
    }
    expect(times.of('busy')).toMatchObject({ samples: 30, p99Ms: 1000 });
    expect(times.of('29')).toEqual({ samples: 1, p99Ms: 5029, abandoned: 0, waitedMs: 0 });
    expect(times.of('0')).toMatchObject({ samples: 0, p99Ms: 0 });
  });
});

describe('the limit in words', () => {
  it('says what it was made of, in both languages', () => {
    const long = firstTokenText(limitAfter(repeated(4000, 100), { reasons: true, load: 4 }));
    expect(wordsIn('en', long)).toBe(
      'first-token limit 120 s, the minimum; p99 of 100 requests: 4 s, x 4 for a long prompt, longer for reasoning',
    );
    expect(wordsIn('en', firstTokenText(limitAfter(repeated(4500, 100))))).toBe(
      'first-token limit 13.5 s: 3 x 4.5 s, the p99 of 100 requests',
    );
    expect(wordsIn('en', firstTokenText({ ms: 15_000, source: 'setting' }))).toBe(
      'first-token limit 15 s, set in FirstTokenTimeout',
    );
    expect(wordsIn('zh', firstTokenText(limitAfter([])))).toBe('首字超时 12 秒，为默认值，目前仅测得 0 次请求');
    expect(wordsIn('zh', firstTokenText(limitAfter(repeated(-12_000, 4))))).toContain(
      '因 4 次请求未收到首字便切换渠道而延长',
    );
  });
});
