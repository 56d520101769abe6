import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { json } from '../../../support/upstream-script.ts';

let gateway: TestGateway;
let anthropic: Anthropic;
let google: GoogleGenAI;

beforeAll(async () => {
  gateway = await startGateway('sqlite');
  const claude = { type: 14, key: 'claude-key', models: 'claude-a,claude-mapped' };
  await gateway.addChannel({ ...claude, name: 'first', priority: 10 });
  await gateway.addChannel({ ...claude, name: 'second', model_mapping: '{"claude-mapped":"claude-b"}' });
  await gateway.addChannel({ type: 24, key: 'google-key', name: 'google', models: 'gemini-a' });
  await gateway.setOption('RetryTimes', '2');
  anthropic = clientOf(gateway.key);
  google = new GoogleGenAI({ apiKey: gateway.key, httpOptions: { baseUrl: gateway.url } });
});
afterEach(async () => {
  gateway.upstream.reset();
  expect(await gateway.logs(), 'a count is never charged').toEqual([]);
  await gateway.verifyBooks();
});
afterAll(() => gateway.stop());

const clientOf = (apiKey: string) => new Anthropic({ apiKey, baseURL: gateway.url, maxRetries: 0 });
const hello = [{ role: 'user' as const, content: 'What is the weather like in Oslo today?' }];
const overloaded = json(529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });

describe('a count of tokens in Anthropic’s protocol', () => {
  it('is the upstream’s, asked as the client asked', async () => {
    gateway.upstream.respond(json(200, { input_tokens: 14, context_management: { original_input_tokens: 20 } }));
    const counted = await anthropic.beta.messages.countTokens({
      model: 'claude-a',
      messages: hello,
      system: 'Be short.',
      betas: ['context-management-2025-06-27'],
      tools: [{ name: 'weather', input_schema: { type: 'object' } }],
    });
    expect(counted).toMatchObject({ input_tokens: 14, context_management: { original_input_tokens: 20 } });
    const [sent] = gateway.upstream.requests;
    expect(sent).toMatchObject({ method: 'POST', path: expect.stringMatching(/^\/v1\/messages\/count_tokens/) });
    expect(sent?.headers).toMatchObject({ 'x-api-key': 'claude-key' });
    expect(sent?.headers['anthropic-beta']).toContain('context-management-2025-06-27');
    expect(sent?.json).toMatchObject({ model: 'claude-a', system: 'Be short.', messages: hello });
    expect(sent?.json).not.toHaveProperty('max_tokens');
  });

  it('is asked of the next channel when one fails, under the name that one uses', async () => {
    gateway.upstream.respond(overloaded, overloaded, json(200, { input_tokens: 15 }));
    const counted = await anthropic.messages.countTokens({ model: 'claude-mapped', messages: hello });
    expect(counted.input_tokens).toBe(15);
    expect(gateway.upstream.requests.map(({ json: body }) => (body as { model: string }).model)).toEqual([
      'claude-mapped',
      'claude-mapped',
      'claude-b',
    ]);
  });

  it.each([
    ['fails', overloaded],
    ['does not know the call', json(404, { error: { message: 'not found' } })],
    ['says no number', json(200, { tokens: 'many' })],
    ['is not an API', { status: 200, body: Buffer.from('<html>') }],
  ])('is our own when every channel %s', async (_what, script) => {
    gateway.upstream.always(script);
    const { input_tokens } = await anthropic.messages.countTokens({ model: 'claude-a', messages: hello });
    expect(input_tokens).toBeGreaterThan(10);
    expect(input_tokens).toBeLessThan(20);
  });

  it('is our own for a model whose channel speaks another protocol, without a request', async () => {
    const { input_tokens } = await anthropic.messages.countTokens({
      model: 'gpt-4o-mini',
      messages: hello,
      system: 'Be short.',
      tools: [{ name: 'weather', description: 'Tells the weather', input_schema: { type: 'object' } }],
    });
    expect(input_tokens).toBeGreaterThan(30);
    expect(input_tokens).toBeLessThan(60);
    expect(gateway.upstream.requests).toEqual([]);
  });

  it('is refused in the upstream’s words when the prompt is wrong', async () => {
    const error = { type: 'invalid_request_error', message: 'messages.0: unexpected block' };
    gateway.upstream.respond(json(400, { type: 'error', error }));
    const counting = anthropic.messages.countTokens({ model: 'claude-a', messages: hello });
    await expect(counting).rejects.toBeInstanceOf(Anthropic.BadRequestError);
    await expect(counting).rejects.toMatchObject({ message: expect.stringContaining('unexpected block') });
    expect(gateway.upstream.requests).toHaveLength(1);
  });

  it('costs nothing, and needs no balance', async () => {
    const userId = await gateway.addUser('poor', 0);
    const poor = clientOf(await gateway.addToken(userId));
    expect((await poor.messages.countTokens({ model: 'gpt-4o-mini', messages: hello })).input_tokens).toBeGreaterThan(
      0,
    );
    expect(await gateway.quotaOf(userId)).toBe(0);
  });

  it('has the rights and limits of any call', async () => {
    const count = (client: Anthropic, model = 'gpt-4o-mini') => client.messages.countTokens({ model, messages: hello });
    await expect(count(anthropic, 'nothing')).rejects.toBeInstanceOf(Anthropic.NotFoundError);
    await expect(count(clientOf('sk-nobody'))).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
    const limits = { model_limits_enabled: true, model_limits: 'claude-a' };
    const limited = clientOf(await gateway.addToken(gateway.userId, limits));
    await expect(count(limited)).rejects.toBeInstanceOf(Anthropic.PermissionDeniedError);
    await gateway.setOption('TokenRequestRateLimitCount', '1');
    const busy = clientOf(await gateway.addToken(gateway.userId));
    await count(busy);
    const second = count(busy);
    await expect(second).rejects.toBeInstanceOf(Anthropic.RateLimitError);
    await expect(second).rejects.toMatchObject({ headers: expect.anything() });
    await gateway.setOption('TokenRequestRateLimitCount', '0');
  });

  it.each([
    [{}, 'model'],
    [{ model: 'gpt-4o-mini' }, 'messages'],
    [{ model: 'gpt-4o-mini', messages: [] }, 'messages'],
    [{ model: 'gpt-4o-mini', messages: [{ role: 'robot', content: 'x' }] }, 'role'],
    ['{"model":', 'JSON'],
  ])('names what is wrong with a body (%#)', async (body, says) => {
    const response = await gateway.call('/v1/messages/count_tokens', body);
    expect(response.status).toBe(400);
    const error = (await response.json()) as { type: string; error: { type: string; message: string } };
    expect(error).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
    expect(error.error.message).toContain(says);
    expect(gateway.upstream.requests).toEqual([]);
  });
});

describe('a count of tokens in Google’s protocol', () => {
  const contents = [{ role: 'user', parts: [{ text: 'What is the weather like in Oslo today?' }] }];

  it('is the upstream’s', async () => {
    gateway.upstream.respond(json(200, { totalTokens: 9, cachedContentTokenCount: 2 }));
    expect(await google.models.countTokens({ model: 'gemini-a', contents })).toMatchObject({ totalTokens: 9 });
    const [sent] = gateway.upstream.requests;
    expect(sent?.path).toBe('/v1beta/models/gemini-a:countTokens');
    expect(sent?.headers['x-goog-api-key']).toBe('google-key');
    expect(sent?.json).toEqual({ contents });
  });

  it('may be of a whole call', async () => {
    gateway.upstream.respond(json(200, { totalTokens: 12 }));
    const generateContentRequest = { model: 'models/gemini-a', contents };
    const native = await gateway.call('/v1beta/models/gemini-a:countTokens', { generateContentRequest });
    expect(await native.json()).toMatchObject({ totalTokens: 12 });
    expect(gateway.upstream.requests[0]?.json).toEqual({ generateContentRequest });
    const counted = await gateway.call('/v1beta/models/gpt-4o-mini:countTokens', { generateContentRequest });
    const { totalTokens } = (await counted.json()) as { totalTokens: number };
    expect(totalTokens).toBeGreaterThan(10);
    expect(totalTokens).toBeLessThan(20);
  });

  it('is our own where no channel counts', async () => {
    const { totalTokens } = await google.models.countTokens({ model: 'gpt-4o-mini', contents });
    expect(totalTokens).toBeGreaterThan(10);
    expect(totalTokens).toBeLessThan(20);
    expect(gateway.upstream.requests).toEqual([]);
  });

  it('raises the SDK’s own error', async () => {
    await expect(google.models.countTokens({ model: 'nothing', contents })).rejects.toMatchObject({
      name: 'ApiError',
      status: 404,
    });
    const response = await gateway.call('/v1beta/models/gpt-4o-mini:countTokens', { contents: [] });
    expect(await response.json()).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } });
  });
});
