import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGateway, type Gateway } from '../../../../core/gateway.ts';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { limitCreateSchema } from '../../../../core/schemas/limit.ts';
import { type RedisServer, startRedis, until } from '../../../support/redis.ts';
import { sharedCounter } from '../../../support/shared-counter.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';

let gateway: TestGateway;
let second: Gateway;
let urls: string[];
let people = 0;

/** Two servers of one installation. */
async function startTwo(engine: 'sqlite' | 'postgres', environment: Record<string, string>, limitMs?: number) {
  gateway = await startGateway(engine, environment, { limitMs });
  const overloadLimits = { loopDelayMs: 60_000, queueWaitMs: 60_000 };
  second = await createGateway(gateway.app, { overloadLimits, counter: sharedCounter, limitMs });
  urls = [gateway.url, `http://127.0.0.1:${await second.listen('127.0.0.1', 0)}`];
}

async function stopBoth(): Promise<void> {
  await second.drain(0);
  await second.close();
  await gateway.stop();
}

async function newUser() {
  people += 1;
  const owner = await gateway.addUser(`shared${people}`, 10_000_000);
  return { owner, key: await gateway.addToken(owner) };
}

async function limit(input: Record<string, unknown>): Promise<number> {
  const { id } = await gateway.app.services.limits.create(systemActor, limitCreateSchema.parse(input));
  await Promise.all([gateway.gateway.refresh(), second.refresh()]);
  return id;
}

async function call(url: string | undefined, key: string, more: Record<string, unknown> = {}): Promise<number> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const body = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }], ...more });
  const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body });
  await response.arrayBuffer();
  return response.status;
}

async function acceptedOf(calls: Promise<number>[]): Promise<number> {
  return (await Promise.all(calls)).filter((status) => status === 200).length;
}
const onBoth = (count: number, key: string) =>
  acceptedOf(Array.from({ length: count }, (_, index) => call(urls[index % 2], key)));
const on = (node: number, count: number, key: string) =>
  acceptedOf(Array.from({ length: count }, () => call(urls[node], key)));

describe('limits of two servers that share a Redis', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
    await startTwo('sqlite', { REDIS_CONN_STRING: redis.url });
    await until('both use it', async () => {
      const list = String(await redis.command('CLIENT', 'LIST'));
      return (
        list.split('\n').filter((line) => line.includes('name=tollgate') && line.includes('cmd=ping')).length === 2
      );
    });
  });
  afterAll(async () => {
    await stopBoth();
    await redis.stop();
  });

  it('are exact for requests, and for tokens after each call is corrected to what it used', async () => {
    const { owner, key } = await newUser();
    await limit({ subject_kind: 'user', subject: owner, measure: 'requests', amount: 30 });
    expect(await onBoth(120, key)).toBe(30);
    const other = await newUser();
    await limit({ subject_kind: 'user', subject: other.owner, measure: 'output_tokens', amount: 1000 });
    // Each may need 500 and uses a few of them.
    expect(await onBoth(20, other.key)).toBeLessThanOrEqual(20);
    for (let index = 0; index < 6; index += 1) expect(await call(urls[index % 2], other.key)).toBe(200);
    expect(await call(urls[0], other.key, { max_tokens: 999 })).toBe(429);
    await gateway.verifyBooks();
  });
});

describe('limits of two servers on PostgreSQL without Redis', () => {
  const everyMs = 100;
  beforeAll(() => startTwo('postgres', {}, everyMs));
  afterAll(stopBoth);

  const counted = async (id: number) => {
    const { usage } = await gateway.app.services.limits.get(systemActor, id);
    return usage[0]?.used ?? 0;
  };
  /** Each has told what it counts, and then has heard the others. */
  const exchanged = () => new Promise((resolve) => setTimeout(resolve, 6 * everyMs));

  it('count what the other has let in, from the next exchange on', async () => {
    const { owner, key } = await newUser();
    const id = await limit({ subject_kind: 'user', subject: owner, measure: 'requests', amount: 30 });
    expect(await on(0, 20, key)).toBe(20);
    await expect.poll(() => counted(id)).toBe(20);
    await exchanged();
    expect(await on(1, 40, key)).toBe(10);
    await expect.poll(() => counted(id)).toBe(30);
    await exchanged();
    expect(await onBoth(20, key)).toBe(0);
  });

  it('let in no more than their limit and what the other lets in between two exchanges', async () => {
    const { owner, key } = await newUser();
    await limit({ subject_kind: 'user', subject: owner, measure: 'requests', amount: 30 });
    const accepted = await onBoth(200, key);
    expect(accepted).toBeGreaterThanOrEqual(30);
    expect(accepted).toBeLessThanOrEqual(60);
    await exchanged();
    expect(await onBoth(20, key)).toBe(0);
  });

  it('keep budgets exactly, with no exchange at all', async () => {
    const { owner, key } = await newUser();
    const amount = 3000;
    const id = await limit({ subject_kind: 'user', subject: owner, measure: 'budget', period: 'day', amount });
    const before = await gateway.quotaOf(owner);
    expect(await onBoth(150, key)).toBeGreaterThan(0);
    const paid = before - (await gateway.quotaOf(owner));
    const { usage } = await gateway.app.services.limits.get(systemActor, id);
    expect(usage).toMatchObject([{ used: paid, held: 0, remaining: amount - paid }]);
    await gateway.verifyBooks();
  });
});
