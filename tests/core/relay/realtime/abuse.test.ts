import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { beginResponse, type FakeRealtime, startFakeRealtime } from '../../../support/fake-realtime.ts';
import { lastError, type OpenOptions, openRealtime, type RealtimeClient } from '../../../support/realtime-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { openHolds, waitFor } from '../relay-checks.ts';

const model = 'gpt-4o-realtime-preview';
const dear = 'gpt-4o-transcribe';
let gateway: TestGateway;
let upstream: FakeRealtime;
let people = 0;
let owner: number;
let key: string;

const open = (options: Partial<OpenOptions> = {}) => openRealtime(gateway.url, { key, model, ...options });

beforeAll(async () => {
  upstream = await startFakeRealtime();
  const realtime = {
    messages: { burst: 100, perSecond: 1 },
    refusals: { burst: 10, perSecond: 0 },
    recheckMs: 200,
    responses: 8,
  };
  gateway = await startGateway('sqlite', {}, { realtime });
  await gateway.addChannel({ name: 'realtime', models: `${model},${dear}`, base_url: upstream.url });
});
beforeEach(async () => {
  people += 1;
  owner = await gateway.addUser(`user${people}`, 10_000_000);
  key = await gateway.addToken(owner);
});
afterEach(async () => {
  upstream.reset();
  await waitFor('all sessions to end', async () => (await openHolds(gateway)) === 0);
  await gateway.verifyBooks();
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

/** Writes until the other side says goodbye; returns how much was taken in before. */
async function flood(client: RealtimeClient, text: string): Promise<{ code: number; reason: string }> {
  client.socket.on('error', () => undefined);
  let isOver = false;
  void client.closed.then(() => {
    isOver = true;
  });
  while (!isOver) {
    for (let count = 0; count < 1000 && client.socket.readyState === client.socket.OPEN; count += 1) client.send(text);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return client.closed;
}

describe('a realtime client that sends too much', () => {
  it('gets an error and is closed with 1008, and the upstream got no more than the limit', async () => {
    const client = await open();
    await client.next('session.created');
    const session = upstream.newest();
    const end = await flood(client, '{"type":"x"}');
    expect(end).toEqual({ code: 1008, reason: 'rate_limit_exceeded' });
    expect(String(lastError(client)?.error.message)).toMatch(/messages? per second/);
    await session.closed;
    expect(session.events.length).toBeGreaterThan(0);
    expect(session.events.length).toBeLessThan(200);
  });

  it('may send sound in large pieces only as often as they are small ones', async () => {
    const client = await open();
    await client.next('session.created');
    const large = JSON.stringify({ type: 'input_audio_buffer.append', audio: 'A'.repeat(4 * 1024 * 1024) });
    client.socket.on('error', () => undefined);
    for (let count = 0; count < 3; count += 1) client.send(large);
    expect(await client.closed).toMatchObject({ code: 1008 });
  });

  it('gets no more than so many errors, then 1008', async () => {
    const client = await open();
    await client.next('session.created');
    expect(await flood(client, 'no json')).toEqual({ code: 1008, reason: 'rate_limit_exceeded' });
    const errors = client.events.filter(({ type }) => type === 'error');
    expect(errors.length).toBe(11);
    expect(String(lastError(client)?.error.message)).toContain('were rejected');
  });

  it('keeps its session when it speaks as people do', async () => {
    const client = await open();
    for (let count = 0; count < 50; count += 1) client.send({ type: 'input_audio_buffer.append', audio: 'AAAA' });
    client.send({ type: 'response.create' });
    await client.next('response.done');
    client.socket.close();
    expect(await client.closed).toMatchObject({ code: 1005 });
  });
});

describe('a realtime event that two readers could read in two ways', () => {
  it.each<[string, string | Buffer]>([
    ['in a binary message', Buffer.from(`{"type":"session.update","session":{"model":"gpt-5"}}`)],
    ['in bytes that are not UTF-8', Buffer.from('{"type":"response.create","x":"\xff"}', 'latin1')],
    ['with its type in other letters', '{"type":"input_audio_buffer.clear","Type":"session.update"}'],
    ['with its model in other letters', '{"type":"session.update","session":{"Model":"gpt-5"}}'],
  ])('is refused and not passed on: %s', async (_name, event) => {
    const client = await open();
    client.send(event);
    expect(await client.next('error')).toMatchObject({ error: { code: 'invalid_event' } });
    client.send({ type: 'input_audio_buffer.clear' });
    await waitFor('the next event', async () => upstream.newest().events.length > 0);
    expect(upstream.newest().events).toEqual([{ type: 'input_audio_buffer.clear' }]);
    client.socket.close();
    await client.closed;
  });

  it('is refused when either place names a model for speech that the token may not use', async () => {
    await gateway.setOption('ModelRatio', JSON.stringify({ [dear]: 3, 'whisper-1': 15 }));
    const limits = { model_limits_enabled: true, model_limits: `${model},whisper-1` };
    const limited = await gateway.addToken(owner, { name: 'limited', ...limits });
    const client = await open({ key: limited });
    for (const [one, other] of [
      ['whisper-1', dear],
      [dear, 'whisper-1'],
    ]) {
      const session = {
        audio: { input: { transcription: { model: one } } },
        input_audio_transcription: { model: other },
      };
      client.send({ type: 'session.update', session });
      expect(await client.next('error')).toMatchObject({ error: { param: 'model' } });
    }
    const both = {
      audio: { input: { transcription: { model: 'whisper-1' } } },
      input_audio_transcription: { model: 'whisper-1', language: 'en' },
    };
    client.send({ type: 'session.update', session: both });
    await client.next('session.updated');
    const session = { audio: { input: { transcription: { model: 'whisper-1' } } } };
    expect(upstream.newest().events).toEqual([{ type: 'session.update', session }]);
    client.socket.close();
    await client.closed;
  });
});

describe('a realtime session in which nothing is said', () => {
  it('ends when the balance of its user is taken away', async () => {
    const client = await open();
    await client.next('session.created');
    const amount = -(await gateway.quotaOf(owner));
    await gateway.app.services.users.adjustQuota(systemActor, { id: owner, amount, note: 'test' });
    expect(await client.closed).toEqual({ code: 1008, reason: 'insufficient_user_quota' });
    expect(String(lastError(client)?.error.message)).toContain('there is no quota left');
  });

  it('ends when its token expires, and says that', async () => {
    const soon = Math.floor(Date.now() / 1000) + 2;
    const short = await gateway.addToken(owner, { name: 'short', expired_time: soon });
    const client = await open({ key: short });
    await client.next('session.created');
    expect(await client.closed).toEqual({ code: 1008, reason: 'invalid_api_key' });
    expect(String(lastError(client)?.error.message)).toMatch(/"short" has expired/);
  });

  it('says that the token has expired also when that is noticed by the next hold', async () => {
    const client = await open();
    await beginResponse(upstream, client);
    const id = upstream.newest().events.length;
    expect(id).toBe(1);
    await gateway.app.database.tokens.update({ expired_time: 1 }, { where: { user_id: owner } });
    const { response } = (await client.next('response.created')) as { response?: Record<string, unknown> };
    upstream
      .newest()
      .send({ type: 'response.done', response: { ...response, status: 'completed', usage: usageOf(9) } });
    expect(await client.closed).toMatchObject({ code: 1008 });
    expect(String(lastError(client)?.error.message)).toMatch(/expired/);
  });
});

describe('the responses of a realtime session', () => {
  it('are charged once each, the oldest too, and there are only so many', async () => {
    const client = await open();
    const done: Record<string, unknown>[] = [];
    for (let count = 0; count < 7; count += 1) {
      client.send({ type: 'response.create' });
      done.push(await client.next('response.done'));
    }
    upstream.newest().send({ ...done[0], type: 'response.done' });
    await client.next('response.done');
    expect((await rows()).length).toBe(7);
    client.send({ type: 'response.create' });
    await client.next('response.done');
    expect(await client.closed).toEqual({ code: 1001, reason: 'session_expired' });
    expect((await rows()).length).toBe(8);
  });
});

const rows = async () => (await gateway.logs()).filter((row) => row.user_id === owner);
const usageOf = (output: number) => ({ input_tokens: 10, output_tokens: output });
