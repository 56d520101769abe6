import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { done, streamOf, uses } from '../responses.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
  await gateway.addChannel({ name: 'all', models: 'gpt-4o-mini' });
});
afterEach(() => gateway.upstream.reset());
afterAll(async () => {
  await gateway.verifyBooks();
  await gateway.stop();
});

const model = 'gpt-4o-mini';
const messages = [{ role: 'user' as const, content: 'hi' }];
const tools = [{ type: 'function' as const, function: { name: 'weather', parameters: { type: 'object' } } }];

function event(delta: object, reason: string | null = null) {
  const choices = [{ index: 0, delta, finish_reason: reason }];
  return { id: 'c', object: 'chat.completion.chunk', created: 1, model, choices };
}
const role = event({ role: 'assistant', content: null });
const end = event({}, 'tool_calls');
const call = (city: string, more: object = {}) => ({
  id: `call_${city}`,
  type: 'function',
  function: { name: 'weather', arguments: `{"city":"${city}"}` },
  ...more,
});
const streamed = (...deltas: object[]) =>
  streamOf([role, ...deltas.map((delta) => event(delta)), end, uses(20, 10), done]);

async function understood() {
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 });
  const { choices } = await client.chat.completions.stream({ model, messages, tools }).finalChatCompletion();
  return choices[0]?.message.tool_calls?.map((one) => ('function' in one ? [one.id, one.function.arguments] : []));
}

describe('tool calls of a stream that goes on as it is', () => {
  it.each([
    ['has no number', [{ tool_calls: [call('Köln')] }]],
    ['has null for a number', [{ tool_calls: [call('Köln', { index: null })] }]],
  ])('reach OpenAI’s SDK where one %s', async (_name, deltas) => {
    gateway.upstream.respond(streamed(...deltas));
    expect(await understood()).toEqual([['call_Köln', '{"city":"Köln"}']]);
  });

  it.each([
    ['in one event without numbers', [{ tool_calls: [call('Oslo'), call('Rom')] }]],
    ['in two events without numbers', [{ tool_calls: [call('Oslo')] }, { tool_calls: [call('Rom')] }]],
    [
      'in two events with one number',
      [{ tool_calls: [call('Oslo', { index: 0 })] }, { tool_calls: [call('Rom', { index: 0 })] }],
    ],
  ])('reach it both %s', async (_name, deltas) => {
    gateway.upstream.respond(streamed(...deltas));
    expect(await understood()).toEqual([
      ['call_Oslo', '{"city":"Oslo"}'],
      ['call_Rom', '{"city":"Rom"}'],
    ]);
  });

  it('are left as they are, to the last space, where they are numbered', async () => {
    const first = event({ tool_calls: [call('Zürich', { index: 0, vendor: 1 })] });
    const second = event({ tool_calls: [{ index: 0, function: { arguments: ' ' } }] });
    const own = `data: ${JSON.stringify(second).replaceAll(',', ', ')}\n\n`;
    gateway.upstream.respond(streamOf([role, first, own, end, done]));
    const text = await (await gateway.chat({ model, messages, tools, stream: true })).text();
    expect(text).toContain(`data: ${JSON.stringify(first)}\n\n${own}`);
  });
});
