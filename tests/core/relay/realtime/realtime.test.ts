import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { type FakeRealtime, startFakeRealtime } from '../../../support/fake-realtime.ts';
import { type OpenOptions, openRealtime, openSdkSession } from '../../../support/realtime-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { openHolds, waitFor } from '../relay-checks.ts';

const model = 'gpt-4o-realtime-preview';
let gateway: TestGateway;
let upstream: FakeRealtime;

const open = (options: Partial<OpenOptions> = {}) => openRealtime(gateway.url, { key: gateway.key, model, ...options });

describe('a realtime session', () => {
  beforeAll(async () => {
    upstream = await startFakeRealtime();
    gateway = await startGateway();
    await gateway.addChannel({ name: 'realtime', models: model, base_url: upstream.url });
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

  it('works with the client of the openai package', async () => {
    const session = openSdkSession(gateway.url, gateway.key, model);
    const errors: unknown[] = [];
    session.on('error', (error) => errors.push(error));
    const text = new Promise<string>((resolve) => {
      let heard = '';
      session.on('response.output_text.delta', ({ delta }) => {
        heard += delta;
      });
      session.on('response.done', () => resolve(heard));
    });
    await new Promise((resolve) => session.on('session.created', resolve));
    session.send({ type: 'session.update', session: { type: 'realtime', instructions: 'Be brief.', model } });
    const content = [{ type: 'input_text' as const, text: 'Say hello.' }];
    session.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } });
    session.send({ type: 'response.create' });
    expect(await text).toBe('Hello there.');
    const closed = new Promise((resolve) => session.socket.on('close', resolve));
    session.close();
    expect(await closed).toBe(1000);
    expect(errors).toEqual([]);
    await waitFor('the row', async () => (await gateway.logCount()) === 1);
  });

  it('has the key in any form, the model in the query, and keeps both from the upstream', async () => {
    const keyProtocol = `openai-insecure-api-key.${gateway.key}`;
    const client = await open({ key: '', protocols: ['realtime', keyProtocol, 'openai-beta.realtime-v1'] });
    expect(client.socket.protocol).toBe('realtime');
    expect(client.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
    await client.next('session.created');
    const { url, headers } = upstream.newest();
    expect(url).toBe(`/v1/realtime?model=${model}`);
    expect(headers.authorization).toBe('Bearer upstream-key');
    expect(headers['openai-beta']).toBe('realtime=v1');
    expect(JSON.stringify(headers)).not.toContain(gateway.key.slice(3));
    expect(headers['sec-websocket-protocol']).toBeUndefined();
    client.socket.close();
    await client.closed;
  });

  it('tells the upstream of the beta only when the client speaks it', async () => {
    for (const [headers, expected] of [
      [{}, undefined],
      [{ 'openai-beta': 'assistants=v2' }, undefined],
      [{ 'openai-beta': 'realtime=v1' }, 'realtime=v1'],
    ] as const) {
      const client = await open({ headers });
      expect(upstream.newest().headers['openai-beta']).toBe(expected);
      client.socket.close();
      await client.closed;
    }
  });

  it('passes events on byte for byte, both ways, and a long one whole', async () => {
    const client = await open();
    const audio = Buffer.alloc(3 * 1024 * 1024, 7).toString('base64');
    const sent = `{ "type":"input_audio_buffer.append",\n  "audio":"${audio}", "x":1.50 }`;
    client.send(sent);
    const session = upstream.newest();
    await waitFor('the sound to arrive', async () => session.frames.length === 1);
    expect(session.frames[0]?.equals(Buffer.from(sent))).toBe(true);
    const spoken = `{"type":"response.output_audio.delta", "response_id":"", "delta":"${audio}"}`;
    session.socket.send(spoken);
    await client.next('response.output_audio.delta');
    expect(client.frames.at(-1)?.equals(Buffer.from(spoken))).toBe(true);
    client.socket.close();
    await client.closed;
  });

  it('keeps what no client could read to itself', async () => {
    const client = await open();
    const { socket, send } = upstream.newest();
    for (const text of ['no json', '[]', '{"type":7}', '{"a":']) socket.send(text);
    send({ type: 'rate_limits.updated', rate_limits: [] });
    await client.next('rate_limits.updated');
    expect(client.events.map(({ type }) => type)).toEqual(['session.created', 'rate_limits.updated']);
    client.socket.close();
    await client.closed;
  });

  it('runs on the name the channel knows the model by, wherever the client names it', async () => {
    const mapping = JSON.stringify({ [model]: 'gpt-realtime-2' });
    const mapped = await gateway.addChannel({
      name: 'mapped',
      models: model,
      base_url: upstream.url,
      priority: 9,
      model_mapping: mapping,
    });
    const client = await open();
    expect(upstream.newest().url).toBe('/v1/realtime?model=gpt-realtime-2');
    expect(client.headers['x-tollgate-served']).toBe(`channel=${mapped}; model=gpt-realtime-2; attempt=1`);
    client.send({ type: 'session.update', session: { model, voice: 'alloy' } });
    await client.next('session.updated');
    expect(upstream.newest().events[0]).toEqual({
      type: 'session.update',
      session: { model: 'gpt-realtime-2', voice: 'alloy' },
    });
    client.socket.close();
    await client.closed;
    await removeChannels(mapped);
  });

  it('R10 refuses to change to a model it is not paid by, in words, and goes on', async () => {
    const client = await open();
    client.send({ type: 'session.update', event_id: 'mine', session: { model: 'gpt-4o-mini-realtime-preview' } });
    const { error } = (await client.next('error')) as { error?: Record<string, unknown> };
    expect(error).toMatchObject({ code: 'model_cannot_change', event_id: 'mine' });
    expect(String(error?.message)).toContain(model);
    client.send(`{"type":"input_audio_buffer.clear","type":"session.update","session":{"model":"gpt-5"}}`);
    expect(await client.next('error')).toMatchObject({ error: { code: 'invalid_event' } });
    client.send(`{"type":"session.update","session":{"model":"${model}","model":"gpt-5"}}`);
    expect(await client.next('error')).toMatchObject({ error: { code: 'model_cannot_change' } });
    client.send({ type: 'response.create', response: { model: 'gpt-5' } });
    expect(await client.next('error')).toMatchObject({ error: { code: 'model_cannot_change' } });
    client.send({ type: 'session.update', session: { input_audio_transcription: { model: 'no-such-model' } } });
    expect(await client.next('error')).toMatchObject({ error: { code: 'model_price_error' } });
    expect(upstream.newest().events).toEqual([]);
    client.send({ type: 'response.create' });
    await client.next('response.done');
    client.socket.close();
    await client.closed;
  });

  it('shows neither the key nor the address of the upstream, whatever its errors say', async () => {
    const client = await open();
    const message = `Incorrect API key upstream-key at ${upstream.url}`;
    upstream.newest().send({ type: 'error', error: { type: 'server_error', code: null, message, param: null } });
    const event = await client.next('error');
    expect(JSON.stringify(event)).not.toMatch(/upstream-key|127\.0\.0\.1/);
    client.socket.close();
    await client.closed;
  });

  it.each([
    ['a dated version', '2024-10-01-preview', '/openai/realtime?api-version=2024-10-01-preview&deployment=gpt-4o-rt1'],
    ['the v1 form', 'v1', '/openai/v1/realtime?model=gpt-4o-rt.1'],
  ])('R1 fails over to Azure in %s', async (_name, other, url) => {
    const dead = await startFakeRealtime();
    dead.refusal = { status: 500, body: { error: { message: 'down', type: 'server_error' } } };
    const azureModel = 'gpt-4o-rt.1';
    await gateway.setOption('ModelRatio', JSON.stringify({ [azureModel]: 2.5 }));
    await gateway.setOption('RetryTimes', '1');
    const base = { models: azureModel, key: 'azure-key' };
    const broken = await gateway.addChannel({ ...base, name: 'dead', base_url: dead.url, priority: 5 });
    const azure = await gateway.addChannel({ ...base, type: 3, name: 'azure', base_url: upstream.url, other });
    const client = await open({ model: azureModel });
    await client.next('session.created');
    expect(upstream.newest().url).toBe(url);
    expect(upstream.newest().headers['api-key']).toBe('azure-key');
    expect(client.headers['x-tollgate-served']).toContain(`channel=${azure};`);
    client.send({ type: 'response.create' });
    await client.next('response.done');
    client.socket.close();
    await client.closed;
    const row = await gateway.lastLog();
    expect(row?.channel_id).toBe(azure);
    expect(row?.other.admin_info).toMatchObject({ use_channel: [String(broken), String(azure)] });
    await removeChannels(broken, azure);
    await dead.close();
  });

  it('R3 leaves no socket at the upstream when the client is gone', async () => {
    upstream.leavesOff = true;
    const before = upstream.openSockets();
    const client = await open();
    client.send({ type: 'response.create' });
    await client.next('response.output_text.delta');
    client.socket.terminate();
    await waitFor('the upstream to be let go', async () => upstream.openSockets() <= before);
    await waitFor('the row', async () => (await gateway.lastLog())?.other.outcome === 'clientGone');
  });
});

async function removeChannels(...ids: number[]): Promise<void> {
  await gateway.app.services.channels.remove(systemActor, ids);
  await gateway.gateway.refresh();
}
