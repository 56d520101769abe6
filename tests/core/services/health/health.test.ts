import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../../../core/app.ts';
import { loadConfig } from '../../../../core/config.ts';
import { createGateway } from '../../../../core/gateway.ts';
import { systemActor } from '../../../../core/schemas/actor.ts';
import type { ModelHealth } from '../../../../core/schemas/channel-health.ts';
import type { ExplanationView } from '../../../../core/schemas/explain.ts';
import { logType } from '../../../../core/schemas/log-type.ts';
import { createConsoleClient } from '../../../support/console-client.ts';
import { sharedCounter } from '../../../support/shared-counter.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { engines } from '../../../support/temporary-database.ts';
import { json } from '../../../support/upstream-script.ts';

/** The exchange is called for by hand. */
const never = 3_600_000;

describe.each(engines)('the health of channels behind two machines on %s', (engine) => {
  let here: TestGateway;
  let there: Awaited<ReturnType<typeof startSecond>>;
  let main: number;

  beforeAll(async () => {
    here = await startGateway(engine, {}, { healthMs: never });
    there = await startSecond(here.environment);
    main = (await here.app.services.channels.find(systemActor, 'fake')).id;
    await here.setOption('RetryTimes', '0');
    await there.gateway.refresh();
  });
  afterAll(async () => {
    await there?.close();
    await here?.stop();
  });

  const ask = async (url: string, stream = false, model = 'gpt-4o-mini') => {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${here.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: 'How are you?' }] }),
    });
    await response.text();
    return response.status;
  };
  const exchange = async () => {
    await here.gateway.exchangeHealth();
    await there.gateway.exchangeHealth();
    await here.gateway.exchangeHealth();
  };
  const readHere = async (query = ''): Promise<ModelHealth[]> => {
    const client = createConsoleClient(here.url);
    await client.signIn('root', 'correct horse battery');
    return client.data(client.get(`/api/channel/health${query}`));
  };

  it('adds up what each machine saw, and says the same on both', async () => {
    expect([await ask(here.url), await ask(here.url, true), await ask(there.url, true)]).toEqual([200, 200, 200]);
    here.upstream.always(json(503, { error: { message: 'no capacity' } }));
    expect(await ask(there.url)).toBe(503);
    here.upstream.always(undefined);
    await exchange();
    const [row, ...others] = await readHere();
    expect(others).toEqual([]);
    expect(row).toMatchObject({ channel_id: main, channel_name: 'fake', model: 'gpt-4o-mini' });
    for (const span of [row?.five_minutes, row?.hour, row?.day]) {
      expect(span).toMatchObject({ requests: 4, failed: 1, success: 0.75 });
      expect(span?.first_token_p50).toBeGreaterThan(0);
    }
    expect(row?.last_error).not.toBe('');
    expect(row?.last_error_at).toBeGreaterThan(0);
    expect(await there.app.services.health.read(systemActor, { model: '' })).toMatchObject([{ day: { requests: 4 } }]);
    expect(await readHere(`?channel_id=${main}&model=gpt-4o-mini`)).toHaveLength(1);
    expect(await readHere('?model=other')).toEqual([]);
  });

  it("counts nothing against a channel that refuses the caller's own mistake", async () => {
    here.upstream.always(json(400, { error: { message: 'what is this' } }));
    expect(await ask(here.url)).toBe(400);
    here.upstream.always(undefined);
    await exchange();
    expect((await readHere())[0]?.day).toMatchObject({ requests: 4, failed: 1 });
  });

  it('stops sending calls to a channel that fails on the other machine, before it failed here', async () => {
    const broken = await here.addChannel({ name: 'broken', models: 'gpt-4o', priority: 10 });
    await there.gateway.refresh();
    here.upstream.always(json(503, { error: { message: 'no capacity' } }));
    for (let call = 0; call < 12; call += 1) await ask(there.url, false, 'gpt-4o');
    here.upstream.always(undefined);
    const spare = await here.addChannel({ name: 'spare', models: 'gpt-4o', priority: 0 });
    expect(here.gateway.relay.breaker.allows(broken)).toBe(true);
    await exchange();
    expect(here.gateway.relay.breaker.allows(broken)).toBe(false);
    expect(here.gateway.relay.breaker.allows(spare)).toBe(true);
    expect(await ask(here.url, false, 'gpt-4o')).toBe(200);
    await exchange();
    const rows = await readHere('?model=gpt-4o');
    expect(rows.find(({ channel_id: id }) => id === spare)?.day).toMatchObject({ failed: 0, success: 1 });
  });

  it('sends a group to the fastest channel, on both machines alike, and explains why', async () => {
    const slow = await here.addChannel({ name: 'slow', models: 'house-model', weight: 90 });
    const fast = await here.addChannel({ name: 'fast', models: 'house-model' });
    await here.setOption('ModelRatio', '{"house-model":1}');
    await here.setOption('GroupRoutingStrategy', '{"default":"speed"}');
    await there.gateway.refresh();
    await noteStreams(slow, { firstToken: 44, speed: 20 });
    await noteStreams(fast, { firstToken: 30, speed: 26 });
    // An exchange follows calls of one's own.
    for (const { url } of [here, there]) await ask(url, true);
    await exchange();
    const servedBy = async (url: string) => {
      const from = await countServed(fast);
      for (let call = 0; call < 6; call += 1) expect(await ask(url, true, 'house-model')).toBe(200);
      return (await countServed(fast)) - from;
    };
    expect([await servedBy(here.url), await servedBy(there.url)]).toEqual([6, 6]);

    const client = createConsoleClient(here.url);
    await client.signIn('root', 'correct horse battery');
    const explained: ExplanationView = await client.data(client.post('/api/explain', { model: 'house-model' }));
    const [first, second] = explained.channels;
    expect(first).toMatchObject({ name: 'fast', turn: 1, chance: 1, reasons: [] });
    expect(first?.health?.text).toMatch(
      /^最近 1 小时的成功率：100%（共 9 次），首字用时 181 毫秒，每秒 90.5 个 token$/,
    );
    expect(second).toMatchObject({ name: 'slow', turn: null });
    expect(second?.reasons.map(({ code }) => code)).toEqual(['explain.slower', 'explain.beyondRetries']);
    await here.setOption('GroupRoutingStrategy', '{}');
  });

  it('sends a group to the channel whose vendor charges least', async () => {
    const listed = await here.addChannel({ name: 'listed', models: 'gpt-4.1', weight: 90 });
    const cheap = await here.addChannel({ name: 'cheap', models: 'gpt-4.1', setting: '{"cost_ratio":0.8}' });
    await here.setOption('GroupRoutingStrategy', '{"default":"price"}');
    for (let call = 0; call < 6; call += 1) expect(await ask(here.url, false, 'gpt-4.1')).toBe(200);
    await here.setOption('GroupRoutingStrategy', '{}');
    expect(await countServed(cheap)).toBe(6);
    expect(await countServed(listed)).toBe(0);
  });

  it('counts for Prometheus what it shows people', async () => {
    await exchange();
    const [row] = (await readHere('?model=gpt-4o-mini')) as [ModelHealth];
    const metrics = await (await fetch(`${here.url}/metrics`)).text();
    const place = `channel="${row.channel_id}",model="gpt-4o-mini",span="1d"`;
    expect(metrics).toContain(`tollgate_channel_attempts{${place}} ${row.day.requests}\n`);
    expect(metrics).toContain(`tollgate_channel_success_ratio{${place}} ${row.day.success}\n`);
    expect(metrics).toContain(`tollgate_channel_first_token_seconds{${place},quantile="0.5"}`);
  });

  /** As a third machine would have written them: buckets of a histogram, four to each doubling. */
  async function noteStreams(channelId: number, { firstToken, speed }: { firstToken: number; speed: number }) {
    const now = Math.floor(Date.now() / 1000);
    await here.app.database.channelHealth.create({
      seconds: 60,
      slot: now - (now % 60),
      channel_id: channelId,
      model: 'house-model',
      process: 'a third machine',
      ok: 9,
      failed: 0,
      first_token: `{"${firstToken}":9}`,
      speed: `{"${speed}":9}`,
      error: '',
      error_code: '',
      error_at: 0,
    });
  }

  async function countServed(channelId: number): Promise<number> {
    return here.app.database.logs.count({ where: { channel_id: channelId, type: logType.consume } });
  }
});

async function startSecond(environment: Record<string, string>) {
  const app = await createApp(loadConfig({}, environment));
  const node = await createGateway(app, { criticalCalls: 1_000_000, counter: sharedCounter, healthMs: never });
  const port = await node.listen('127.0.0.1', 0);
  return {
    app,
    gateway: node,
    url: `http://127.0.0.1:${port}`,
    async close() {
      await node.close();
      await app.close();
    },
  };
}
