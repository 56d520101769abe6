import { describe, expect, it } from 'vitest';
import { defaultModelSettings } from '../../../../core/providers/model-setting.ts';
import { adapterOf, type CallOptions, channelOf, send } from '../call.ts';

const root = 'https://generativelanguage.googleapis.com';
const body = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] };
const settings = (changes: Partial<typeof defaultModelSettings>) => ({ ...defaultModelSettings, ...changes });

function gemini(options: CallOptions & { stream?: boolean } = {}, sent: Record<string, unknown> = body) {
  const { stream, model = 'gemini-2.5-flash', ...rest } = options;
  return send(24, sent, { protocol: 'gemini', fromPath: { model, ...(stream && { stream }) }, ...rest });
}

describe('a Gemini channel', () => {
  it('calls generateContent, and streams as server-sent events', () => {
    const base = `${root}/v1beta/models/gemini-2.5-flash`;
    expect(gemini().url).toBe(`${base}:generateContent`);
    expect(gemini({ stream: true }).url).toBe(`${base}:streamGenerateContent?alt=sse`);
    expect(gemini({ path: 'countTokens' }).url).toBe(`${base}:countTokens`);
  });

  it('passes the body through as it is', () => {
    expect(gemini().edits).toEqual([]);
    expect(gemini().body).toEqual(body);
  });

  it('S: sends its key in a header, never in the address', () => {
    const { url, headers } = gemini({ query: 'key=sk-of-a-client' });
    expect(headers).toEqual({ 'x-goog-api-key': 'k1', 'content-type': 'application/json' });
    expect(url).not.toContain('key');
  });

  it.each([
    [{}, 'gemini-2.5-flash', `${root}/v1beta/models/gemini-2.5-flash`],
    [{ other: 'v1alpha' }, 'gemini-2.5-flash', `${root}/v1alpha/models/gemini-2.5-flash`],
    [{}, 'gemini-1.0-pro', `${root}/v1/models/gemini-1.0-pro`],
    [{ other: 'v1beta' }, 'gemini-1.0-pro', `${root}/v1beta/models/gemini-1.0-pro`],
    [{ base_url: 'https://h.example/' }, 'models/gemini-3-pro', 'https://h.example/v1beta/models/gemini-3-pro'],
    [{ base_url: 'https://h.example/g/v1' }, 'gemini-3-pro', 'https://h.example/g/v1/models/gemini-3-pro'],
    [{}, 'tunedModels/mine', `${root}/v1beta/tunedModels/mine`],
    [{}, 'a/../b?c', `${root}/v1beta/models/a%2F..%2Fb%3Fc`],
  ])('%j %s: %s', (channel, model, url) => {
    expect(gemini({ channel, model }).url).toBe(`${url}:generateContent`);
  });

  it('takes the version an operator set for the model', () => {
    const changed = settings({ 'gemini.version_settings': { default: 'v1', 'gemini-3-pro': 'v1alpha' } });
    expect(gemini({ settings: changed }).url).toContain('/v1/models/');
    expect(gemini({ settings: changed, model: 'gemini-3-pro' }).url).toContain('/v1alpha/models/');
  });

  it('has converted calls judged by the thresholds an operator set', () => {
    const safety = (model: string, changes?: Record<string, string>) =>
      adapterOf(24).writeContext?.(
        model,
        channelOf(24),
        changes ? settings({ 'gemini.safety_settings': changes }) : undefined,
      )?.safety;
    expect(safety('gemini-2.5-flash')).toEqual({
      HARM_CATEGORY_HARASSMENT: 'OFF',
      HARM_CATEGORY_HATE_SPEECH: 'OFF',
      HARM_CATEGORY_SEXUALLY_EXPLICIT: 'OFF',
      HARM_CATEGORY_DANGEROUS_CONTENT: 'OFF',
      HARM_CATEGORY_CIVIC_INTEGRITY: 'BLOCK_NONE',
    });
    expect(safety('models/gemini-2.0-flash-exp')).toMatchObject({ HARM_CATEGORY_HARASSMENT: 'BLOCK_NONE' });
    const own = safety('gemini-3-pro', {
      default: 'BLOCK_ONLY_HIGH',
      HARM_CATEGORY_HATE_SPEECH: '',
      HARM_CATEGORY_JAILBREAK: 'OFF',
    });
    expect(own).toMatchObject({ HARM_CATEGORY_HARASSMENT: 'BLOCK_ONLY_HIGH', HARM_CATEGORY_JAILBREAK: 'OFF' });
    expect(own).not.toHaveProperty('HARM_CATEGORY_HATE_SPEECH');
  });

  it.each([
    ['https://pictures.example/a.png', true],
    ['http://pictures.example/a.png', true],
    ['HTTPS://pictures.example/a.png', true],
    ['https://www.youtube.com/watch?v=1', false],
    ['https://youtu.be/1', false],
    ['https://generativelanguage.googleapis.com/v1beta/files/abc', false],
    ['https://generativelanguage.googleapis.com.evil.example/a', true],
    ['gs://bucket/a.png', false],
    ['data:image/png;base64,AA==', false],
  ])('%s has to be fetched for it: %s', (url, isFetched) => {
    expect(adapterOf(24).inlinesMedia?.(url)).toBe(isFetched);
  });

  it('reads its models without their folder', () => {
    const list = adapterOf(24).modelList?.(channelOf(24));
    expect(list).toMatchObject({
      url: `${root}/v1beta/models?pageSize=1000`,
      headers: { 'x-goog-api-key': 'k1' },
    });
    expect(list?.read({ models: [{ name: 'models/gemini-b' }, { name: 'models/gemini-a' }] })).toEqual([
      'gemini-a',
      'gemini-b',
    ]);
    expect(adapterOf(24).balance).toBeUndefined();
  });

  it('offers speech by the models that speak, and no other', () => {
    const speak = (model: string) => send(24, { model, input: 'a', voice: 'x' }, { protocol: 'openai-speech' });
    expect(speak('models/gemini-3.1-flash-tts-preview').url).toContain('gemini-3.1-flash-tts-preview:generateContent');
    expect(() => speak('gemini-3-flash')).toThrow(/does not offer .v1.audio.speech/);
  });
});

describe('an embedding by Gemini', () => {
  const embed = (changes: Record<string, unknown>) =>
    send(24, { model: 'gemini-embedding-001', input: 'a', ...changes }, { protocol: 'openai-embedding' });
  const response = { embeddings: [{ values: [0.5, -1] }, { values: [2, 3] }] };

  it('asks for all texts at once', () => {
    const { url, body: sent } = embed({ input: ['a', 'b'], dimensions: 2, user: 'u' });
    expect(url).toBe(`${root}/v1beta/models/gemini-embedding-001:batchEmbedContents`);
    const request = (text: string) => ({
      model: 'models/gemini-embedding-001',
      content: { parts: [{ text }] },
      outputDimensionality: 2,
    });
    expect(sent).toEqual({ requests: [request('a'), request('b')] });
    expect(embed({}).body).toMatchObject({ requests: [{ content: { parts: [{ text: 'a' }] } }] });
  });

  it('gets a response as from OpenAI, in base64 where the client asks for that', () => {
    expect(embed({ input: ['a', 'b'] }).readResponse?.(response)).toEqual({
      object: 'list',
      data: [
        { object: 'embedding', index: 0, embedding: [0.5, -1] },
        { object: 'embedding', index: 1, embedding: [2, 3] },
      ],
      model: 'gemini-embedding-001',
    });
    const packed = embed({ input: ['a', 'b'], encoding_format: 'base64' }).readResponse?.(response);
    expect(packed).toMatchObject({ data: [{ embedding: 'AAAAPwAAgL8=' }, { embedding: 'AAAAQAAAQEA=' }] });
  });

  it('M: leaves the counting to the relay unless Google counted', () => {
    expect(embed({ input: ['a', 'b'] }).readResponse?.(response)).not.toHaveProperty('usage');
    const counted = { ...response, usageMetadata: { promptTokenCount: 7 } };
    expect(embed({ input: ['a', 'b'] }).readResponse?.(counted)).toMatchObject({
      usage: { prompt_tokens: 7, total_tokens: 7 },
    });
  });

  it('refuses token ids, and takes no response that lacks a text', () => {
    expect(() => embed({ input: [1, 2] })).toThrow(/token ids/);
    expect(() => embed({ input: ['a', 'b', 'c'] }).readResponse?.(response)).toThrow(/every input/);
    expect(() => embed({}).readResponse?.({ embeddings: [{ values: ['x'] }] })).toThrow(/every input/);
  });

  it('of a Google client passes through, under the mapped name', () => {
    const request = { model: 'models/gemini-embedding-001', content: { parts: [{ text: 'a' }] } };
    const native = (sent: Record<string, unknown>, model = 'gemini-embedding-001') =>
      send(24, sent, {
        protocol: 'gemini-embedding',
        fromPath: { model },
        model,
        path: 'batchEmbedContents',
      });
    expect(native({ content: request.content, requests: [request] }).edits).toEqual([]);
    const mapped = native({ content: request.content, requests: [request] }, 'gemini-embedding-2');
    expect(mapped.url).toBe(`${root}/v1beta/models/gemini-embedding-2:batchEmbedContents`);
    expect(mapped.body.requests).toEqual([{ ...request, model: 'models/gemini-embedding-2' }]);
  });
});

describe('a picture drawn by Gemini', () => {
  const draw = (changes: Record<string, unknown> = {}, options: CallOptions = {}) =>
    send(
      24,
      { model: 'gemini-2.5-flash-image', prompt: 'a cat', ...changes },
      { protocol: 'openai-image', ...options },
    );
  const picture = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };

  it('is asked for as a response with pictures', () => {
    const { url, body: sent } = draw({ size: '1536x1024' });
    expect(url).toBe(`${root}/v1beta/models/gemini-2.5-flash-image:generateContent`);
    expect(sent).toMatchObject({
      contents: [{ role: 'user', parts: [{ text: 'a cat' }] }],
      generationConfig: { responseModalities: ['TEXT', 'IMAGE'], imageConfig: { aspectRatio: '3:2' } },
    });
    expect(sent.safetySettings).toContainEqual({ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' });
    expect(draw().body.generationConfig).toEqual({ responseModalities: ['TEXT', 'IMAGE'] });
  });

  it.each([
    ['gemini-2.5-flash-image', '1024x1024', { aspectRatio: '1:1' }],
    ['gemini-2.5-flash-image', '4096x4096', { aspectRatio: '1:1' }],
    ['gemini-3-pro-image', '1024x1792', { aspectRatio: '9:16' }],
    ['gemini-3-pro-image', '2048x2048', { aspectRatio: '1:1', imageSize: '2K' }],
    ['gemini-3-pro-image', '4096x1756', { aspectRatio: '21:9', imageSize: '4K' }],
    ['gemini-3-pro-image', '16:9', { aspectRatio: '16:9' }],
    ['gemini-3-pro-image', 'auto', undefined],
  ])('%s has for %s %j', (model, size, imageConfig) => {
    expect((draw({ model, size }).body.generationConfig as Record<string, unknown>).imageConfig).toEqual(imageConfig);
  });

  it('comes back as OpenAI’s, with the tokens it took', () => {
    const response = {
      candidates: [{ content: { parts: [{ text: 'Here.' }, picture] }, finishReason: 'STOP' }],
      usageMetadata: {
        promptTokenCount: 5,
        candidatesTokenCount: 1300,
        totalTokenCount: 1305,
        candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1290 }],
      },
    };
    const now = 1_767_322_800_000;
    expect(draw({}, { now }).readResponse?.(response)).toEqual({
      created: 1_767_322_800,
      data: [{ b64_json: 'AAAA' }],
      usage: {
        input_tokens: 5,
        input_tokens_details: { text_tokens: 5, image_tokens: 0 },
        output_tokens: 1300,
        output_tokens_details: { text_tokens: 10, image_tokens: 1290 },
        total_tokens: 1305,
      },
    });
    expect(draw({ response_format: 'url' }).readResponse?.(response)).toMatchObject({
      data: [{ url: 'data:image/png;base64,AAAA' }],
    });
  });

  it.each([
    [{ promptFeedback: { blockReason: 'SAFETY' } }, /SAFETY/],
    [{ candidates: [{ finishReason: 'IMAGE_SAFETY', content: {} }] }, /IMAGE_SAFETY/],
    [
      { candidates: [{ finishReason: 'STOP', content: { parts: [{ text: 'I cannot draw that.' }] } }] },
      /cannot draw that/,
    ],
    [{}, /No image/],
  ])('is a refusal of the prompt when there is none: %j', (response, message) => {
    expect(() => draw().readResponse?.(response)).toThrow(message);
    expect(() => draw().readResponse?.(response)).toThrow(expect.objectContaining({ status: 400, kind: 'policy' }));
  });

  it('is one at a time, whole and opaque', () => {
    expect(() => draw({ n: 2 })).toThrow(/does not offer n/);
    expect(() => draw({ stream: true })).toThrow(/does not offer stream/);
    expect(() => draw({ background: 'transparent' })).toThrow(/does not offer background/);
  });

  it('is asked of Imagen in Imagen’s words', () => {
    const imagen = (changes: Record<string, unknown>) => draw({ model: 'imagen-3.0-generate-002', ...changes });
    const { url, body: sent, readResponse } = imagen({ n: 3, size: '1792x1024' });
    expect(url).toBe(`${root}/v1beta/models/imagen-3.0-generate-002:predict`);
    expect(sent).toEqual({ instances: [{ prompt: 'a cat' }], parameters: { sampleCount: 3, aspectRatio: '16:9' } });
    expect(readResponse?.({ predictions: [{ bytesBase64Encoded: 'AA', mimeType: 'image/png' }, {}] })).toEqual({
      created: 0,
      data: [{ b64_json: 'AA' }],
    });
    expect(() => readResponse?.({ predictions: [{ raiFilteredReason: 'blocked words' }] })).toThrow(/blocked words/);
    expect(() => imagen({ n: 5 })).toThrow(/does not offer n/);
  });
});

describe('an error of Google', () => {
  const error = (code: number, status: string, message = 'x', details: object[] = []) => ({
    error: { code, status, message, details },
  });
  const read = (given: { error: { code: number } }) => adapterOf(24).readError(given.error.code, given, {}, { now: 0 });

  it.each([
    [error(400, 'INVALID_ARGUMENT', 'API key not valid.', [{ reason: 'API_KEY_INVALID' }]), 'dead'],
    [error(400, 'INVALID_ARGUMENT', 'Invalid JSON payload received. Unknown name "a"'), 'client'],
    [error(400, 'INVALID_ARGUMENT', 'Unknown name "API key not valid"'), 'client'],
    [
      error(400, 'INVALID_ARGUMENT', 'The input token count (9) exceeds the maximum number of tokens allowed (8).'),
      'contextLength',
    ],
    [error(400, 'FAILED_PRECONDITION', 'User location is not supported for the API use.'), 'retry'],
    [error(401, 'UNAUTHENTICATED'), 'dead'],
    [error(402, 'FAILED_PRECONDITION'), 'balance'],
    [error(403, 'PERMISSION_DENIED', 'x', [{ reason: 'SERVICE_DISABLED' }]), 'dead'],
    [error(404, 'NOT_FOUND'), 'retry'],
    [error(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota, please check your plan'), 'retry'],
    [error(499, 'CANCELLED'), 'retry'],
    [error(500, 'INTERNAL'), 'retry'],
    [error(503, 'UNAVAILABLE'), 'retry'],
    [error(504, 'DEADLINE_EXCEEDED'), 'retry'],
  ])('%j is %s', (given, kind) => {
    expect(read(given).kind).toBe(kind);
  });

  it('S: cannot be provoked by naming another user’s file, as if the key were dead', () => {
    const message = 'You do not have permission to access the File abc or it may not exist.';
    expect(read(error(403, 'PERMISSION_DENIED', message)).kind).toBe('client');
  });

  it('says how long to wait, for a quota of the day the longest', () => {
    const retryInfo = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '12s' };
    const quota = (quotaId: string) => ({ '@type': 'google.rpc.QuotaFailure', violations: [{ quotaId }] });
    expect(read(error(429, 'RESOURCE_EXHAUSTED', 'x', [quota('RequestsPerMinute'), retryInfo])).retryAfterSeconds).toBe(
      12,
    );
    expect(read(error(429, 'RESOURCE_EXHAUSTED', 'x', [quota('RequestsPerDay'), retryInfo])).retryAfterSeconds).toBe(
      3600,
    );
  });

  it('keeps its message in the list that an unframed stream responds with', () => {
    expect(adapterOf(24).readError(400, [error(400, 'INVALID_ARGUMENT', 'bad')], {})).toMatchObject({
      message: 'bad',
      kind: 'client',
    });
  });

  it.each([
    [error(503, 'UNAVAILABLE'), 503],
    [[error(429, 'RESOURCE_EXHAUSTED')], 429],
    [{ error: { status: 'PERMISSION_DENIED', message: 'x' } }, 403],
    [{ error: { message: 'x' } }, 503],
    [{ promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 3 } }, undefined],
    [{ candidates: [{ finishReason: 'SAFETY' }] }, undefined],
    [{ totalTokens: 4 }, undefined],
    [{ embeddings: [] }, undefined],
  ])('inside a response, %j stands for %s', (given, status) => {
    expect(adapterOf(24).hiddenErrorStatus(given)).toBe(status);
  });
});
