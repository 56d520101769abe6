import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { chunked, json } from '../../../support/upstream-script.ts';

let gateway: TestGateway;
let client: OpenAI;

beforeAll(async () => {
  gateway = await startGateway();
  await gateway.addChannel({ name: 'look-alike', models: 'text-embedding-3-small' });
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 });
});
afterEach(() => gateway.upstream.reset());
afterAll(() => gateway.stop());

const usage = { prompt_tokens: 3, total_tokens: 3 };
const vectors = (embeddings: unknown[]) => ({
  object: 'list',
  model: 'text-embedding-3-small',
  data: embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding })),
  usage,
});
const create = (more: object = {}) =>
  client.embeddings.create({ model: 'text-embedding-3-small', input: ['a', 'b'], ...more });

describe('an upstream that does not know encoding_format', () => {
  it('gives the SDK, which asks for base64 unasked, its numbers all the same', async () => {
    gateway.upstream.respond(json(200, vectors([[0.5, -2], [0.25]])));
    const response = await create();
    expect(response.data.map(({ embedding }) => embedding)).toEqual([[0.5, -2], [0.25]]);
    expect(response.usage).toEqual(usage);
    expect(await gateway.lastLog()).toMatchObject({ prompt_tokens: 3, other: { usage_source: 'upstream' } });
  });

  it('does so for a response beyond 1 MiB', async () => {
    const long = Array.from({ length: 150_000 }, (_, place) => place / 1024);
    const response = json(200, vectors([long, [1]]));
    expect(response.body?.length).toBeGreaterThan(1024 * 1024);
    gateway.upstream.respond(chunked(response, 300_000));
    const { data } = await create();
    expect(data[0]?.embedding).toEqual(long);
    expect(data[1]?.embedding).toEqual([1]);
    expect(await gateway.lastLog()).toMatchObject({ prompt_tokens: 3, other: { usage_source: 'upstream' } });
  });

  it('passes as it is for a client that asks for numbers', async () => {
    const response = json(200, `{"data":[{"embedding":[0.10, 1e-3],"index":0}],"usage":{"prompt_tokens":3}}`);
    gateway.upstream.respond(response);
    const asked = { model: 'text-embedding-3-small', input: 'a' };
    expect(await (await gateway.call('/v1/embeddings', asked)).text()).toBe(response.body?.toString());
  });

  it('leaves packed ones as they are', async () => {
    const response = json(200, JSON.stringify(vectors(['AAAAPw==', 'AACAPw=='])));
    gateway.upstream.respond(response);
    const asked = { model: 'text-embedding-3-small', input: ['a', 'b'], encoding_format: 'base64' };
    expect(await (await gateway.call('/v1/embeddings', asked)).text()).toBe(response.body?.toString());
  });
});
