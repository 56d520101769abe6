import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';

let gateway: TestGateway;
let anthropic: Anthropic;
let google: GoogleGenAI;

const models = ['claude-a', 'claude-b', 'claude-c', 'gemini-a', 'gemini-embedding-001', 'gpt-4o-mini', 'maker/model-1'];

beforeAll(async () => {
  gateway = await startGateway('sqlite');
  await gateway.addChannel({ name: 'more', models: models.join(',') });
  anthropic = new Anthropic({ apiKey: gateway.key, baseURL: gateway.url, maxRetries: 0 });
  google = new GoogleGenAI({ apiKey: gateway.key, httpOptions: { baseUrl: gateway.url } });
});
afterAll(() => gateway.stop());

async function idsOf<T>(list: AsyncIterable<T>, read: (model: T) => string | undefined): Promise<string[]> {
  const ids = [];
  for await (const model of list) ids.push(read(model) ?? '');
  return ids;
}

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${gateway.url}${path}`, { headers });
}

describe('the model list for Anthropic’s SDK', () => {
  it('is read page by page, forwards and backwards', async () => {
    expect(await idsOf(anthropic.models.list({ limit: 3 }), ({ id }) => id)).toEqual(models);
    expect(await idsOf(anthropic.models.list(), ({ id }) => id)).toEqual(models);
    const page = await anthropic.models.list({ limit: 2, before_id: 'gemini-a' });
    expect(page).toMatchObject({ first_id: 'claude-b', last_id: 'claude-c', has_more: true });
    // The model has gone since the last page; its place is known anyway.
    const next = await anthropic.models.list({ limit: 2, after_id: 'claude-aa' });
    expect(next.data.map(({ id }) => id)).toEqual(['claude-b', 'claude-c']);
  });

  it('says what the SDK’s type promises, and one model alone', async () => {
    expect(await anthropic.models.retrieve('claude-a')).toMatchObject({
      type: 'model',
      id: 'claude-a',
      display_name: 'claude-a',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    expect((await anthropic.models.retrieve('maker/model-1')).id).toBe('maker/model-1');
  });

  it('raises the SDK’s own errors', async () => {
    await expect(anthropic.models.retrieve('claude-z')).rejects.toBeInstanceOf(Anthropic.NotFoundError);
    await expect(anthropic.models.list({ limit: 0 })).rejects.toMatchObject({
      status: 400,
      error: { type: 'error', error: { type: 'invalid_request_error', message: expect.stringContaining('limit') } },
    });
    const stranger = new Anthropic({ apiKey: 'sk-nobody', baseURL: gateway.url, maxRetries: 0 });
    await expect(stranger.models.list()).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
  });

  it('is empty, not broken, for a token that may use none', async () => {
    const key = await gateway.addToken(gateway.userId, { group: 'vip' });
    const body = await (await get('/v1/models', { 'x-api-key': key })).json();
    expect(body).toEqual({ data: [], has_more: false, first_id: null, last_id: null });
  });
});

describe('the model list for Google’s SDK', () => {
  it('is read page by page', async () => {
    const names = await idsOf(await google.models.list({ config: { pageSize: 3 } }), ({ name }) => name);
    expect(names).toEqual(models.map((model) => `models/${model}`));
  });

  it('says what a model can do', async () => {
    expect(await google.models.get({ model: 'gemini-a' })).toMatchObject({
      name: 'models/gemini-a',
      displayName: 'gemini-a',
      supportedActions: ['generateContent', 'streamGenerateContent', 'countTokens'],
    });
    expect((await google.models.get({ model: 'maker/model-1' })).name).toBe('models/maker/model-1');
    expect((await google.models.get({ model: 'gemini-embedding-001' })).supportedActions).toContain('embedContent');
  });

  it.each(['v1', 'v1beta', 'v1alpha'])(
    'stands beside calls under %s, whichever version the SDK was written for',
    async (apiVersion) => {
      const client = new GoogleGenAI({ apiKey: gateway.key, apiVersion, httpOptions: { baseUrl: gateway.url } });
      expect((await client.models.get({ model: 'maker/model-1' })).name).toBe('models/maker/model-1');
      expect((await client.models.generateContent({ model: 'gpt-4o-mini', contents: 'hi' })).text).toBeTruthy();
      await expect(client.models.get({ model: 'gemini-z' })).rejects.toMatchObject({ name: 'ApiError', status: 404 });
      await expect(client.files.get({ name: 'files/abc' })).rejects.toMatchObject({ name: 'ApiError', status: 501 });
    },
  );

  it('is also that of /v1/models when the key comes as Google sends it', async () => {
    const body = await (await get('/v1/models', { 'x-goog-api-key': gateway.key })).json();
    expect(body).toMatchObject({ models: [{ name: 'models/claude-a' }, {}, {}, {}, {}, {}, {}] });
  });

  it('raises the SDK’s own error, with Google’s status', async () => {
    await expect(google.models.get({ model: 'gemini-z' })).rejects.toMatchObject({
      name: 'ApiError',
      status: 404,
      message: expect.stringContaining('NOT_FOUND'),
    });
    const bad = await get('/v1beta/models?pageToken=%21', { 'x-goog-api-key': gateway.key });
    expect(bad.status).toBe(400);
    expect(await bad.json()).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } });
  });

  it('is OpenAI’s under /v1beta/openai/', async () => {
    const headers = { authorization: `Bearer ${gateway.key}` };
    expect(await (await get('/v1beta/openai/models', headers)).json()).toMatchObject({ object: 'list' });
    expect(await (await get('/v1beta/openai/models/gpt-4o-mini', headers)).json()).toMatchObject({ object: 'model' });
    const missing = await get('/v1beta/openai/models/nothing', headers);
    expect(await missing.json()).toMatchObject({ error: { code: 'model_not_found', param: 'model' } });
  });
});

describe('every model list', () => {
  it('keeps to the limits of the token', async () => {
    const limits = { model_limits_enabled: true, model_limits: 'claude-b,gemini-a' };
    const key = await gateway.addToken(gateway.userId, limits);
    const limited = new Anthropic({ apiKey: key, baseURL: gateway.url, maxRetries: 0 });
    expect(await idsOf(limited.models.list(), ({ id }) => id)).toEqual(['claude-b', 'gemini-a']);
    await expect(limited.models.retrieve('claude-a')).rejects.toBeInstanceOf(Anthropic.NotFoundError);
    const { models: names } = (await (await get('/v1beta/models', { 'x-goog-api-key': key })).json()) as {
      models: { name: string }[];
    };
    expect(names.map(({ name }) => name)).toEqual(['models/claude-b', 'models/gemini-a']);
  });
});

describe('a key', () => {
  const bearer = () => ({ authorization: `Bearer ${gateway.key}` });

  it.each([
    ['Bearer', '/v1beta/models', () => bearer()],
    ['x-goog-api-key', '/v1beta/models', () => ({ 'x-goog-api-key': gateway.key })],
    ['x-api-key', '/v1/models', () => ({ 'x-api-key': gateway.key })],
    ['api-key', '/v1/models', () => ({ 'api-key': gateway.key })],
  ])('is taken as %s', async (_form, path, headers) => {
    expect((await get(path, headers())).status).toBe(200);
  });

  it('is taken from the query on Google’s paths, and nowhere else', async () => {
    expect((await get(`/v1beta/models?key=${gateway.key}`)).status).toBe(200);
    expect((await get(`/v1beta/models/gemini-a?key=${gateway.key}`)).status).toBe(200);
    expect(await (await get(`/v1/models?key=${gateway.key}`)).json()).toMatchObject({
      models: [{}, {}, {}, {}, {}, {}, {}],
    });
    const ask = (path: string) =>
      fetch(`${gateway.url}${path}?key=${gateway.key}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'gpt-4o-mini', contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }),
      });
    expect((await ask('/v1/models/gpt-4o-mini:generateContent')).status).toBe(200);
    expect((await ask('/v1/chat/completions')).status).toBe(401);
    expect((await get(`/api/user/self?key=${gateway.key}`)).status).toBe(401);
  });

  it('may be sent twice, but not be two', async () => {
    expect((await get(`/v1beta/models?key=${gateway.key}`, bearer())).status).toBe(200);
    for (const response of [
      await get('/v1beta/models?key=sk-other', bearer()),
      await get(`/v1beta/models?key=${gateway.key}&key=sk-other`),
      await get('/v1/models', { ...bearer(), 'x-api-key': 'sk-other' }),
    ]) {
      expect(response.status).toBe(401);
      expect(await response.text()).not.toContain('sk-other');
    }
  });

  it('of a query shows in no response and goes to no upstream', async () => {
    const secret = 'sk-verysecretkey000000';
    for (const path of ['/v1beta/models', '/v1beta/nothing', '/v1beta/files', '/v1beta/models/x:unknown']) {
      const response = await fetch(`${gateway.url}${path}?key=${secret}`, { method: 'POST', body: '{}' });
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(await response.text()).not.toContain('verysecretkey');
    }
    await gateway.call(`/v1beta/models/gpt-4o-mini:generateContent?key=${gateway.key}`, {
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    });
    const [sent] = gateway.upstream.requests;
    expect(sent?.path).not.toContain('key=');
    expect(JSON.stringify(sent?.headers)).not.toContain(gateway.key);
  });

  it('may come from a page of another origin', async () => {
    const headers = { origin: 'https://chat.example.com', 'x-goog-api-key': gateway.key };
    const response = await get('/v1beta/models', headers);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const preflight = await fetch(`${gateway.url}/v1beta/models/gemini-a:generateContent`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://chat.example.com',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-goog-api-key, content-type',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('x-goog-api-key');
  });
});

describe('what a vendor’s SDK knows and Tollgate does not offer', () => {
  const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
    fetch(`${gateway.url}${path}`, { method, headers });

  it.each([
    ['POST', '/v1/messages/batches', {}],
    ['GET', '/v1/messages/batches/batch_1/results', {}],
    ['POST', '/v1/files', { 'anthropic-version': '2023-06-01' }],
    ['POST', '/v1/complete', { 'anthropic-version': '2023-06-01' }],
    ['GET', '/v1/skills', { 'x-api-key': 'k' }],
  ])('is a 501 in Anthropic’s words: %s %s', async (method, path, headers) => {
    const response = await ask(method, path, headers);
    expect(response.status).toBe(501);
    expect(await response.json()).toMatchObject({ type: 'error', error: { type: 'api_error' } });
  });

  it.each([
    ['POST', '/v1beta/cachedContents'],
    ['GET', '/v1beta/files/abc'],
    ['POST', '/upload/v1beta/files'],
    ['GET', '/v1beta/tunedModels'],
    ['POST', '/v1beta/models/imagen-x:predict'],
    ['POST', '/v1beta/models/gemini-a:batchGenerateContent'],
    ['POST', '/v1beta/interactions'],
    ['POST', '/v1/interactions'],
    ['POST', '/v1/cachedContents'],
    ['POST', '/upload/v1/files'],
    ['POST', '/v1alpha/auth_tokens'],
  ])('is a 501 in Google’s words: %s %s', async (method, path) => {
    const response = await ask(method, path);
    expect(response.status).toBe(501);
    expect(await response.json()).toMatchObject({ error: { code: 501, status: 'UNIMPLEMENTED' } });
  });

  it.each([
    ['POST', '/v1/conversations'],
    ['GET', '/v1/conversations/conv_1/items'],
    ['POST', '/v1/evals'],
    ['POST', '/v1/agents/sessions'],
    ['GET', '/v1/organization/costs'],
    ['POST', '/v1/decisions'],
    ['POST', '/v1/responses/compact'],
    ['POST', '/v1/responses/input_tokens'],
    ['GET', '/v1/chat/completions/chatcmpl-1'],
    ['GET', '/v1/chat/completions/chatcmpl-1/messages'],
  ])('is a 501 in OpenAI’s words: %s %s', async (method, path) => {
    const response = await ask(method, path);
    expect(response.status).toBe(501);
    expect(await response.json()).toMatchObject({ error: { code: 'api_not_implemented' } });
  });

  it('is asked for once: the SDKs are told not to try again', async () => {
    let asked = 0;
    const counting: typeof fetch = (...parameters) => {
      asked += 1;
      return fetch(...parameters);
    };
    const anthropicClient = new Anthropic({ apiKey: gateway.key, baseURL: gateway.url, fetch: counting });
    await expect(anthropicClient.messages.batches.list()).rejects.toMatchObject({ status: 501 });
    const openai = new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1`, fetch: counting });
    await expect(openai.files.list()).rejects.toMatchObject({ status: 501 });
    await expect(openai.responses.inputTokens.count({ model: 'gpt-4o-mini' })).rejects.toMatchObject({ status: 501 });
    expect(asked).toBe(3);
  });
});
