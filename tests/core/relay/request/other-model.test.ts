import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
  await gateway.addChannel({ type: 14, models: 'claude-haiku-4-5' });
  await gateway.addChannel({ type: 20, models: 'router' });
  await gateway.addChannel({ models: 'gpt-image-2,gpt-5.6' });
  await gateway.addChannel({ type: 24, models: 'gemini-2.5-flash-lite' });
  await gateway.setOption('SelfUseModeEnabled', 'true');
});
afterAll(() => gateway.stop());

const messages = [{ role: 'user', content: 'hi' }];
const claude = { model: 'claude-haiku-4-5', max_tokens: 5, messages };
const advisor = { type: 'advisor_20260301', name: 'advisor', model: 'claude-opus-4-8' };
const addition = { type: 'tool_addition', tool: { type: 'tool_definition', definition: advisor } };

const gemini = '/v1beta/models/gemini-2.5-flash-lite:generateContent';
const asking = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] };
const drawing = { model: 'gpt-image-2', prompt: 'A cat' };
const author = { type: 'image_generation', output_format: 'svg', svg: { model: 'gpt-5.6' } };
const routing = { manualMode: { modelName: 'gemini-3-pro-preview' } };

it.each<[string, string, object]>([
  ['messages', 'fallbacks', { ...claude, fallbacks: [{ model: 'claude-opus-4-8' }] }],
  ['messages', 'fallbacks', { ...claude, fallbacks: 'default' }],
  ['messages', 'Fallbacks', { ...claude, Fallbacks: 'default' }],
  ['messages', 'tools: advisor', { ...claude, tools: [advisor] }],
  ['messages', 'tools: advisor', { ...claude, messages: [...messages, { role: 'system', content: [addition] }] }],
  [gemini, 'generationConfig.routingConfig', { ...asking, generationConfig: { routingConfig: routing } }],
  [gemini, 'generation_config.routingConfig', { ...asking, generation_config: { routing_config: routing } }],
  ['images/generations', 'output_format: svg', { ...drawing, output_format: 'svg' }],
  ['images/generations', 'svg', { ...drawing, svg: { model: 'gpt-5.6' } }],
  ['responses', 'tools: svg', { model: 'gpt-5.6', input: 'hi', tools: [author] }],
  ['responses', 'tools: svg', { model: 'gpt-5.6', input: [{ type: 'additional_tools', tools: [author] }] }],
  ['messages', 'thread', { ...claude, thread: { type: 'continue', previous_message_id: 'msg_1' } }],
  ['messages', 'models', { ...claude, models: ['dear'] }],
  ['responses', 'models', { model: 'router', input: 'hi', models: ['dear'] }],
  ['completions', 'models', { model: 'router', prompt: 'hi', models: ['dear'] }],
  ['chat/completions', 'models', { model: 'router', messages, models: ['dear'] }],
])(
  'a call is refused that asks for a model that is not paid, or a conversation of others: %s %s',
  async (path, field, call) => {
    const before = await gateway.quotaOf(gateway.userId);
    for (const more of [{}, { metadata: { long: 'x'.repeat(1_100_000) } }]) {
      const response = await gateway.call(path === gemini ? path : `/v1/${path}`, { ...call, ...more });
      expect(response.status).toBe(400);
      expect(await response.text()).toContain(field);
    }
    expect(gateway.upstream.requests).toEqual([]);
    expect(await gateway.quotaOf(gateway.userId)).toBe(before);
  },
);

it('a form is refused that asks for a drawing by two models', async () => {
  for (const [name, value] of [
    ['output_format', 'svg'],
    ['svg[model]', 'gpt-5.6'],
  ] as const) {
    const form = new FormData();
    for (const [key, text] of Object.entries({ ...drawing, [name]: value })) form.append(key, text);
    form.append('image', new Blob(['x'], { type: 'image/png' }), 'a.png');
    const headers = { authorization: `Bearer ${gateway.key}` };
    const response = await fetch(`${gateway.url}/v1/images/edits`, { method: 'POST', headers, body: form });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('svg');
  }
  expect(gateway.upstream.requests).toEqual([]);
});

it('a call that names none is served', async () => {
  const reply = { id: 'msg_1', type: 'message', role: 'assistant', content: [], stop_reason: 'end_turn' };
  const body = { ...reply, usage: { input_tokens: 5, output_tokens: 1 } };
  gateway.upstream.respond({
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)),
  });
  const response = await gateway.call('/v1/messages', { ...claude, fallbacks: null, thread: null });
  expect(response.status).toBe(200);
  await gateway.verifyBooks();
});
