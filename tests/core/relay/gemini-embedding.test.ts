import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { json } from '../../support/upstream-script.ts';

let gateway: TestGateway;
let google: GoogleGenAI;

beforeAll(async () => {
  gateway = await startGateway('sqlite');
  const models = 'gemini-embedding-001,embed-mapped';
  await gateway.addChannel({
    type: 24,
    key: 'google-key',
    name: 'google',
    models,
    model_mapping: '{"embed-mapped":"gemini-embedding-001"}',
  });
  await gateway.addChannel({ name: 'openai', models: 'text-embedding-3-small' });
  await gateway.setOption('ModelRatio', '{"gemini-embedding-001":1,"embed-mapped":1,"text-embedding-3-small":1}');
  google = new GoogleGenAI({ apiKey: gateway.key, httpOptions: { baseUrl: gateway.url } });
});
afterEach(async () => {
  gateway.upstream.reset();
  await gateway.verifyBooks();
});
afterAll(() => gateway.stop());

const text = (words: string) => ({ parts: [{ text: words }] });

async function lastLog() {
  return await gateway.lastLog();
}

function embed(model: string, body: unknown, action = 'embedContent'): Promise<Response> {
  return gateway.call(`/v1beta/models/${model}:${action}`, body);
}

describe('an embedding in Google’s protocol', () => {
  it('goes to a Gemini channel as it is, and is charged by our own count', async () => {
    gateway.upstream.respond(json(200, { embeddings: [{ values: [0.1, 0.2] }, { values: [0.3, 0.4] }] }));
    const response = await google.models.embedContent({
      model: 'gemini-embedding-001',
      contents: ['hello world', 'hello'],
      config: { taskType: 'RETRIEVAL_DOCUMENT', outputDimensionality: 2 },
    });
    expect(response.embeddings?.map(({ values }) => values)).toEqual([
      [0.1, 0.2],
      [0.3, 0.4],
    ]);
    const [sent] = gateway.upstream.requests;
    expect(sent?.path).toBe('/v1beta/models/gemini-embedding-001:batchEmbedContents');
    expect(sent?.json).toMatchObject({
      requests: [
        { model: 'models/gemini-embedding-001', content: text('hello world'), taskType: 'RETRIEVAL_DOCUMENT' },
        { content: text('hello'), outputDimensionality: 2 },
      ],
    });
    expect(await lastLog()).toMatchObject({
      model_name: 'gemini-embedding-001',
      prompt_tokens: 3,
      completion_tokens: 0,
      quota: 3,
    });
  });

  it('is charged by the upstream’s count where it says one', async () => {
    const usageMetadata = { promptTokenCount: 50, totalTokenCount: 50 };
    gateway.upstream.respond(json(200, { embedding: { values: [1] }, usageMetadata }));
    const response = await embed('gemini-embedding-001', { content: text('hello') });
    expect(await response.json()).toEqual({ embedding: { values: [1] }, usageMetadata });
    expect(await lastLog()).toMatchObject({ prompt_tokens: 50, quota: 50 });
  });

  it('names the channel’s model in every request of a batch', async () => {
    gateway.upstream.respond(json(200, { embeddings: [{ values: [1] }] }));
    const requests = [{ model: 'models/embed-mapped', content: text('hello') }];
    const response = await embed('embed-mapped', { requests }, 'batchEmbedContents');
    expect(response.status).toBe(200);
    const [sent] = gateway.upstream.requests;
    expect(sent?.path).toBe('/v1beta/models/gemini-embedding-001:batchEmbedContents');
    expect(sent?.json).toMatchObject({ requests: [{ model: 'models/gemini-embedding-001' }] });
    expect(await lastLog()).toMatchObject({ model_name: 'embed-mapped' });
  });

  it('reaches a channel that speaks OpenAI’s, and comes back in Google’s shape', async () => {
    const response = await google.models.embedContent({
      model: 'text-embedding-3-small',
      contents: ['hello world', 'hello'],
      config: { outputDimensionality: 8, taskType: 'SEMANTIC_SIMILARITY' },
    });
    expect(response.embeddings).toHaveLength(2);
    expect(response.embeddings?.[0]?.values?.every((value) => typeof value === 'number')).toBe(true);
    const [sent] = gateway.upstream.requests;
    expect(sent?.path).toBe('/v1/embeddings');
    expect(sent?.json).toEqual({
      model: 'text-embedding-3-small',
      input: ['hello world', 'hello'],
      dimensions: 8,
    });
    const { prompt } = gateway.upstream.defaults.usage;
    expect(await lastLog()).toMatchObject({ model_name: 'text-embedding-3-small', prompt_tokens: prompt });
  });

  it('of OpenAI’s SDK shows the count that is billed: Google tells none, and clients read it', async () => {
    gateway.upstream.respond(json(200, { embeddings: [{ values: [0.5, -1] }, { values: [2, 3] }] }));
    const openai = new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1` });
    const response = await openai.embeddings.create({
      model: 'gemini-embedding-001',
      input: ['hello world', 'hello'],
    });
    expect(response.data.map(({ embedding }) => embedding)).toEqual([
      [0.5, -1],
      [2, 3],
    ]);
    expect(response.usage).toEqual({ prompt_tokens: 3, total_tokens: 3 });
    expect(await lastLog()).toMatchObject({ prompt_tokens: 3, quota: 3 });
  });

  it('says in a header what was lost on the way', async () => {
    const response = await embed('text-embedding-3-small', { content: text('hello'), taskType: 'CLUSTERING' });
    expect(response.headers.get('x-tollgate-dropped')).toContain('taskType');
    expect(await response.json()).toMatchObject({ embedding: { values: expect.any(Array) } });
  });

  it.each([
    ['no content', {}, 400],
    [
      'a picture for a text model',
      { content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'AA' } }] } },
      400,
    ],
    ['a wrong type', { content: 5 }, 400],
  ])('is refused in Google’s words, uncharged: %s', async (_what, body, status) => {
    const before = await gateway.quotaOf(gateway.userId);
    const response = await embed('text-embedding-3-small', body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { code: status, status: 'INVALID_ARGUMENT' } });
    expect(await gateway.quotaOf(gateway.userId)).toBe(before);
    expect(gateway.upstream.requests).toEqual([]);
  });

  it('that an upstream refuses raises the SDK’s error', async () => {
    const error = { code: 400, message: 'too long', status: 'INVALID_ARGUMENT' };
    gateway.upstream.always(json(400, { error }));
    await expect(
      google.models.embedContent({ model: 'gemini-embedding-001', contents: 'hello' }),
    ).rejects.toMatchObject({ name: 'ApiError', status: 400 });
  });

  it('without a vector is not a response', async () => {
    gateway.upstream.always(json(200, { object: 'list', data: [] }));
    const before = await gateway.quotaOf(gateway.userId);
    const response = await embed('text-embedding-3-small', { content: text('hello') });
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({ error: { code: 502, status: 'UNAVAILABLE' } });
    expect(await gateway.quotaOf(gateway.userId)).toBe(before);
  });
});
