import { readdirSync, readlinkSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { version } from '../../../../core/version.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { type FakeResponse, json } from '../../../support/upstream-script.ts';
import { requestIdOf } from '../relay-checks.ts';
import { chatResponse } from '../responses.ts';

let gateway: TestGateway;
const channelKey = 'up-4kQ9zT7xLm2VbR8w';

beforeAll(async () => {
  gateway = await startGateway('sqlite');
  await gateway.addChannel({ type: 14, name: 'claude', models: 'claude-sonnet-4-5', key: channelKey });
  await gateway.addChannel({ type: 24, name: 'gemini', models: 'gemini-2.5-flash' });
  await gateway.addChannel({
    name: 'named',
    models: 'gpt-4o,tts-1,whisper-1,text-embedding-3-small',
    key: channelKey,
    setting: '{"user_agent":"curl/8.0"}',
  });
});
afterEach(() => gateway.upstream.reset());
afterAll(() => gateway.stop());

const messages = [{ role: 'user', content: 'hi' }];
const sent = () => gateway.upstream.requests.at(-1)?.json as Record<string, unknown>;
const headersSent = () => gateway.upstream.requests.at(-1)?.headers ?? {};
const usage = { input_tokens: 3, output_tokens: 0 };

describe('a document without a response in it', () => {
  it.each([
    ['a Claude client', '/v1/messages', { model: 'claude-sonnet-4-5', max_tokens: 9, messages }],
    ['a chat client of Claude', '/v1/chat/completions', { model: 'claude-sonnet-4-5', messages }],
    [
      'a streaming client of Claude',
      '/v1/messages',
      { model: 'claude-sonnet-4-5', max_tokens: 9, messages, stream: true },
    ],
    ['a chat client', '/v1/chat/completions', { model: 'gpt-4o', messages }],
    ['a Responses client', '/v1/responses', { model: 'gpt-4o', input: 'hi' }],
    ['a chat client of Gemini', '/v1/chat/completions', { model: 'gemini-2.5-flash', messages }],
    ['a client that embeds', '/v1/embeddings', { model: 'text-embedding-3-small', input: 'hi' }],
  ])('is a failure of the upstream for %s, and costs nothing', async (_who, path, body) => {
    gateway.upstream.always(json(200, { id: 'x', type: 'message', role: 'assistant', model: 'm', usage }));
    const before = await gateway.quotaOf(gateway.userId);
    const response = await gateway.call(path, body);
    expect(response.status).toBe(502);
    requestIdOf(response);
    await response.text();
    expect(await gateway.quotaOf(gateway.userId)).toBe(before);
    gateway.upstream.always(undefined);
  });

  it('is not what an empty response of Claude is', async () => {
    gateway.upstream.respond(json(200, { id: 'x', type: 'message', content: [], stop_reason: 'end_turn', usage }));
    const response = await gateway.call('/v1/messages', { model: 'claude-sonnet-4-5', max_tokens: 9, messages });
    expect(response.status).toBe(200);
  });
});

describe('a response that is not JSON', () => {
  const sound = Buffer.from([0x7b, 0x00, 0x12, 0x7b, 0x34, 0xff]);
  const pcm: FakeResponse = { status: 200, headers: { 'content-type': 'audio/pcm' }, body: sound };

  it('passes as sound, whatever its first byte is', async () => {
    gateway.upstream.always(pcm);
    const response = await gateway.call('/v1/audio/speech', {
      model: 'tts-1',
      input: 'hi',
      voice: 'a',
      response_format: 'pcm',
    });
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(sound);
    expect(gateway.upstream.requests).toHaveLength(1);
    gateway.upstream.always(undefined);
  });

  it('is still an error when an error is what it says', async () => {
    gateway.upstream.always({ ...pcm, body: Buffer.from('{"error":{"message":"no voice","code":"bad"}}') });
    const response = await gateway.call('/v1/audio/speech', { model: 'tts-1', input: 'hi', voice: 'a' });
    expect(response.status).toBeGreaterThanOrEqual(400);
    gateway.upstream.always(undefined);
  });
});

describe('a limit of 0 tokens', () => {
  it.each([
    ['/v1/chat/completions', { model: 'gpt-4o-mini', messages, max_tokens: 0 }],
    ['/v1/chat/completions', { model: 'gpt-4o-mini', messages, max_completion_tokens: 0, max_tokens: 0 }],
    ['/v1/chat/completions', { model: 'claude-sonnet-4-5', messages, max_tokens: 0 }],
    ['/v1/completions', { model: 'gpt-4o-mini', prompt: 'hi', max_tokens: 0 }],
    ['/v1/responses', { model: 'gpt-4o-mini', input: 'hi', max_output_tokens: 0 }],
  ])('counts as not given: %s %j', async (path, body) => {
    if (body.model.startsWith('claude'))
      gateway.upstream.respond(json(200, { content: [{ type: 'text', text: 'x' }], stop_reason: 'end_turn', usage }));
    if (path === '/v1/responses')
      gateway.upstream.respond(json(200, { id: 'resp_1', status: 'completed', output: [] }));
    const response = await gateway.call(path, body);
    expect(response.status, await response.text()).toBe(200);
    expect(Object.entries(sent()).filter(([name, value]) => /tokens/.test(name) && value === 0)).toEqual([]);
  });

  it('leaves the other limit in force', async () => {
    await gateway.chat({ max_tokens: 0, max_completion_tokens: 7 });
    expect(sent()).toMatchObject({ max_completion_tokens: 7 });
    expect(sent()).not.toHaveProperty('max_tokens');
  });
});

describe('what is held', () => {
  const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
  const gemini = '/v1beta/models/gemini-2.5-flash:generateContent';
  const claude = { model: 'claude-sonnet-4-5', max_tokens: 1, messages };
  let poor = '';

  beforeAll(async () => {
    poor = await gateway.addToken(await gateway.addUser('poor', 5000));
  });

  it.each([
    ['a thinking budget of Gemini', gemini, { maxOutputTokens: 1, thinkingConfig: { thinkingBudget: 1_000_000 } }],
    ['one in the other spelling', gemini, { max_output_tokens: 1, thinking_config: { thinking_budget: 1_000_000 } }],
    ['the other spelling of the bound', gemini, { max_output_tokens: 1_000_000 }],
    ['many candidates', gemini, { max_output_tokens: 20_000, candidate_count: 8 }],
  ])('covers %s', async (_what, path, generationConfig) => {
    const response = await gateway.call(path, { contents, generationConfig }, { key: poor });
    expect(response.status, await response.text()).toBe(403);
    expect(gateway.upstream.requests).toEqual([]);
  });

  it.each([
    ['a thinking budget of Claude', '/v1/messages', { ...claude, thinking: { type: 'enabled', budget_tokens: 1e6 } }],
    ['the bound that Claude is sent without the client’s', '/v1/chat/completions', { model: claude.model, messages }],
    ['the same for Responses', '/v1/responses', { model: claude.model, input: 'hi' }],
    [
      'a thinking budget of a chat call',
      '/v1/chat/completions',
      { model: 'gpt-4o', messages, max_tokens: 1, thinking_budget: 1e6 },
    ],
  ])('covers %s', async (_what, path, body) => {
    const response = await gateway.call(path, body, { key: poor });
    expect(response.status, await response.text()).toBe(403);
    expect(gateway.upstream.requests).toEqual([]);
  });

  it.each([
    ['two spellings', '{"maxOutputTokens":1,"max_output_tokens":1000000}'],
    ['two spellings of the candidates', '{"maxOutputTokens":1,"candidateCount":1,"candidate_count":100}'],
    ['a spelling of neither', '{"MaxOutputTokens":1000000}'],
    ['a key twice', '{"maxOutputTokens":1,"maxOutputTokens":1000000}'],
    ['a key twice, escaped', '{"maxOutputTokens":1,"max\\u004futputTokens":1000000}'],
    ['a budget twice', '{"thinkingConfig":{"thinkingBudget":1,"thinking_budget":1000000}}'],
  ])('is never for one of two bounds: %s', async (_what, config) => {
    const response = await gateway.call(
      gemini,
      `{"contents":${JSON.stringify(contents)},"generationConfig":${config}}`,
    );
    expect(response.status).toBe(400);
    expect(gateway.upstream.requests).toEqual([]);
  });

  it.each([
    ['the settings twice', { generationConfig: { maxOutputTokens: 1 }, generation_config: { max_output_tokens: 1e6 } }],
    [
      'the settings in capitals',
      { generationConfig: { maxOutputTokens: 1 }, GenerationConfig: { maxOutputTokens: 1e6 } },
    ],
    ['another model', { model: 'models/gemini-2.5-pro' }],
  ])('is never for one of two bodies: %s', async (_what, more) => {
    expect((await gateway.call(gemini, { contents, ...more })).status).toBe(400);
    expect(gateway.upstream.requests).toEqual([]);
  });

  it('is what is sent: the model of the body stays here, and Claude gets the bound that was held', async () => {
    gateway.upstream.respond(
      json(200, { candidates: [{ content: { parts: [{ text: 'x' }] }, finishReason: 'STOP' }] }),
    );
    await gateway.call(gemini, { contents, model: 'models/gemini-2.5-flash' });
    expect(sent()).toEqual({ contents });
    gateway.upstream.respond(json(200, { content: [], stop_reason: 'end_turn', usage }));
    await gateway.call('/v1/chat/completions', { model: claude.model, messages });
    expect(sent()).toMatchObject({ max_tokens: 8192 });
  });
});

describe('who calls', () => {
  it('is sent to the upstream, by our name or by the one the channel has', async () => {
    await gateway.chat();
    expect(headersSent()['user-agent']).toBe(`tollgate/${version}`);
    await gateway.chat({ model: 'gpt-4o' }, { headers: { 'user-agent': 'mine/1', 'openai-beta': 'x=v1' } });
    expect(headersSent()['user-agent']).toBe('curl/8.0');
    expect(headersSent()).not.toHaveProperty('openai-beta');
  });
});

describe('the path of a call', () => {
  it.each(['/v1/chat/completions/', '/v1/chat/completions/?a=1'])('may end in a slash: %s', async (path) => {
    expect((await gateway.call(path, { model: 'gpt-4o-mini', messages })).status).toBe(200);
  });

  it('brings the beta mark of a Claude client along', async () => {
    gateway.upstream.respond(json(200, { content: [], stop_reason: 'end_turn', usage }));
    await gateway.call('/v1/messages?beta=true', { model: 'claude-sonnet-4-5', max_tokens: 9, messages });
    expect(gateway.upstream.requests.at(-1)?.path).toBe('/v1/messages?beta=true');
  });
});

describe('headers of the upstream', () => {
  it('reach the client by a short list', async () => {
    const given = {
      'x-ratelimit-remaining-requests': '59',
      'x-ratelimit-account': 'operator-7',
      'x-ratelimit-limit-tokens': channelKey,
      'x-request-id': `req-${channelKey}`,
    };
    gateway.upstream.respond(
      json(200, chatResponse({ prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }), given),
    );
    const { headers } = await gateway.chat({ model: 'gpt-4o' });
    expect(headers.get('x-ratelimit-remaining-requests')).toBe('59');
    expect(JSON.stringify([...headers])).not.toContain(channelKey);
    expect(headers.has('x-ratelimit-account')).toBe(false);
  });
});

describe('a call of the playground that a limit refuses', () => {
  /** Files of request bodies that this process holds open. */
  const openBodies = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).includes('/bodies/');
      } catch {
        return false; // closed since the folder was read
      }
    });

  it.runIf(process.platform === 'linux')('leaves no file open', async () => {
    const signIn = await fetch(`${gateway.url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'alice', password: 'correct horse battery' }),
    });
    const { data } = (await signIn.json()) as { data: { id: number } };
    const cookie = signIn.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    await gateway.setOption('UserRequestRateLimitCount', '1');
    const body = {
      model: 'gpt-4o-mini',
      max_tokens: 0,
      messages: [{ role: 'user', content: 'long '.repeat(400_000) }],
    };
    const statuses = [];
    for (let call = 0; call < 4; call += 1) {
      const response = await gateway.call('/pg/chat/completions', body, {
        headers: { cookie, authorization: '', 'new-api-user': String(data.id) },
      });
      await response.text();
      statuses.push(response.status);
    }
    await gateway.setOption('UserRequestRateLimitCount', '0');
    expect(statuses).toEqual([200, 429, 429, 429]);
    expect(openBodies()).toEqual([]);
  });
});
