import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { limitCreateSchema } from '../../../../core/schemas/limit.ts';
import { type FakeRealtime, startFakeRealtime } from '../../../support/fake-realtime.ts';
import { type HttpRefusal, openRealtime, type RealtimeClient } from '../../../support/realtime-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { openHolds, waitFor } from '../relay-checks.ts';

/** A response of the fake upstream uses 1000 input and 500 output tokens. */
const model = 'gpt-4o-realtime-preview';

describe('limits of tokens and realtime sessions', () => {
  let gateway: TestGateway;
  let upstream: FakeRealtime;
  let owner: number;
  let key: string;
  let people = 0;
  const made: number[] = [];

  beforeAll(async () => {
    upstream = await startFakeRealtime();
    gateway = await startGateway('sqlite', {}, { limitMs: 100 });
    await gateway.addChannel({ name: 'realtime', models: model, base_url: upstream.url });
  });
  afterEach(async () => {
    upstream.reset();
    await waitFor('all sessions to end', async () => (await openHolds(gateway)) === 0);
    for (const id of made.splice(0)) await gateway.app.services.limits.remove(systemActor, id);
    await gateway.gateway.refresh();
    await gateway.verifyBooks();
  });
  afterAll(async () => {
    await gateway.stop();
    await upstream.close();
  });

  async function limit(measure: string, amount: number, of: Record<string, unknown> = {}): Promise<number> {
    const input = limitCreateSchema.parse({
      subject_kind: 'user',
      subject: owner,
      measure,
      period: 'hour',
      amount,
      ...of,
    });
    const { id } = await gateway.app.services.limits.create(systemActor, input);
    made.push(id);
    await gateway.gateway.refresh();
    return id;
  }

  async function newUser(): Promise<void> {
    people += 1;
    owner = await gateway.addUser(`talker${people}`, 100_000_000);
    key = await gateway.addToken(owner);
  }

  const open = () => openRealtime(gateway.url, { key, model });

  async function ask(client: RealtimeClient): Promise<void> {
    client.send({ type: 'response.create' });
    await client.next('response.done');
  }

  async function leave(client: RealtimeClient): Promise<void> {
    client.socket.close(1000);
    await client.closed;
  }

  it('count each response, and refuse another session once all are used; one under way goes on', async () => {
    await newUser();
    await limit('tokens', 3000);
    const client = await open();
    await ask(client);
    // Half is left.
    await leave(await open());
    await ask(client);
    const refusal = (await open().catch((error: HttpRefusal) => error)) as HttpRefusal;
    expect(refusal.status).toBe(429);
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(3000);
    expect(JSON.stringify(refusal.body)).toContain('3000 tokens per hour and has used 3000');
    // All calls share it.
    const chat = await gateway.chat({}, { key });
    expect(chat.status).toBe(429);
    await chat.text();
    await ask(client);
    await leave(client);
  });

  it('count input and output apart, for the model as well, and nothing for a session without a response', async () => {
    await newUser();
    const [input, output, all] = [
      await limit('input_tokens', 50_000),
      await limit('output_tokens', 50_000),
      await limit('tokens', 90_000, { subject_kind: 'model', subject: model }),
    ];
    await leave(await open());
    const client = await open();
    await ask(client);
    await ask(client);
    await leave(client);
    const usedOf = async (id: number) => (await gateway.app.services.limits.get(systemActor, id)).usage[0]?.used;
    await expect.poll(() => usedOf(all), { timeout: 20_000 }).toBe(3000);
    expect([await usedOf(input), await usedOf(output)]).toEqual([2000, 1000]);
  });
});
