import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCountExchange } from '../../../../core/services/limit/count-exchange.ts';
import { createRateLimiter } from '../../../../core/services/rate-limit/rate-limit.ts';
import { createTemporaryDatabase, engines, type TemporaryDatabase } from '../../../support/temporary-database.ts';

const day = 86_400;
const never = 3_600_000;
const rule = { kind: 'running' as const, key: 'limit 1 7', max: 2 };

describe.each(engines)('calls at one time over several processes on %s', (engine) => {
  let bed: TemporaryDatabase;
  let time = 1_800_000_000;
  const opened: (() => void)[] = [];
  beforeAll(async () => {
    bed = await createTemporaryDatabase(engine);
  });
  afterAll(async () => {
    for (const close of opened) close();
    await bed.remove();
  });

  function open() {
    const limiter = createRateLimiter();
    const exchange = createCountExchange({
      database: bed.database,
      limiter,
      isWanted: () => true,
      isOfCalls: () => true,
      everyMs: never,
      onError: (error) => expect.unreachable(String(error)),
      now: () => time,
    });
    opened.push(() => limiter.close());
    const enter = async (id: string) => 'pass' in (await limiter.enter(id, [rule]));
    return { enter, exchange: exchange.exchange };
  }

  it('F55 do not count those of a process that was killed before the clock was set back', async () => {
    const killed = open();
    expect([await killed.enter('a'), await killed.enter('b')]).toEqual([true, true]);
    await killed.exchange();
    const other = open();
    await other.exchange();
    expect(await other.enter('c'), 'while it lives').toBe(false);
    time -= day;
    const next = open();
    for (const process of [other, next]) {
      await process.exchange();
      expect(await process.enter(`d${Math.random()}`)).toBe(true);
    }
  });
});
