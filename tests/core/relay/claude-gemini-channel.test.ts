import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { json } from '../../support/upstream-script.ts';

let gateway: TestGateway;
let openai: OpenAI;
const sonnet = 'claude-sonnet-4-5-20250929';

beforeAll(async () => {
  gateway = await startGateway('sqlite');
  const claude = { type: 14, models: `${sonnet},${sonnet}-thinking` };
  await gateway.addChannel({ ...claude, name: 'first', key: 'claude-key', priority: 1 });
  await gateway.addChannel({ ...claude, name: 'second', key: 'claude-spare' });
  const models = 'gemini-2.5-flash,gemini-embedding-001,gemini-2.5-flash-image';
  await gateway.addChannel({ type: 24, name: 'google', key: 'google-key', models });
  await gateway.addChannel({ name: 'openai', models: 'text-embedding-3-small' });
  const names = [sonnet, `${sonnet}-thinking`, ...models.split(','), 'text-embedding-3-small'];
  await gateway.setOption('ModelRatio', JSON.stringify(Object.fromEntries(names.map((name) => [name, 1]))));
  openai = new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
});
afterEach(async () => {
  gateway.upstream.reset();
  await gateway.verifyBooks();
});
afterAll(() => gateway.stop());

const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: sonnet,
  stop_reason: 'end_turn',
  stop_sequence: null,
  content: [{ type: 'text', text: 'Hi.' }],
  usage: { input_tokens: 20, cache_read_input_tokens: 400, cache_creation_input_tokens: 0, output_tokens: 3 },
};
const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
const prompt = [{ role: 'user' as const, content: 'hi' }];
const lastLog = async () => await gateway.lastLog();

describe('a channel of Anthropic', () => {
  it('gets a call of its own protocol as it is, with the client’s version and betas, and goes by the channel’s key', async () => {
    gateway.upstream.always(json(200, message));
    const body = { model: sonnet, max_tokens: 50, messages: prompt, top_k: 3, unknown: { kept: true } };
    const headers = { 'anthropic-version': '2026-10-21', 'anthropic-beta': 'context-1m-2025-08-07' };
    const response = await gateway.call('/v1/messages', body, { headers });
    expect(await response.json()).toEqual(message);
    const [sent] = gateway.upstream.requests;
    expect(sent).toMatchObject({ path: '/v1/messages', json: body });
    expect(sent?.headers).toMatchObject({ ...headers, 'x-api-key': 'claude-key' });
    expect(sent?.headers).not.toHaveProperty('authorization');
    expect(await lastLog()).toMatchObject({ prompt_tokens: 420, completion_tokens: 3 });
  });

  it('that is overloaded is asked once more, then the next one is', async () => {
    gateway.upstream.always(({ headers }) =>
      headers['x-api-key'] === 'claude-key' ? json(529, overloaded) : json(200, message),
    );
    const response = await gateway.call('/v1/messages', { model: sonnet, max_tokens: 50, messages: prompt });
    expect(response.status).toBe(200);
    expect(gateway.upstream.requests.map(({ headers }) => headers['x-api-key'])).toEqual([
      'claude-key',
      'claude-key',
      'claude-spare',
    ]);
  });

  it('bounds a converted call as the operator set it', async () => {
    await gateway.setOption('claude.default_max_tokens', JSON.stringify({ default: 777 }));
    gateway.upstream.always(json(200, message));
    const response = await openai.chat.completions.create({ model: sonnet, messages: prompt });
    expect(response.choices[0]?.message.content).toBe('Hi.');
    const [sent] = gateway.upstream.requests;
    expect(sent?.json).toMatchObject({ model: sonnet, max_tokens: 777 });
    expect(sent?.headers['anthropic-version']).toBe('2023-06-01');
  });

  it('thinks for a model named so, in either protocol, with the share the operator set', async () => {
    await gateway.setOption('claude.thinking_adapter_budget_tokens_percentage', '0.5');
    gateway.upstream.always(json(200, message));
    const model = `${sonnet}-thinking`;
    await gateway.call('/v1/messages', { model, max_tokens: 4000, messages: prompt });
    await openai.chat.completions.create({ model, messages: prompt, max_completion_tokens: 4000 });
    const [native, converted] = gateway.upstream.requests;
    const thinking = { type: 'enabled', budget_tokens: 2000 };
    expect(native?.json).toEqual({ model: sonnet, max_tokens: 4000, messages: prompt, thinking });
    expect(converted?.json).toMatchObject({ model: sonnet, max_tokens: 4000, thinking });
  });
});

describe('a prompt', () => {
  it.each([
    ['text', 'word '.repeat(30_000)],
    ['list', ['word '.repeat(30_000)]],
  ])('may be longer than any other field: as %s', async (_form, input) => {
    const model = 'text-embedding-3-small';
    const response = await gateway.call('/v1/embeddings', { model, input });
    expect(response.status).toBe(200);
    expect(gateway.upstream.requests[0]?.json).toEqual({ model, input });
  });
});

describe('a channel of Google', () => {
  it('judges converted calls by the thresholds the operator set', async () => {
    await gateway.setOption('gemini.safety_settings', JSON.stringify({ default: 'BLOCK_ONLY_HIGH' }));
    await gateway.setOption('gemini.version_settings', JSON.stringify({ default: 'v1alpha' }));
    const usageMetadata = { promptTokenCount: 4, candidatesTokenCount: 2, totalTokenCount: 6 };
    const candidates = [{ content: { role: 'model', parts: [{ text: 'Hi.' }] }, finishReason: 'STOP' }];
    gateway.upstream.always(json(200, { candidates, usageMetadata }));
    await openai.chat.completions.create({ model: 'gemini-2.5-flash', messages: prompt });
    const [sent] = gateway.upstream.requests;
    expect(sent?.path).toBe('/v1alpha/models/gemini-2.5-flash:generateContent');
    expect(sent?.headers['x-goog-api-key']).toBe('google-key');
    expect(sent?.json).toMatchObject({
      safetySettings: expect.arrayContaining([{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_ONLY_HIGH' }]),
    });
    expect(await lastLog()).toMatchObject({ prompt_tokens: 4, completion_tokens: 2 });
  });

  it('M: embeds for OpenAI’s SDK, which asks for packed numbers, and is charged by our own count', async () => {
    const long = 'word '.repeat(30_000);
    gateway.upstream.always(json(200, { embeddings: [{ values: [0.5, -1] }, { values: [2, 3] }] }));
    const response = await openai.embeddings.create({ model: 'gemini-embedding-001', input: ['hello', long] });
    expect(response.data.map(({ embedding }) => embedding)).toEqual([
      [0.5, -1],
      [2, 3],
    ]);
    const [sent] = gateway.upstream.requests;
    expect(sent?.path).toMatch(/models\/gemini-embedding-001:batchEmbedContents$/);
    expect(sent?.json).toMatchObject({
      requests: ['hello', long].map((text) => ({
        model: 'models/gemini-embedding-001',
        content: { parts: [{ text }] },
      })),
    });
    const log = await lastLog();
    expect(log?.prompt_tokens).toBeGreaterThan(20_000);
    expect(log?.quota).toBe(log?.prompt_tokens);
  });

  it('draws for OpenAI’s SDK, and a refused prompt is not a failure of the channel', async () => {
    const picture = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
    const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 1290, totalTokenCount: 1295 };
    const candidates = [{ content: { parts: [picture] }, finishReason: 'STOP' }];
    gateway.upstream.always(json(200, { candidates, usageMetadata }));
    const draw = () => openai.images.generate({ model: 'gemini-2.5-flash-image', prompt: 'a cat', size: '1024x1024' });
    expect((await draw()).data).toEqual([{ b64_json: 'AAAA' }]);
    expect(gateway.upstream.requests[0]?.json).toMatchObject({
      generationConfig: { responseModalities: ['TEXT', 'IMAGE'], imageConfig: { aspectRatio: '1:1' } },
    });
    expect(await lastLog()).toMatchObject({ prompt_tokens: 5, completion_tokens: 1290 });
    gateway.upstream.reset();
    gateway.upstream.always(json(200, { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }));
    await expect(draw()).rejects.toThrow(
      expect.objectContaining({ status: 400, message: expect.stringContaining('PROHIBITED_CONTENT') }),
    );
    expect(gateway.upstream.requests).toHaveLength(1);
  });
});
