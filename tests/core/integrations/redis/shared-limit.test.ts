import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectRedis, type RedisLink } from '../../../../core/integrations/redis/redis-link.ts';
import type { LimitRule, WindowRule } from '../../../../core/services/rate-limit/limit-rule.ts';
import { createRateLimiter, type RateLimiter } from '../../../../core/services/rate-limit/rate-limit.ts';
import { startFaultProxy } from '../../../support/fault-proxy.ts';
import { type RedisServer, startRedis, until } from '../../../support/redis.ts';

interface Node {
  link: RedisLink;
  limiter: RateLimiter;
  warnings: string[];
  recoveries: number;
}

let redis: RedisServer;
const nodes: Node[] = [];

beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(async () => void (await redis.command('FLUSHALL')));
afterEach(() => {
  for (const { link, limiter } of nodes.splice(0)) {
    limiter.close();
    link.close();
  }
});

/** A process as far as its limits go. */
function startNode(url = redis.url): Node {
  const node = { warnings: [] as string[], recoveries: 0 } as Node;
  node.link = connectRedis({
    url,
    warn: (text) => node.warnings.push(text),
    recovered: () => {
      node.recoveries += 1;
    },
  });
  node.limiter = createRateLimiter(node.link);
  nodes.push(node);
  return node;
}

async function startTwo(): Promise<[Node, Node]> {
  const pair: [Node, Node] = [startNode(), startNode()];
  await until('both are connected', () => pair.every(({ link }) => link.isUp()));
  return pair;
}

const windowRule = (max: number, windowMs = 60_000): LimitRule => ({ kind: 'window', key: 'user 1', max, windowMs });
const runningRule = (max: number): LimitRule => ({ kind: 'running', key: 'running 1', max });

let calls = 0;
function enter({ limiter }: Node, rules: LimitRule[]) {
  calls += 1;
  return limiter.enter(`call ${calls}`, rules);
}

async function enterMany(node: Node, count: number, rules: LimitRule[]): Promise<number> {
  const results = await Promise.all(Array.from({ length: count }, () => enter(node, rules)));
  return results.filter((result) => 'pass' in result).length;
}

describe('limits that two processes share', () => {
  it('count what has happened already, whatever the limit says, and refuse the next', async () => {
    const [one, two] = await startTwo();
    const used = (weight: number) => ({ ...windowRule(100), weight }) as WindowRule;
    one.limiter.count([used(60)]);
    await until('the other one knows', async () => (await two.limiter.look([windowRule(100)]))[0] === 60);
    expect(await enterMany(two, 1, [used(40)])).toBe(1);
    one.limiter.count([used(70)]);
    await until('the other one knows', async () => (await two.limiter.look([windowRule(100)]))[0] === 170);
    const result = await enter(two, [used(1)]);
    expect(result).toMatchObject({ refusal: { used: 170, waitMs: expect.any(Number) } });
  });

  it.each([1, 40, 200, 900])('R9 let %d calls in and not one more', async (max) => {
    const [one, two] = await startTwo();
    const accepted = await Promise.all([
      enterMany(one, 700, [windowRule(max)]),
      enterMany(two, 700, [windowRule(max)]),
    ]);
    expect(accepted[0] + accepted[1]).toBe(max);
    const result = await enter(two, [windowRule(max)]);
    if (!('refusal' in result)) throw new Error('one call too many');
    expect(result.refusal.waitMs).toBeGreaterThan(50_000);
    expect(result.refusal.waitMs).toBeLessThanOrEqual(60_500);
  });

  it('let calls in again when earlier ones have left the window', async () => {
    const [one, two] = await startTwo();
    expect(await enterMany(one, 3, [windowRule(3, 400)])).toBe(3);
    expect(await enterMany(two, 3, [windowRule(3, 400)])).toBe(0);
    await wait(450);
    expect(await enterMany(two, 5, [windowRule(3, 400)])).toBe(3);
  });

  it('R9 hold for calls at one time, and a call that ends makes room on the other process', async () => {
    const [one, two] = await startTwo();
    const results = await Promise.all([one, two, one, two, one, two].map((node) => enter(node, [runningRule(4)])));
    const passes = results.flatMap((result) => ('pass' in result ? [result.pass] : []));
    expect(passes).toHaveLength(4);
    passes[0]?.end(true);
    await until('there is room', async () => 'pass' in (await enter(two, [runningRule(4)])));
    expect(await enterMany(one, 5, [runningRule(4)])).toBe(0);
    // A process that dies takes its calls with it, half a minute later.
    const keptMs = Number(await redis.command('PTTL', '{tollgate}:limit:running 1'));
    expect(keptMs).toBeGreaterThan(20_000);
    expect(keptMs).toBeLessThanOrEqual(30_000);
  });

  it('count a call under all rules or under none', async () => {
    const [one, two] = await startTwo();
    const narrow: LimitRule = { kind: 'window', key: 'narrow', max: 1, windowMs: 60_000 };
    expect(await enterMany(one, 1, [windowRule(2), narrow])).toBe(1);
    expect(await enterMany(two, 20, [windowRule(2), narrow])).toBe(0);
    expect(await enterMany(two, 20, [windowRule(2)])).toBe(1);
  });

  it.each([3, 300])('take back what failed when only successes count (%d)', async (max) => {
    const [one, two] = await startTwo();
    const rule: LimitRule = { kind: 'window', key: 'success', max, windowMs: 60_000, onlySuccess: true };
    const results = await Promise.all(Array.from({ length: max }, () => enter(one, [rule])));
    expect(await enterMany(two, 5, [rule])).toBe(0);
    for (const [index, result] of results.entries()) if ('pass' in result) result.pass.end(index !== 1);
    await until('one is taken back', async () => (await enterMany(two, 1, [rule])) === 1);
    expect(await enterMany(two, 5, [rule])).toBe(0);
  });
});

describe('limits whose Redis is in trouble', () => {
  async function expectOwnLimits(node: Node, max: number): Promise<void> {
    expect(await enterMany(node, max + 5, [windowRule(max)])).toBe(max);
    for (let call = 0; call < 5; call += 1) expect(await enterMany(node, 1, [windowRule(max)])).toBe(0);
  }

  it('F49 absent at start: own limits at once, one warning, shared ones when it is there', async () => {
    await redis.kill();
    const node = startNode();
    await expectOwnLimits(node, 5);
    await until('it is said', () => node.warnings.length > 0);
    await wait(1500);
    expect(node.warnings).toHaveLength(1);
    await redis.start();
    await until('it is used', () => node.link.isUp());
    expect(node.recoveries).toBe(1);
    expect(await enterMany(node, 1, [runningRule(1)])).toBe(1);
    expect(await enterMany(startNode(), 0, [])).toBe(0);
  });

  it('F50 dies and comes back: no call waits, and what this process let in is not forgotten', async () => {
    const [one, two] = await startTwo();
    expect(await enterMany(one, 3, [windowRule(5)])).toBe(3);
    await redis.kill();
    expect(await enterMany(one, 5, [windowRule(5)])).toBe(2);
    expect(await enterMany(two, 9, [windowRule(5)])).toBe(5);
    expect(one.warnings).toHaveLength(1);
    await redis.start();
    await until('both are back', () => one.link.isUp() && two.link.isUp(), 15_000);
    expect(await enterMany(one, 5, [windowRule(5)])).toBe(0);
    expect(one.warnings).toHaveLength(1);
  });

  it('F51 that takes ten minutes to respond: no call waits for it, and it is used again when it is quick', async () => {
    const proxy = await startFaultProxy({ port: redis.port });
    const node = startNode(`redis://127.0.0.1:${proxy.port}/0`);
    await until('it is connected', () => node.link.isUp());
    // Waiting for one response would end in the time limit of the test.
    proxy.set({ latencyMs: 600_000 });
    await expectOwnLimits(node, 5);
    await enterMany(node, 50, [runningRule(50)]);
    await proxy.heal();
    await until('it is used again', () => node.link.isUp(), 20_000);
    expect(node.warnings).toHaveLength(1);
    expect(node.recoveries).toBe(1);
    await proxy.close();
  });

  it('F54 cut off without a word: the connection is given up and reopened', async () => {
    const proxy = await startFaultProxy({ port: redis.port });
    const node = startNode(`redis://127.0.0.1:${proxy.port}/0`);
    await until('it is connected', () => node.link.isUp());
    proxy.set({ stalled: true });
    await expectOwnLimits(node, 5);
    await wait(2000);
    await proxy.heal();
    await until('it is used again', () => node.link.isUp(), 20_000);
    await proxy.close();
  });

  it('F52 flushed, scripts too: this process still knows its own, and sharing begins again', async () => {
    const [one, two] = await startTwo();
    expect(await enterMany(one, 3, [windowRule(5)])).toBe(3);
    await redis.command('FLUSHALL');
    await redis.command('SCRIPT', 'FLUSH');
    expect(await enterMany(one, 9, [windowRule(5)])).toBe(2);
    expect(await enterMany(two, 9, [windowRule(5)])).toBe(3);
    expect(one.warnings).toEqual([]);
  });

  it('F53 something else under our key: own limits for that key, one warning, the others shared', async () => {
    const [one, two] = await startTwo();
    const key = '{tollgate}:limit:user 1 60000';
    await redis.command('SET', key, 'planted');
    await expectOwnLimits(one, 5);
    expect(one.warnings).toHaveLength(1);
    expect(await redis.command('GET', key)).toBe('planted');
    await redis.command('DEL', key);
    await redis.command('RPUSH', key, 'planted', 'more');
    await expectOwnLimits(two, 5);
    expect((await enterMany(one, 3, [runningRule(4)])) + (await enterMany(two, 3, [runningRule(4)]))).toBe(4);
  });
});
