import { describe, expect, it } from 'vitest';
import { createReadingCache } from '../../../../core/services/overview/reading-cache.ts';

describe('readings that pages share', () => {
  /** A clock that is turned, and a reading that takes so long and counts itself. */
  function setUp(costMs: number) {
    let now = 0;
    let reads = 0;
    const read = createReadingCache(() => now);
    const load = async () => {
      now += costMs;
      reads += 1;
      return reads;
    };
    const wait = (ms: number) => {
      now += ms;
    };
    return { read, load, wait };
  }

  it('are read once for all who ask at the same time or shortly after', async () => {
    const { read, load, wait } = setUp(1);
    expect(await Promise.all([read('a', load), read('a', load)])).toEqual([1, 1]);
    wait(4900);
    expect(await read('a', load)).toBe(1);
    expect(await read('b', load)).toBe(2);
    wait(200);
    expect(await read('a', load)).toBe(3);
  });

  it('are kept the longer the longer they took', async () => {
    const { read, load, wait } = setUp(3000);
    await read('a', load);
    wait(29_000);
    expect(await read('a', load)).toBe(1);
    wait(2000);
    expect(await read('a', load)).toBe(2);
  });

  it('are not kept when they fail, and not without end', async () => {
    const { read, load } = setUp(1);
    await expect(read('a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(await read('a', load)).toBe(1);
    for (let index = 0; index < 500; index += 1) await read(`other ${index}`, load);
    expect(await read('a', load)).toBe(502);
  });
});
