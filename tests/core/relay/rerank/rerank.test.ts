import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { json } from '../../../support/upstream-script.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway('sqlite');
  await gateway.addChannel({ name: 'server', models: 'rank-token,rank-price,rank-free', model_mapping: '{}' });
  await gateway.addChannel({ name: 'silicon', type: 40, models: 'rank-silicon' });
  await gateway.addChannel({ name: 'xinference', type: 47, models: 'rank-xinference' });
  await gateway.addChannel({ name: 'azure', type: 3, models: 'rank-azure', other: '2024-10-21' });
  await gateway.addChannel({ name: 'mapped', models: 'rank-mapped', model_mapping: '{"rank-mapped":"bge-reranker"}' });
  const ratios = { 'rank-token': 2, 'rank-silicon': 2, 'rank-xinference': 2, 'rank-azure': 1, 'rank-mapped': 1 };
  await gateway.setOption('ModelRatio', JSON.stringify(ratios));
  // 0.002 US dollars a search are 1,000 units.
  await gateway.setOption('ModelPrice', '{"rank-price":0.002,"rank-free":0}');
});
afterEach(async () => {
  gateway.upstream.reset();
  await gateway.verifyBooks();
});
afterAll(() => gateway.stop());

const documents = ['apple', 'banana'];
const results = [
  { index: 1, relevance_score: 0.9 },
  { index: 0, relevance_score: 0.1 },
];
const usage = { prompt_tokens: 12, total_tokens: 12 };

function rank(body: Record<string, unknown>, path = '/v1/rerank'): Promise<Response> {
  return gateway.call(path, { query: 'fruit', documents, ...body });
}

async function lastLog() {
  return await gateway.lastLog();
}

describe('a rerank', () => {
  it.each(['/v1/rerank', '/rerank'])(
    'through %s gets a response in Jina’s form, and paid by the upstream’s tokens',
    async (path) => {
      gateway.upstream.respond(json(200, { model: 'rank-token', usage, results }));
      const response = await rank({ model: 'rank-token', top_n: 2, vendor_option: 7 }, path);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ model: 'rank-token', results, usage });
      const [sent] = gateway.upstream.requests;
      expect(sent?.path).toBe('/v1/rerank');
      expect(sent?.json).toEqual({ model: 'rank-token', query: 'fruit', documents, top_n: 2, vendor_option: 7 });
      expect(await lastLog()).toMatchObject({
        prompt_tokens: 12,
        completion_tokens: 0,
        quota: 24,
        other: { usage_source: 'upstream', protocol: 'rerank' },
      });
    },
  );

  it('through /v2/rerank gets a response in Cohere’s form, and says what was lost on the way', async () => {
    gateway.upstream.respond(json(200, { id: 'r1', results, usage }));
    const response = await rank({ model: 'rank-token', top_n: 1, max_tokens_per_doc: 64 }, '/v2/rerank');
    expect(await response.json()).toEqual({
      id: 'r1',
      results: results.slice(0, 1),
      meta: { api_version: { version: '2' }, tokens: { input_tokens: 12, output_tokens: 0 } },
    });
    expect(response.headers.get('x-tollgate-dropped')).toContain('max_tokens_per_doc');
    const [sent] = gateway.upstream.requests;
    expect(sent?.path).toBe('/v1/rerank');
    expect(sent?.json).toEqual({
      model: 'rank-token',
      query: 'fruit',
      documents,
      top_n: 1,
      return_documents: false,
    });
    expect(await lastLog()).toMatchObject({ quota: 24, other: { protocol: 'cohere-rerank' } });
  });

  it('without usage is paid by our own count of query and documents', async () => {
    gateway.upstream.respond(json(200, { results }));
    expect((await rank({ model: 'rank-token', documents: ['hello world', { text: 'hello' }] })).status).toBe(200);
    // "fruit", "hello world" and "hello" are four tokens.
    expect(await lastLog()).toMatchObject({ prompt_tokens: 4, quota: 8, other: { usage_source: 'counted' } });
  });

  it('at a fixed price costs it once, whatever the tokens', async () => {
    gateway.upstream.respond(json(200, { results, usage }), json(200, { results }));
    await rank({ model: 'rank-price' });
    expect(await lastLog()).toMatchObject({ prompt_tokens: 12, quota: 1000, other: { usage_source: 'upstream' } });
    await rank({ model: 'rank-price' });
    expect(await lastLog()).toMatchObject({ prompt_tokens: 0, quota: 1000, other: { usage_source: 'measured' } });
  });

  it('at a fixed price costs it for every search that the upstream counts', async () => {
    const meta = { api_version: { version: '2' }, billed_units: { search_units: 3 } };
    gateway.upstream.respond(json(200, { id: 'r2', results, meta }));
    const response = await rank({ model: 'rank-price' });
    expect(await response.json()).toEqual({
      id: 'r2',
      model: 'rank-price',
      results,
      meta: { billed_units: { search_units: 3 } },
    });
    expect(await lastLog()).toMatchObject({
      quota: 3000,
      other: { usage_source: 'upstream', bill: { extras: { calls: 3 } } },
    });
  });

  it('is held before it is sent: a search for every hundred documents, more for long ones', async () => {
    const poor = await gateway.addUser('poor', 1500);
    const key = await gateway.addToken(poor);
    const ask = (texts: string[]) =>
      gateway.call('/v1/rerank', { model: 'rank-price', query: 'q', documents: texts }, { key });
    for (const texts of [Array<string>(101).fill('a'), Array<string>(60).fill('word '.repeat(1500))]) {
      const refused = await ask(texts);
      expect(refused.status).toBe(403);
      expect(gateway.upstream.requests).toEqual([]);
    }
    gateway.upstream.respond(json(200, { results: [{ index: 0, relevance_score: 1 }] }));
    expect((await ask(Array<string>(100).fill('a'))).status).toBe(200);
    expect(await gateway.quotaOf(poor)).toBe(500);
  });

  it('gives the money back when the upstream fails', async () => {
    const before = await gateway.quotaOf(gateway.userId);
    gateway.upstream.always(json(500, { message: 'overloaded' }));
    expect((await rank({ model: 'rank-price' })).status).toBe(500);
    expect(await gateway.quotaOf(gateway.userId)).toBe(before);
  });

  it.each([
    ['rank-silicon', { id: 'r', results, tokens: { input_tokens: 11, output_tokens: 1 } }],
    [
      'rank-silicon',
      {
        id: 'r',
        results,
        meta: { tokens: { input_tokens: 11, output_tokens: 1 }, billed_units: { input_tokens: 11, search_units: 0 } },
      },
    ],
    ['rank-xinference', { id: 'r', results, meta: { tokens: { input_tokens: 11, output_tokens: 1 } } }],
  ])('of %s is paid by the tokens that %o names', async (model, reply) => {
    gateway.upstream.respond(json(200, reply));
    const response = await rank({ model });
    expect(await response.json()).toEqual({
      id: 'r',
      model,
      results,
      usage: { prompt_tokens: 11, total_tokens: 12 },
    });
    expect(await lastLog()).toMatchObject({ prompt_tokens: 11, quota: 22 });
  });

  it('goes out under the channel’s name of the model', async () => {
    gateway.upstream.respond(json(200, { results }));
    expect((await rank({ model: 'rank-mapped' }, '/v2/rerank')).status).toBe(200);
    expect(gateway.upstream.requests[0]?.json).toMatchObject({ model: 'bge-reranker' });
  });

  it('gives documents back when the client asks for them, and only then', async () => {
    const responses = [{ index: 1, relevance_score: 0.9, document: 'banana' }];
    gateway.upstream.always(json(200, { results: responses }));
    const returned = async (body: object) => {
      const response = await rank({ model: 'rank-token', ...body });
      return ((await response.json()) as { results: unknown }).results;
    };
    expect(await returned({ return_documents: true })).toEqual([
      { index: 1, relevance_score: 0.9, document: { text: 'banana' } },
    ]);
    expect(await returned({ return_documents: false })).toEqual([{ index: 1, relevance_score: 0.9 }]);
    gateway.upstream.always(json(200, { results }));
    expect(await returned({ return_documents: true, documents: [{ text: 'apple', id: 7 }, 'banana'] })).toEqual([
      { ...results[0], document: { text: 'banana' } },
      { ...results[1], document: { text: 'apple', id: 7 } },
    ]);
  });

  it.each([
    ['no results', { data: [] }],
    ['a document that was not sent', { results: [{ index: 2, relevance_score: 1 }] }],
    ['a document without a score', { results: [{ index: 0 }] }],
  ])('with %s is a failure of the upstream and costs nothing', async (_what, response) => {
    const before = await gateway.quotaOf(gateway.userId);
    gateway.upstream.always(json(200, response));
    expect((await rank({ model: 'rank-token' })).status).toBe(502);
    expect(await gateway.quotaOf(gateway.userId)).toBe(before);
  });

  it.each([
    ['no query', { query: undefined }, 'query'],
    ['an empty query', { query: '' }, 'query'],
    ['no documents', { documents: undefined }, 'documents'],
    ['an empty list', { documents: [] }, 'documents'],
    ['a document that is not text', { documents: ['a', 5] }, 'documents[1]'],
    ['a wrong top_n', { top_n: 0 }, 'top_n'],
    ['B128 a negative top_n', { top_n: -1 }, 'top_n'],
  ])('with %s is refused in the words of the caller’s dialect', async (_what, body, field) => {
    const response = await rank({ model: 'rank-token', ...body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param: field, type: 'new_api_error' } });
    const cohere = await rank({ model: 'rank-token', ...body }, '/v2/rerank');
    expect(cohere.status).toBe(400);
    expect(await cohere.json()).toEqual({ id: expect.any(String), message: expect.stringContaining(field) });
    expect(gateway.upstream.requests).toEqual([]);
  });

  it('B128 takes ten thousand documents and no more, and no other spelling of them', async () => {
    for (const body of [{ documents: Array<string>(10_001).fill('a') }, { Documents: ['b'] }]) {
      const response = await rank({ model: 'rank-token', ...body });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { message: expect.stringMatching(/documents/i) } });
    }
    gateway.upstream.respond(json(200, { results }));
    expect((await rank({ model: 'rank-token', documents: Array<string>(10_000).fill('a') })).status).toBe(200);
  });

  it('is not offered by a vendor that has none', async () => {
    const response = await rank({ model: 'rank-azure' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining('does not offer') } });
  });

  it('is searched for the words that the operator does not accept', async () => {
    await gateway.setOption('CheckSensitiveEnabled', 'true');
    await gateway.setOption('CheckSensitiveOnPromptEnabled', 'true');
    await gateway.setOption('SensitiveWords', 'forbiddenword');
    for (const body of [{ query: 'forbiddenword' }, { documents: ['a', { text: 'my forbiddenword' }] }]) {
      expect((await rank({ model: 'rank-token', ...body })).status).toBe(400);
    }
    await gateway.setOption('CheckSensitiveEnabled', 'false');
    expect(gateway.upstream.requests).toEqual([]);
  });
});
