import { describe, expect, it } from 'vitest';
import { adapterOf, type CallOptions, channelOf, hello, send } from '../call.ts';
import { account } from './account.ts';

const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
const vertexChannel = { key: account(), other: 'us-east5' };

function sendGemini(model: string, options: CallOptions = {}, body: Record<string, unknown> = { contents }) {
  const channel = { ...vertexChannel, ...options.channel };
  return send(41, body, { protocol: 'gemini', model, fromPath: { model }, ...options, channel });
}

function sendClaude(model: string, changes: Record<string, unknown> = {}, options: CallOptions = {}) {
  const body = { model, max_tokens: 64, messages: hello, ...changes };
  const channel = { ...vertexChannel, ...options.channel };
  return send(41, body, { protocol: 'anthropic-messages', ...options, channel });
}

const root = 'https://us-east5-aiplatform.googleapis.com/v1/projects/p1/locations/us-east5';

describe('a Vertex channel', () => {
  it('calls Gemini under its publisher', () => {
    const { url, edits } = sendGemini('gemini-3-flash');
    expect(url).toBe(`${root}/publishers/google/models/gemini-3-flash:generateContent`);
    expect(edits).toEqual([]);
    const streamed = sendGemini('gemini-3-flash', { fromPath: { model: 'gemini-3-flash', stream: true } });
    expect(streamed.url).toBe(`${root}/publishers/google/models/gemini-3-flash:streamGenerateContent?alt=sse`);
  });

  it('gives every turn a role, which Vertex insists on', () => {
    const body = {
      contents: [{ parts: [{ text: 'a' }] }, { role: 'model', parts: [{ text: 'b' }] }],
      model: 'models/gemini-3-flash',
    };
    expect(sendGemini('gemini-3-flash', {}, body).body).toEqual({
      contents: [
        { parts: [{ text: 'a' }], role: 'user' },
        { role: 'model', parts: [{ text: 'b' }] },
      ],
    });
  });

  it('calls Claude under its publisher, with the version in the body', () => {
    const { url, body } = sendClaude('claude-sonnet-4-5-20250929', { stream: true, service_tier: 'auto' });
    expect(url).toBe(`${root}/publishers/anthropic/models/claude-sonnet-4-5%4020250929:streamRawPredict`);
    expect(body).toEqual({ anthropic_version: 'vertex-2023-10-16', max_tokens: 64, stream: true, messages: hello });
    expect(sendClaude('claude-opus-4-6').url).toBe(`${root}/publishers/anthropic/models/claude-opus-4-6:rawPredict`);
  });

  it.each([
    ['claude-3-5-sonnet-20241022', 'claude-3-5-sonnet-v2@20241022'],
    ['claude-3-5-sonnet-latest', 'claude-3-5-sonnet-v2@20241022'],
    ['claude-3-7-sonnet-20250219-thinking', 'claude-3-7-sonnet@20250219'],
    ['claude-opus-4-1@20250805', 'claude-opus-4-1@20250805'],
    ['claude-sonnet-4-6', 'claude-sonnet-4-6'],
  ])('knows %s as %s', (model, name) => {
    expect(sendClaude(model).url).toContain(`/models/${encodeURIComponent(name)}:rawPredict`);
  });

  it('moves known betas from the header into the body', () => {
    const headers = { 'anthropic-beta': 'context-1m-2025-08-07,web-search-2025-03-05,unknown-2030-01-01' };
    expect(sendClaude('claude-opus-4-6', {}, { headers }).body.anthropic_beta).toEqual([
      'context-1m-2025-08-07',
      'web-search-2025-03-05',
    ]);
  });

  it('counts tokens at the address all models share', () => {
    const { url, body } = sendClaude('claude-sonnet-4-5-20250929', {}, { path: '/v1/messages/count_tokens' });
    expect(url).toBe(`${root}/publishers/anthropic/models/count-tokens:rawPredict`);
    expect(body.model).toBe('claude-sonnet-4-5@20250929');
    const counted = sendGemini('gemini-3-flash', { path: 'countTokens' });
    expect(counted.url).toBe(`${root}/publishers/google/models/gemini-3-flash:countTokens`);
    expect(counted.body).toEqual({ contents });
  });

  it('counts a whole call of Google’s other service', () => {
    const whole = { contents: [{ parts: [{ text: 'hi' }] }], systemInstruction: { parts: [] }, model: 'models/x' };
    const body = { contents, generateContentRequest: whole };
    expect(sendGemini('gemini-3-flash', { path: 'countTokens' }, body).body).toEqual({
      contents,
      systemInstruction: { parts: [] },
    });
  });

  it('leaves the count of a picture it would have to fetch to us', () => {
    const image = { type: 'image', source: { type: 'url', url: 'https://host.example/a.png' } };
    const messages = [{ role: 'user', content: [image] }];
    const path = '/v1/messages/count_tokens';
    expect(() => sendClaude('claude-opus-4-6', { messages }, { path })).toThrow('Vertex AI does not offer');
  });

  it('calls other publishers in OpenAI’s format', () => {
    const chat = { model: 'meta/llama3-405b-instruct-maas', messages: hello, stream: true };
    const { url, body } = send(41, chat, { channel: vertexChannel });
    expect(url).toBe(
      'https://us-east5-aiplatform.googleapis.com/v1beta1/projects/p1/locations/us-east5/endpoints/openapi/chat/completions',
    );
    expect(body).toMatchObject({ model: 'meta/llama3-405b-instruct-maas', stream_options: { include_usage: true } });
    expect(send(41, { ...chat, model: 'llama-4-scout' }, { channel: vertexChannel }).body.model).toBe(
      'meta/llama-4-scout',
    );
  });

  it('calls Mistral with Mistral’s own rules', () => {
    const chat = { model: 'mistral-medium-3', messages: hello, seed: 4, user: 'u' };
    const { url, body } = send(41, chat, { channel: vertexChannel });
    expect(url).toBe(`${root}/publishers/mistralai/models/mistral-medium-3:rawPredict`);
    expect(body).toEqual({ model: 'mistral-medium-3', messages: hello, random_seed: 4 });
  });

  it.each([
    ['gemini-3-flash', ['gemini']],
    ['claude-opus-4-6', ['anthropic-messages']],
    ['deepseek-ai/deepseek-v3', ['openai-chat']],
    ['gemini-embedding-001', []],
  ])('speaks to %s in %j', (model, protocols) => {
    expect(adapterOf(41).chatProtocols?.(model, channelOf(41, vertexChannel))).toEqual(protocols);
  });

  it('refuses what a model does not do, in words', () => {
    expect(() => sendGemini('claude-opus-4-6')).toThrow('Vertex AI does not offer');
    expect(() => sendClaude('gemini-3-flash')).toThrow('Vertex AI does not offer');
    expect(() => sendGemini('gemini-embedding-001')).toThrow('Vertex AI does not offer');
  });

  it('has pictures fetched, but not what Google reads by itself', () => {
    const fetched = (url: string) => adapterOf(41).inlinesMedia?.(url);
    expect(fetched('https://host.example/a.png')).toBe(true);
    expect(fetched('gs://bucket/a.png')).toBe(false);
    expect(fetched('https://www.youtube.com/watch?v=1')).toBe(false);
  });

  it('lists Google’s models', () => {
    const list = adapterOf(41).modelList?.(channelOf(41, vertexChannel));
    expect(list?.url).toBe('https://aiplatform.googleapis.com/v1beta1/publishers/google/models?pageSize=100');
    expect(list).toMatchObject({ headers: { 'x-goog-user-project': 'p1' }, credential: { kind: 'google' } });
    const names = ['publishers/google/models/gemini-3-flash', 'publishers/google/models/chirp', 5];
    expect(list?.read({ publisherModels: names.map((name) => ({ name })) })).toEqual(['gemini-3-flash']);
  });
});

describe('the region of a Vertex call', () => {
  const urlIn = (other: string, model = 'gemini-3-flash', base_url = '') =>
    sendGemini(model, { channel: { other, base_url } }).url;

  it.each([
    ['us-central1', 'https://us-central1-aiplatform.googleapis.com/v1/projects/p1/locations/us-central1/'],
    ['global', 'https://aiplatform.googleapis.com/v1/projects/p1/locations/global/'],
    ['eu', 'https://aiplatform.eu.rep.googleapis.com/v1/projects/p1/locations/eu/'],
    ['{"default":"us-central1","gemini-3-flash":"europe-west1"}', 'https://europe-west1-aiplatform.googleapis.com/'],
    ['{"default":"us-central1","gemini-2.5-pro":"europe-west1"}', 'https://us-central1-aiplatform.googleapis.com/'],
  ])('%s leads to %s', (other, start) => {
    expect(urlIn(other)).toContain(start);
  });

  it('goes by the name the client used, then by the mapped one', () => {
    const other = '{"default":"us-central1","mine":"asia-east1","gemini-3-flash":"europe-west1"}';
    const call = (name: string) => sendGemini('gemini-3-flash', { fromPath: { model: name }, channel: { other } }).url;
    expect(call('mine')).toContain('/locations/asia-east1/');
    expect(call('another')).toContain('/locations/europe-west1/');
  });

  it.each(['', '{}', '{"default":5}', 'evil.example/', 'us-central1/../x', '{"default":"a.b"}'])(
    'is asked for when the channel has %j',
    (other) => {
      expect(() => urlIn(other)).toThrow('The field other of this channel is required. Set it first.');
    },
  );

  it('keeps its place in the address at a host of the operator’s own', () => {
    expect(urlIn('us-east5', 'gemini-3-flash', 'https://proxy.example/vertex/')).toContain(
      'https://proxy.example/vertex/v1/projects/p1/locations/us-east5/publishers/google/',
    );
    expect(urlIn('us-east5', 'gemini-3-flash', 'https://proxy.example/v1')).toContain(
      'https://proxy.example/v1/projects/p1/',
    );
  });
});

describe('the key of a Vertex channel', () => {
  const credentialOf = (key: string) => adapterOf(41).modelList?.(channelOf(41, { key }))?.credential;

  it('is a service account, its line breaks written out or not', () => {
    const written = account({ private_key: 'a\\nb\\n' });
    expect(credentialOf(written)).toEqual({
      kind: 'google',
      clientEmail: 'sa@p1.iam.gserviceaccount.com',
      privateKey: 'a\nb\n',
      keyId: 'k1',
      tokenUri: 'https://oauth2.googleapis.com/token',
    });
    expect(credentialOf(account({ token_uri: undefined }))).toMatchObject({
      tokenUri: 'https://oauth2.googleapis.com/token',
    });
  });

  it('may be an API key, which reaches Google’s models and no others', () => {
    const channel = { key: 'AIzaSyFixture-1', other: 'global' };
    const { url, headers } = sendGemini('gemini-3-flash', { channel });
    expect(url).toBe('https://aiplatform.googleapis.com/v1/publishers/google/models/gemini-3-flash:generateContent');
    expect(headers['x-goog-api-key']).toBe('AIzaSyFixture-1');
    expect(() => sendClaude('claude-opus-4-6', {}, { channel })).toThrow('Vertex AI does not offer');
  });

  it.each([
    'nonsense',
    '{}',
    '[]',
    account({ type: 'authorized_user' }),
    account({ private_key: '' }),
    account({ client_email: 5 }),
    account({ project_id: undefined }),
  ])('is refused when it is %s', (key) => {
    expect(() => credentialOf(key)).toThrow('key must look like');
  });
});

describe('an embedding on Vertex', () => {
  const embed = (body: Record<string, unknown>) =>
    send(
      41,
      { model: 'gemini-embedding-001', input: 'a', ...body },
      { protocol: 'openai-embedding', channel: vertexChannel },
    );

  it('is a prediction for each text', () => {
    const { url, body, readResponse } = embed({ input: ['a', 'b'], dimensions: 2 });
    expect(url).toBe(`${root}/publishers/google/models/gemini-embedding-001:predict`);
    expect(body).toEqual({ instances: [{ content: 'a' }, { content: 'b' }], parameters: { outputDimensionality: 2 } });
    const prediction = (values: number[], token_count: number) => ({
      embeddings: { values, statistics: { token_count } },
    });
    expect(readResponse?.({ predictions: [prediction([1, 2], 3), prediction([3, 4], 4)] })).toMatchObject({
      object: 'list',
      data: [
        { index: 0, embedding: [1, 2] },
        { index: 1, embedding: [3, 4] },
      ],
      usage: { prompt_tokens: 7, total_tokens: 7 },
    });
  });

  it('leaves counting to us where Google does not count', () => {
    const response = embed({}).readResponse?.({ predictions: [{ embeddings: { values: [1] } }] });
    expect(response).not.toHaveProperty('usage');
  });

  it('comes packed when it was asked for packed', () => {
    const response = embed({ encoding_format: 'base64' }).readResponse?.({
      predictions: [{ embeddings: { values: [1] } }],
    });
    expect(response).toMatchObject({ data: [{ embedding: 'AACAPw==' }] });
  });

  it('of a newer model takes one text at a time', () => {
    const { url, body, readResponse } = embed({ model: 'gemini-embedding-2', dimensions: 8 });
    expect(url).toBe(`${root}/publishers/google/models/gemini-embedding-2:embedContent`);
    expect(body).toEqual({ content: { parts: [{ text: 'a' }] }, outputDimensionality: 8 });
    const response = { embedding: { values: [1] }, usageMetadata: { promptTokenCount: 2 } };
    expect(readResponse?.(response)).toMatchObject({ data: [{ embedding: [1] }], usage: { prompt_tokens: 2 } });
    expect(() => embed({ model: 'gemini-embedding-2', input: ['a', 'b'] })).toThrow('does not offer input[1]');
  });

  it('is refused for token ids, and for a response without vectors', () => {
    expect(() => embed({ input: [[1, 2]] })).toThrow('Vertex AI does not offer');
    for (const response of [{}, { predictions: [] }, { predictions: [{}] }, 'x', null]) {
      expect(() => embed({}).readResponse?.(response)).toThrow('not contain an embedding');
    }
  });
});

describe('a picture on Vertex', () => {
  it('is drawn by the models of Google', () => {
    const draw = (model: string) =>
      send(41, { model, prompt: 'a cat' }, { protocol: 'openai-image', channel: vertexChannel });
    expect(draw('gemini-2.5-flash-image').url).toMatch(/gemini-2\.5-flash-image:generateContent$/);
    expect(draw('imagen-3.0-generate-002').url).toMatch(/imagen-3\.0-generate-002:predict$/);
    expect(() => draw('claude-opus-4-6')).toThrow('Vertex AI does not offer');
  });
});

describe('a refusal of Vertex', () => {
  const google = (code: number, status: string, reason = '', message = 'x') => ({
    error: { code, message, status, details: reason ? [{ '@type': 'ErrorInfo', reason }] : [] },
  });
  const read = (body: { error: { code: number } }) => adapterOf(41).readError(body.error.code, body, {});

  it.each([
    [google(401, 'UNAUTHENTICATED'), 'dead'],
    [google(403, 'PERMISSION_DENIED', 'SERVICE_DISABLED'), 'dead'],
    [google(403, 'PERMISSION_DENIED', 'CONSUMER_INVALID'), 'dead'],
    [google(403, 'PERMISSION_DENIED', 'BILLING_DISABLED'), 'balance'],
    [google(403, 'PERMISSION_DENIED', 'IAM_PERMISSION_DENIED', 'Permission denied on resource'), 'retry'],
    [google(404, 'NOT_FOUND', '', 'Publisher Model was not found'), 'retry'],
    [google(429, 'RESOURCE_EXHAUSTED', '', 'You exceeded your current quota'), 'retry'],
    [google(400, 'FAILED_PRECONDITION'), 'retry'],
    [google(400, 'INVALID_ARGUMENT', 'API_KEY_INVALID'), 'dead'],
    [google(400, 'INVALID_ARGUMENT'), 'client'],
    [google(503, 'UNAVAILABLE'), 'retry'],
  ])('%j is %s (R: only a dead key disables a channel)', (body, kind) => {
    expect(read(body).kind).toBe(kind);
  });

  it('is Anthropic’s where Claude refused, also inside Google’s envelope', () => {
    const own = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    expect(adapterOf(41).readError(529, own, {})).toMatchObject({ kind: 'retry', message: 'Overloaded' });
    const wrapped = google(
      400,
      'INVALID_ARGUMENT',
      '',
      JSON.stringify({
        type: 'error',
        error: { type: 'invalid_request_error', message: 'prompt is too long: 9 tokens > 8 maximum' },
      }),
    );
    expect(read(wrapped)).toMatchObject({ kind: 'contextLength', message: 'prompt is too long: 9 tokens > 8 maximum' });
    expect(read(google(400, 'INVALID_ARGUMENT', '', '{broken'))).toMatchObject({ kind: 'client', message: '{broken' });
  });

  it('waits as long as Google asks', () => {
    const body = { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'x', details: [{ retryDelay: '12s' }] } };
    expect(read(body).retryAfterSeconds).toBe(12);
  });

  it('with HTTP 200 is seen anyway', () => {
    const hidden = adapterOf(41).hiddenErrorStatus;
    expect(hidden([google(429, 'RESOURCE_EXHAUSTED')])).toBe(429);
    expect(hidden({ type: 'error', error: { type: 'overloaded_error' } })).toBe(529);
    expect(hidden({ candidates: [] })).toBeUndefined();
    expect(hidden({ type: 'message', content: [] })).toBeUndefined();
  });
});
