import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../../../core/app.ts';
import { loadConfig } from '../../../../core/config.ts';
import { createGateway } from '../../../../core/gateway.ts';
import { systemActor } from '../../../../core/schemas/actor.ts';
import type { ModelHealth } from '../../../../core/schemas/channel-health.ts';
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
