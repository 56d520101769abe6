import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGateway, type Gateway } from '../../../../core/gateway.ts';
import { createConsoleClient } from '../../../support/console-client.ts';
import { type RedisServer, startRedis, until } from '../../../support/redis.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { failure, fixture } from '../../../support/upstream-script.ts';

const keys = [
  'ModelRequestRateLimitEnabled',
  'ModelRequestRateLimitCount',
  'ModelRequestRateLimitSuccessCount',
  'UserRequestRateLimitCount',
  'TokenRequestRateLimitCount',
  'UserConcurrencyLimit',
  'TokenConcurrencyLimit',
] as const;
type Settings = Partial<Record<(typeof keys)[number], number | boolean>>;

let gateway: TestGateway;
let owner: number;
let key: string;
let people = 0;

async function limit(settings: Settings): Promise<void> {
  for (const [name, value] of Object.entries(settings)) await gateway.setOption(name, String(value));
}

/** A user without any counts yet. */
async function newUser(): Promise<void> {
  people += 1;
  owner = await gateway.addUser(`user${people}`, 10_000_000);
  key = await gateway.addToken(owner);
}

const chat = (withKey = key) => gateway.chat({}, { key: withKey });

async function chatMany(count: number, withKey = key): Promise<number[]> {
  const responses = await Promise.all(Array.from({ length: count }, () => chat(withKey)));
  return Promise.all(responses.map(async (response) => (await response.arrayBuffer()) && response.status));
}

const accepted = (statuses: number[]) => statuses.filter((status) => status === 200).length;

describe('the limits of a user and a token', () => {
  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(newUser);
  afterEach(async () => {
    for (const name of keys)
      await gateway.setOption(name, name === keys[0] ? 'false' : name === keys[2] ? '1000' : '0');
    gateway.upstream.reset();
    await gateway.verifyBooks();
  });
  afterAll(() => gateway.stop());

  it('G-243 R9 refuse in the shape of the protocol, say when to come back, and ask no upstream', async () => {
    await limit({ UserRequestRateLimitCount: 2 });
    expect(await chatMany(2)).toEqual([200, 200]);
    const before = gateway.upstream.requests.length;
    const quota = await gateway.quotaOf(owner);
    const response = await chat();
    expect(response.status).toBe(429);
    const seconds = Number(response.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(30);
    expect(seconds).toBeLessThanOrEqual(60);
    const { error } = (await response.json()) as { error: Record<string, string> };
    expect(error).toMatchObject({ type: 'new_api_error', code: 'rate_limit_exceeded' });
    expect(error.message).toContain(`This account is limited to 2 requests per 1 min. Retry in ${seconds} s.`);
    expect(gateway.upstream.requests.length).toBe(before);
    expect(await gateway.quotaOf(owner)).toBe(quota);
  });

  it('R9 count each token by itself, and all tokens of a user together', async () => {
    const second = await gateway.addToken(owner);
    await limit({ TokenRequestRateLimitCount: 3 });
    expect(accepted(await chatMany(10))).toBe(3);
    expect(accepted(await chatMany(10, second))).toBe(3);
    await limit({ TokenRequestRateLimitCount: 0, UserRequestRateLimitCount: 5 });
    const both = await Promise.all([chatMany(10), chatMany(10, second)]);
    expect(accepted(both.flat())).toBe(5);
    expect((await gateway.chat()).status).toBe(200);
  });

  it('G-272 R9 hold for concurrent calls, exactly; each end makes room', async () => {
    await limit({ TokenConcurrencyLimit: 4 });
    gateway.upstream.always(fixture('openai/chat.sse', { delayMs: 100 }));
    const stream = (signal?: AbortSignal) => gateway.chat({ stream: true }, { key, ...(signal ? { signal } : {}) });
    const first = await Promise.all(Array.from({ length: 12 }, () => stream()));
    expect(accepted(first.map(({ status }) => status))).toBe(4);
    const refused = first.find(({ status }) => status === 429);
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect(await refused?.json()).toMatchObject({ error: { code: 'concurrency_limit_exceeded' } });
    for (const response of first) if (response.status === 200) await response.text();
    // Straight after the last byte, as a client would that sends one call after the other.
    for (let round = 0; round < 2; round += 1) {
      const responses = await Promise.all(Array.from({ length: 4 }, () => stream()));
      expect(accepted(responses.map(({ status }) => status))).toBe(4);
      for (const response of responses) expect(await response.text()).toContain('[DONE]');
    }
    // Also disconnected and failed calls.
    const gone = new AbortController();
    await Promise.all(Array.from({ length: 4 }, () => stream(gone.signal)));
    gone.abort();
    await until('the calls are over', () => gateway.gateway.relay.inFlight() === 0);
    gateway.upstream.always(failure(400));
    for (let call = 0; call < 8; call += 1) expect((await chat()).status).toBe(400);
  });

  it('G-272 R9 hold for all tokens of a user and the playground together', async () => {
    const second = await gateway.addToken(owner);
    await limit({ UserConcurrencyLimit: 3 });
    gateway.upstream.always(fixture('openai/chat.sse', { delayMs: 100 }));
    const console = createConsoleClient(gateway.url);
    await console.data(console.signIn(`user${people}`, 'correct horse battery'));
    const body = { model: 'gpt-4o-mini', stream: true, messages: [{ role: 'user', content: 'hi' }] };
    const play = () =>
      fetch(`${gateway.url}/pg/chat/completions`, {
        method: 'POST',
        headers: {
          cookie: console.cookie,
          'new-api-user': String(console.userId),
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      });
    const calls = [gateway.chat(body, { key }), gateway.chat(body, { key: second }), play(), play()];
    const responses = await Promise.all(calls);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429]);
    await Promise.all(responses.map((response) => response.text()));
    const last = await play();
    expect(last.status).toBe(200);
    await last.text();
  });

  it('8.10 the model request limit counts all calls on /v1 but the model list, failures included', async () => {
    await limit({ ModelRequestRateLimitEnabled: true, ModelRequestRateLimitCount: 3 });
    gateway.upstream.respond(failure(400));
    expect((await chat()).status).toBe(400);
    expect(accepted(await chatMany(5))).toBe(2);
    const models = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    expect(models.status).toBe(200);
  });

  it('8.10 the limit of successes lets failures through, and counts exactly when many come at once', async () => {
    await limit({ ModelRequestRateLimitEnabled: true, ModelRequestRateLimitSuccessCount: 3 });
    gateway.upstream.always(failure(400));
    for (let call = 0; call < 6; call += 1) expect((await chat()).status).toBe(400);
    gateway.upstream.always(undefined);
    expect((await gateway.chat({ messages: [] }, { key })).status).toBe(400);
    expect(accepted(await chatMany(20))).toBe(3);
    expect((await chat()).headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('are in force with the next call after they were changed', async () => {
    await limit({ UserRequestRateLimitCount: 1 });
    expect(await chatMany(1)).toEqual([200]);
    expect(await chatMany(1)).toEqual([429]);
    await limit({ UserRequestRateLimitCount: 0 });
    expect(await chatMany(5)).toEqual(Array(5).fill(200));
  });
});

describe('two servers that share a Redis', () => {
  let redis: RedisServer;
  let second: Gateway;
  let urls: string[];

  beforeAll(async () => {
    redis = await startRedis();
    gateway = await startGateway('sqlite', { REDIS_CONN_STRING: redis.url });
    second = await createGateway(gateway.app, { overloadLimits: { loopDelayMs: 60_000 } });
    urls = [gateway.url, `http://127.0.0.1:${await second.listen('127.0.0.1', 0)}`];
    await newUser();
    await until('both use it', async () => (await usersOf(redis)) === 2);
  });
  afterAll(async () => {
    await second.drain(0);
    await second.close();
    await gateway.stop();
    await redis.stop();
  });

  /** Servers whose connection has responded. */
  async function usersOf(server: RedisServer): Promise<number> {
    const list = String(await server.command('CLIENT', 'LIST'));
    return list.split('\n').filter((line) => line.includes('name=tollgate') && line.includes('cmd=ping')).length;
  }

  async function load(count: number): Promise<number> {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
    const body = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] });
    const calls = Array.from({ length: count }, async (_, index) => {
      const response = await fetch(`${urls[index % 2]}/v1/chat/completions`, { method: 'POST', headers, body });
      await response.arrayBuffer();
      return response.status;
    });
    return accepted(await Promise.all(calls));
  }

  it('R9 let in as many calls as the limit says, not twice as many', async () => {
    await gateway.setOption('UserRequestRateLimitCount', '30');
    await second.refresh();
    expect(await load(120)).toBe(30);
    await gateway.verifyBooks();
  });

  it('F50 go on with limits of their own when it dies: no call waits, every call is charged once', async () => {
    await newUser();
    await gateway.setOption('UserRequestRateLimitCount', '1000');
    await second.refresh();
    const quota = await gateway.quotaOf(owner);
    const before = await gateway.logCount();
    const first = load(60);
    await redis.kill();
    const during = await load(60);
    expect(during + (await first)).toBe(120);
    expect(await load(20)).toBe(20);
    const logs = (await gateway.logs()).slice(before);
    expect(logs).toHaveLength(140);
    expect(quota - (await gateway.quotaOf(owner))).toBe(logs.reduce((sum, log) => sum + log.quota, 0));
    await gateway.verifyBooks();
  });
});
