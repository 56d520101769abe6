import { AzureOpenAI, toFile } from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startFakeRealtime } from '../../../support/fake-realtime.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { json } from '../../../support/upstream-script.ts';
import { openHolds, waitFor } from '../../relay/relay-checks.ts';

const messages = [{ role: 'user' as const, content: 'hi' }];
const usage = { input_tokens: 20, output_tokens: 10, total_tokens: 30 };
const apiVersion = '2024-10-21';
const models = 'gpt-4o-mini,text-embedding-3-small,gpt-image-1,tts-1,whisper-1,gpt-3.5-turbo-instruct';
let gateway: TestGateway;

const client = (options: { deployment?: string; apiKey?: string } = {}) =>
  new AzureOpenAI({ endpoint: gateway.url, apiKey: gateway.key, apiVersion, maxRetries: 0, ...options });
const sent = () => gateway.upstream.requests.at(-1);

async function newRow() {
  const count = await gateway.logCount();
  return async () => {
    await waitFor('the row', async () => (await gateway.logCount()) > count);
    return gateway.lastLog();
  };
}

describe('a client made for Azure', () => {
  beforeAll(async () => {
    gateway = await startGateway();
    await gateway.addChannel({ name: 'all', models });
    await gateway.addChannel({ name: 'claude', type: 14, models: 'claude-sonnet-4-5' });
  });
  beforeEach(() => gateway.upstream.reset());
  afterAll(async () => {
    await gateway.verifyBooks();
    await gateway.stop();
  });

  it('is served all that Azure has below a deployment, which is the model', async () => {
    const azure = client();
    const chat = await azure.chat.completions.create({ model: 'gpt-4o-mini', messages });
    expect(chat.choices[0]?.message.content).toBe('Hello from upstream. 你好!');
    expect(sent()).toMatchObject({ path: '/v1/chat/completions', json: { model: 'gpt-4o-mini', messages } });
    let text = '';
    for await (const chunk of await azure.chat.completions.create({ model: 'gpt-4o-mini', messages, stream: true }))
      text += chunk.choices[0]?.delta.content ?? '';
    expect(text).toBe('Hello from upstream. 你好!');
    const completion = await azure.completions.create({ model: 'gpt-3.5-turbo-instruct', prompt: 'hi' });
    expect(completion.choices).toHaveLength(1);
    const embedding = await azure.embeddings.create({ model: 'text-embedding-3-small', input: 'hi' });
    expect(embedding.data[0]?.embedding).toHaveLength(8);
    const image = await azure.images.generate({ model: 'gpt-image-1', prompt: 'a cat' });
    expect(image.data).toHaveLength(1);
    const picture = await toFile(Buffer.from('picture'), 'a.png', { type: 'image/png' });
    await azure.images.edit({ model: 'gpt-image-1', prompt: 'a dog', image: picture });
    expect(sent()).toMatchObject({ path: '/v1/images/edits', form: { fields: { model: ['gpt-image-1'] } } });
    await azure.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'hi' });
    expect(sent()?.path).toBe('/v1/audio/speech');
    const file = await toFile(Buffer.from('sound'), 'a.wav');
    expect((await azure.audio.transcriptions.create({ model: 'whisper-1', file })).text).toBeTypeOf('string');
    await azure.audio.translations.create({ model: 'whisper-1', file });
    expect(sent()?.path).toBe('/v1/audio/translations');
  });

  it('pays for the deployment of the path, whatever the body says, and its upstream is told so', async () => {
    const row = await newRow();
    await client({ deployment: 'gpt-4o-mini' }).chat.completions.create({ model: 'text-embedding-3-small', messages });
    expect(sent()?.json).toMatchObject({ model: 'gpt-4o-mini' });
    expect(await row()).toMatchObject({ model_name: 'gpt-4o-mini', prompt_tokens: 20 });
    const limited = await gateway.addToken(gateway.userId, {
      name: 'limited',
      model_limits_enabled: true,
      model_limits: 'text-embedding-3-small',
    });
    const asked = client({ deployment: 'gpt-4o-mini', apiKey: limited }).chat.completions.create({
      model: 'text-embedding-3-small',
      messages,
    });
    await expect(asked).rejects.toMatchObject({ status: 403 });
  });

  it('need not name the model in the body, also where its call is converted', async () => {
    gateway.upstream.respond('anthropic/message-tool.json');
    const row = await newRow();
    const path = '/openai/deployments/claude-sonnet-4-5/chat/completions?api-version=2024-10-21';
    const response = await gateway.call(path, { messages });
    expect(await response.json()).toMatchObject({ object: 'chat.completion', model: 'claude-sonnet-4-5' });
    expect(sent()).toMatchObject({ path: '/v1/messages', json: { model: 'claude-sonnet-4-5' } });
    expect(await row()).toMatchObject({ model_name: 'claude-sonnet-4-5' });
  });

  it('may have a model with slashes in its name', async () => {
    const model = 'Qwen/Qwen3-8B/chat';
    await gateway.setOption('ModelRatio', JSON.stringify({ [model]: 1 }));
    await gateway.addChannel({ name: 'slashes', models: model });
    await client().chat.completions.create({ model, messages });
    expect(sent()?.json).toMatchObject({ model });
    const encoded = `/openai/deployments/${encodeURIComponent(model)}/chat/completions`;
    expect((await gateway.call(encoded, { messages })).status).toBe(200);
  });

  it('is served what Azure has beside deployments, with the version in the path or without', async () => {
    const names: string[] = [];
    for await (const { id } of client().models.list()) names.push(id);
    expect(names).toContain('gpt-4o-mini');
    gateway.upstream.always('openai/chat.json');
    for (const path of ['/openai/v1/chat/completions?api-version=v1', '/openai/chat/completions'])
      expect((await gateway.call(path, { model: 'gpt-4o-mini', messages })).status).toBe(200);
    expect(sent()?.path).toBe('/v1/chat/completions');
    gateway.upstream.respond(json(200, { id: 'resp_1', object: 'response', status: 'completed', output: [], usage }));
    const response = await client().responses.create({ model: 'gpt-4o-mini', input: 'hi' });
    expect(response.object).toBe('response');
  });

  it('is told in OpenAI’s words what it cannot have', async () => {
    const call = (apiKey: string) => client({ apiKey }).chat.completions.create({ model: 'gpt-4o-mini', messages });
    await expect(call('sk-wrong')).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
    const missing = client().chat.completions.create({ model: 'nothing', messages });
    await expect(missing).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
    const row = { status: 501, code: 'api_not_implemented' };
    await expect(client().files.list()).rejects.toMatchObject(row);
    const batch = { input_file_id: 'f', endpoint: '/v1/chat/completions', completion_window: '24h' } as const;
    await expect(client().batches.create(batch)).rejects.toMatchObject(row);
    await expect(client({ deployment: 'gpt-4o-mini' }).batches.create(batch)).rejects.toMatchObject(row);
    const unknown = await gateway.call('/openai/deployments/gpt-4o-mini/nothing', {});
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { error: { type: 'invalid_request_error' } }]);
  });

  it('may be a page of another origin', async () => {
    const url = `${gateway.url}/openai/deployments/gpt-4o-mini/chat/completions?api-version=${apiVersion}`;
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
    const asked = await fetch(url, { method: 'OPTIONS', headers });
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    const body = JSON.stringify({ messages });
    const sentHeaders = { origin: headers.origin, 'api-key': gateway.key, 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers: sentHeaders, body });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
  });

  it('opens realtime sessions by the name of their deployment', async () => {
    const upstream = await startFakeRealtime();
    const deployment = 'gpt-4o-realtime-preview';
    await gateway.addChannel({ name: 'realtime', models: deployment, base_url: upstream.url });
    const address = `${gateway.url.replace('http', 'ws')}/openai`;
    for (const tail of [
      `realtime?api-version=${apiVersion}&deployment=${deployment}`,
      `v1/realtime?model=${deployment}`,
    ]) {
      const socket = new WebSocket(`${address}/${tail}`, { headers: { 'api-key': gateway.key } });
      const first = new Promise((resolve, reject) => socket.on('message', resolve).on('error', reject));
      expect(JSON.parse(String(await first))).toMatchObject({ type: 'session.created' });
      const closed = new Promise((resolve) => socket.on('close', resolve));
      socket.close();
      await closed;
    }
    await waitFor('all sessions to end', async () => (await openHolds(gateway)) === 0);
    expect(upstream.newest().url).toBe(`/v1/realtime?model=${deployment}`);
    await upstream.close();
  });
});
