import { CohereClient, CohereClientV2, CohereError } from 'cohere-ai';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { json } from '../../../support/upstream-script.ts';

let gateway: TestGateway;
let cohere: CohereClientV2;
let older: CohereClient;

beforeAll(async () => {
  gateway = await startGateway('sqlite');
  await gateway.addChannel({ type: 34, name: 'cohere', models: 'rerank-v3.5,embed-v4.0', key: 'cohere-key' });
  await gateway.addChannel({ type: 38, name: 'jina', models: 'jina-reranker-v2-base-multilingual' });
  // 0.002 US dollars a search are 1,000 units.
  await gateway.setOption('ModelPrice', '{"rerank-v3.5":0.002}');
  await gateway.setOption('ModelRatio', '{"jina-reranker-v2-base-multilingual":2}');
  const options = { token: gateway.key, environment: gateway.url, maxRetries: 0 };
  cohere = new CohereClientV2(options);
  older = new CohereClient(options);
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
const read = results.map(({ index, relevance_score }) => ({ index, relevanceScore: relevance_score }));
const meta = { api_version: { version: '2' }, billed_units: { search_units: 2 } };

async function lastLog() {
  return await gateway.lastLog();
}

describe('Cohere’s SDK', () => {
  it('ranks at Cohere, byte for byte, and pays for every search', async () => {
    gateway.upstream.respond(json(200, { id: 'r1', results, meta }));
    const response = await cohere.rerank({
      model: 'rerank-v3.5',
      query: 'fruit',
      documents,
      topN: 2,
      maxTokensPerDoc: 99,
    });
    expect(response).toMatchObject({ id: 'r1', results: read, meta: { billedUnits: { searchUnits: 2 } } });
    const [sent] = gateway.upstream.requests;
    expect(sent).toMatchObject({ path: '/v2/rerank', headers: { authorization: 'Bearer cohere-key' } });
    expect(sent?.json).toEqual({
      model: 'rerank-v3.5',
      query: 'fruit',
      documents,
      top_n: 2,
      max_tokens_per_doc: 99,
    });
    expect(await lastLog()).toMatchObject({ quota: 2000, other: { usage_source: 'upstream' } });
  });

  it('ranks at Jina, and pays for tokens', async () => {
    gateway.upstream.respond(json(200, { model: 'm', usage: { total_tokens: 15 }, results }));
    const response = await cohere.rerank({ model: 'jina-reranker-v2-base-multilingual', query: 'fruit', documents });
    expect(response).toMatchObject({ results: read, meta: { tokens: { inputTokens: 15 } } });
    expect(await lastLog()).toMatchObject({ prompt_tokens: 15, quota: 30 });
  });

  it('ranks in its older version, which gives documents back', async () => {
    gateway.upstream.respond(json(200, { id: 'r1', results, meta }));
    const response = await older.rerank({ model: 'rerank-v3.5', query: 'fruit', documents, returnDocuments: true });
    expect(response.results).toEqual([
      { ...read[0], document: { text: 'banana' } },
      { ...read[1], document: { text: 'apple' } },
    ]);
    expect(response.meta?.billedUnits?.searchUnits).toBe(2);
  });

  it.each([
    ['a wrong request', () => cohere.rerank({ model: 'rerank-v3.5', query: '', documents }), 400],
    ['a wrong request of the older version', () => older.rerank({ model: 'rerank-v3.5', query: '', documents }), 400],
    ['a model that does not exist', () => cohere.rerank({ model: 'no-model', query: 'q', documents }), 404],
  ])('raises its own errors for %s', async (_what, ask, status) => {
    const error = await ask().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CohereError);
    expect(error).toMatchObject({ statusCode: status, body: { message: expect.any(String) } });
  });

  it('lists models page by page, by what they serve', async () => {
    const page = await older.models.list({ pageSize: 1, endpoint: 'rerank' });
    expect(page.models).toMatchObject([{ name: 'jina-reranker-v2-base-multilingual', endpoints: ['rerank'] }]);
    const next = await older.models.list({ pageSize: 5, endpoint: 'rerank', pageToken: page.nextPageToken ?? '' });
    expect(next.models.map(({ name }) => name)).toEqual(['rerank-v3.5']);
    await expect(older.models.list({ pageSize: 5000 })).rejects.toMatchObject({ statusCode: 400 });
  });
});
