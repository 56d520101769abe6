import { describe, expect, it } from 'vitest';
import { createMemoryBudget } from '../../../../core/relay/limit/memory-budget.ts';

const stays = () => new AbortController().signal;

/** What became of a claim, as far as it is known after the turns that are under way. */
async function stateOf(claim: Promise<void>): Promise<string> {
  let state = 'waits';
  claim.then(
    () => {
      state = 'has room';
    },
    (error: { code: string }) => {
      state = error.code;
    },
  );
  await new Promise((resolve) => setImmediate(resolve));
  return state;
}

describe('room in memory', () => {
  it('is claimed in line: in order of arrival, once those in front give it back', async () => {
    const budget = createMemoryBudget(100);
    const [first, second, third, fourth] = [budget.open(), budget.open(), budget.open(), budget.open()];
    await first.claim(60, stays());
    const claims = [second.claim(60, stays()), third.claim(50, stays()), fourth.claim(10, stays())];
    expect(await Promise.all(claims.map(stateOf))).toEqual(['waits', 'waits', 'waits']);
    first.giveBack(20);
    expect(await Promise.all(claims.map(stateOf))).toEqual(['has room', 'waits', 'waits']);
    second.release();
    expect(await Promise.all(claims.map(stateOf))).toEqual(['has room', 'has room', 'has room']);
    expect(budget.usedBytes).toBe(100);
    for (const share of [first, third, fourth]) share.release();
    expect(budget.usedBytes).toBe(0);
  });

  it('is waited for a bounded time', async () => {
    const budget = createMemoryBudget(100, 20);
    budget.open().take(80);
    await expect(budget.open().claim(30, stays())).rejects.toMatchObject({ code: 'relay.overloaded' });
    expect(budget.takeRefused()).toBe(true);
    expect(budget.usedBytes).toBe(80);
  });

  it('is waited for by a bounded number of calls', async () => {
    const budget = createMemoryBudget(100);
    const holder = budget.open();
    holder.take(100);
    const claims = Array.from({ length: 70 }, () => budget.open().claim(1, stays()));
    const states = await Promise.all(claims.map(stateOf));
    expect(states.filter((state) => state === 'waits').length).toBe(64);
    expect(states.filter((state) => state === 'relay.overloaded').length).toBe(6);
    holder.release();
    expect(await Promise.all(claims.slice(0, 64).map(stateOf))).toEqual(new Array(64).fill('has room'));
  });

  it('is not waited for by a call whose client has left, and those behind move up', async () => {
    const budget = createMemoryBudget(100);
    budget.open().take(50);
    const leaving = new AbortController();
    const large = budget.open().claim(60, leaving.signal);
    const small = budget.open().claim(40, stays());
    expect(await stateOf(small)).toBe('waits');
    leaving.abort();
    expect(await stateOf(large)).toBe('relay.clientGone');
    expect(await stateOf(small)).toBe('has room');
    expect(await stateOf(budget.open().claim(1, leaving.signal))).toBe('relay.clientGone');
  });

  it('is refused at once where there never can be enough', async () => {
    const budget = createMemoryBudget(100);
    await expect(budget.open().claim(101, stays())).rejects.toMatchObject({ code: 'body.tooLarge' });
  });

  it('is refused also in the line where there never can be enough: neither those that give back nor those behind suffer', async () => {
    const budget = createMemoryBudget(100);
    const [holder, grown] = [budget.open(), budget.open()];
    holder.take(90);
    const first = budget.open().claim(50, stays());
    expect(await stateOf(budget.open().claim(101, stays()))).toBe('body.tooLarge');
    const large = grown.claim(95, stays());
    grown.take(10);
    const last = budget.open().claim(5, stays());
    holder.release();
    expect(await Promise.all([first, large, last].map(stateOf))).toEqual(['has room', 'body.tooLarge', 'has room']);
  });
});
