import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { json } from '../../../support/upstream-script.ts';
import { expectCharged } from '../relay-checks.ts';
import { chatResponse, done, says, stops, streamOf, uses } from '../responses.ts';

const user = { role: 'user', content: 'Hi' };

/** A message with 1,000 tokens kept for an hour and two searches: (20 + 400 x 0.1 + 1000 x 2 + 30 x 5) x 1.5 + 2 x 5,000. */
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-6',
  stop_reason: 'end_turn',
  content: [{ type: 'text', text: 'Hello world' }],
  usage: {
    input_tokens: 20,
    cache_creation_input_tokens: 1000,
    cache_read_input_tokens: 400,
    output_tokens: 30,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 1000 },
    server_tool_use: { web_search_requests: 2, web_fetch_requests: 1 },
  },
};
const claudeCharge = 13_315;

describe('a call with a price of its own (M7)', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
    await gateway.addChannel({ name: 'openai', models: 'gpt-5.4' });
    await gateway.addChannel({ name: 'google', type: 24, models: 'gemini-3-pro-preview' });
    await gateway.addChannel({ name: 'anthropic', type: 14, models: 'claude-sonnet-4-6' });
  });
  afterEach(() => gateway.upstream.reset());
  afterAll(() => gateway.stop());

  const chat = (model: string, more: object = {}) => gateway.chat({ model, messages: [user], ...more });

  it('pays the tier that served it, plain and streamed, not the one that was asked for', async () => {
    const usage = { prompt_tokens: 1000, completion_tokens: 200, total_tokens: 1200 };
    // A tier without a public price costs what the operator says.
    await gateway.setOption('ServiceTierRatio', '{"ultrafast:gpt-5*":4}');
    // (1000 + 200 x 6) x 1.25 = 2750
    for (const [tier, quota] of [
      ['flex', 1375],
      ['priority', 5500],
      ['ultrafast', 11_000],
      ['default', 2750],
    ] as const) {
      gateway.upstream.respond(json(200, { ...chatResponse(usage), service_tier: tier }));
      await (await chat('gpt-5.4', { service_tier: 'flex' })).text();
      const row = await expectCharged(gateway, { prompt: 1000, completion: 200 });
      expect([row.quota, row.other.service_tier]).toEqual([quota, tier === 'default' ? undefined : tier]);
    }
    gateway.upstream.respond(streamOf([says('Hello'), stops, { ...uses(1000, 200), service_tier: 'flex' }, done]));
    await (await chat('gpt-5.4', { stream: true })).text();
    expect((await expectCharged(gateway)).quota).toBe(1375);
  });

  it('is not begun when its price could not be booked, whatever the estimate says', async () => {
    // Each of them is allowed, and an estimate has neither of them.
    await gateway.setOption('CacheRatio', '{"gpt-5.4":1000000}');
    await gateway.setOption('ServiceTierRatio', '{"ultrafast:gpt-5*":1000000}');
    gateway.upstream.reset();
    const response = await chat('gpt-5.4');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'model_price_error', param: 'model' } });
    expect(gateway.upstream.requests).toEqual([]);
    await gateway.setOption('CacheRatio', '{}');
    expect((await chat('gpt-5.4')).status).toBe(200);
    await gateway.setOption('ServiceTierRatio', '{}');
  });

  it('pays a long prompt at the higher price of the list', async () => {
    const usage = { prompt_tokens: 272_000, completion_tokens: 100, total_tokens: 272_100 };
    gateway.upstream.respond(json(200, chatResponse(usage)));
    await (await chat('gpt-5.4')).text();
    const row = await expectCharged(gateway, { prompt: 272_000 });
    // 272000 x 1.25 x 2 + 100 x 1.25 x 6 x 1.5
    expect(row.quota).toBe(681_125);
    expect(row.other.long_prompt).toEqual({ above: 271_999, prompt: 2, cached: 2, completion: 1.5 });
  });

  it('pays hour-long caches and searches of Claude the same through every client protocol', async () => {
    const calls = [
      ['/v1/messages', { model: 'claude-sonnet-4-6', max_tokens: 100, messages: [user] }],
      ['/v1/chat/completions', { model: 'claude-sonnet-4-6', messages: [user] }],
      ['/v1/responses', { model: 'claude-sonnet-4-6', input: 'Hi' }],
      ['/v1beta/models/claude-sonnet-4-6:generateContent', { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }],
    ] as const;
    for (const [path, body] of calls) {
      gateway.upstream.respond(json(200, message));
      const response = await gateway.call(path, body);
      const text = await response.text();
      expect(response.status, text).toBe(200);
      const row = await expectCharged(gateway, { prompt: 1420, cacheWrite: 1000, cacheWriteHour: 1000 });
      expect([path, row.quota]).toEqual([path, claudeCharge]);
      expect(row.other).toMatchObject({
        cache_creation_tokens_1h: 1000,
        cache_creation_ratio_1h: 2,
        web_search: true,
        web_search_call_count: 2,
        web_search_price: 10,
      });
    }
  });

  it('pays the searches of a response that pictures make longer than what is read of others', async () => {
    const picture = { inlineData: { mimeType: 'image/png', data: 'A'.repeat(1_500_000) } };
    const grounding = { webSearchQueries: ['a', 'b'], groundingChunks: [{ web: { uri: 'https://example.com' } }] };
    const body = {
      candidates: [
        { index: 0, groundingMetadata: grounding, content: { role: 'model', parts: [picture] }, finishReason: 'STOP' },
      ],
      usageMetadata: { promptTokenCount: 1000, candidatesTokenCount: 100, totalTokenCount: 1100 },
      modelVersion: 'gemini-3-pro-preview',
    };
    gateway.upstream.respond(json(200, body));
    const response = await gateway.call('/v1beta/models/gemini-3-pro-preview:generateContent', {
      contents: [{ role: 'user', parts: [{ text: 'Draw the weather' }] }],
      tools: [{ googleSearch: {} }],
    });
    expect((await response.text()).length).toBeGreaterThan(1_500_000);
    const row = await expectCharged(gateway, { prompt: 1000, serverTools: { google_search: 2 } });
    // 1000 + 100 x 6, and 14 dollars per thousand queries
    expect(row.quota).toBe(1600 + 14_000);
  });

  it.each([
    ['its own', { input: 'Draw', tools: [{ type: 'image_generation' }] }],
    [
      'an item of its input',
      {
        input: [
          { type: 'additional_tools', role: 'developer', tools: [{ type: 'image_generation' }] },
          { role: 'user', content: 'Draw' },
        ],
      },
    ],
  ])('pays for a picture that makes a response long, drawn by a tool of %s', async (_case, call) => {
    const picture = { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'A'.repeat(1_500_000) };
    const usage = { input_tokens: 1000, output_tokens: 100, total_tokens: 1100 };
    const identity = { id: 'resp_1', object: 'response', status: 'completed', model: 'gpt-5.4' };
    gateway.upstream.respond(json(200, { ...identity, output: [picture], usage }));
    const response = await gateway.call('/v1/responses', { model: 'gpt-5.4', ...call });
    expect((await response.text()).length).toBeGreaterThan(1_500_000);
    await expectCharged(gateway, { prompt: 1000, serverTools: { image_medium: 1 } });
  });

  it('pays what the operator says', async () => {
    await gateway.setOption('ToolPrice', '{"web_search:claude-*":1}');
    await gateway.setOption('CreateCacheHourRatio', '{"claude-sonnet-4-6":3}');
    await gateway.setOption('ServiceTierRatio', '{"flex":0.8}');
    await gateway.setOption('LongPromptRatio', '{"gpt-5.4":{"above":1000,"prompt":1.5,"completion":1}}');
    gateway.upstream.respond(json(200, message));
    await (await chat('claude-sonnet-4-6')).text();
    // (20 + 40 + 3000 + 150) x 1.5 + 2 x 500
    expect((await expectCharged(gateway)).quota).toBe(5815);
    const usage = { prompt_tokens: 1001, completion_tokens: 10, total_tokens: 1011 };
    gateway.upstream.respond(json(200, { ...chatResponse(usage), service_tier: 'flex' }));
    await (await chat('gpt-5.4')).text();
    // (1001 x 1.5 + 10 x 6) x 1.25 x 0.8 = 1561.5
    expect((await expectCharged(gateway)).quota).toBe(1562);
  });

  it.each([
    ['LongPromptRatio', '{"m":{"above":0,"prompt":2,"completion":1}}'],
    ['LongPromptRatio', '{"m":{"above":1000,"prompt":-2,"completion":1}}'],
    ['LongPromptRatio', '{"m":{"above":1000,"prompt":2}}'],
    ['LongPromptRatio', '{"m":{"above":1000,"prompt":2,"completion":1,"other":1}}'],
    ['LongPromptRatio', '{"m":2}'],
    ['ToolPrice', '{"web_search":"1"}'],
    ['ToolPrice', '{"web-search":1}'],
    ['ToolPrice', '{"web_search:":1}'],
    ['ServiceTierRatio', '{"flex":-1}'],
    ['ServiceTierRatio', '{"cheap:gpt-5":1}'],
  ])('is refused as %s %s', async (option, value) => {
    await expect(gateway.setOption(option, value)).rejects.toThrow(option);
  });
});
