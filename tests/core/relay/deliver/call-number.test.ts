import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { json } from '../../../support/upstream-script.ts';
import { done, streamOf, uses } from '../responses.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
  await gateway.addChannel({
    name: 'all',
    models: 'gpt-4o-mini',
    setting: JSON.stringify({ responses: false }),
    priority: 10,
  });
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

  it('reach the AI SDK where later pieces repeat their members empty', async () => {
    const first = { ...call('Köln', { index: 0 }), function: { name: 'weather', arguments: '{"city":' } };
    const second = { index: 0, id: '', type: '', function: { name: '', arguments: '"Köln"}' } };
    gateway.upstream.respond(streamed({ tool_calls: [first] }, { tool_calls: [second] }));
    const text = await (await gateway.chat({ model, messages, tools, stream: true })).text();
    expect(text).toContain('"tool_calls":[{"index":0,"function":{"arguments":"\\"Köln\\"}"}}]');
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

describe('words that a vendor writes elsewhere than OpenAI', () => {
  const common = { id: 'c', object: 'chat.completion.chunk', created: 1, model };
  const usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 };
  const bare = (text: string, more: object = {}) => ({ ...common, choices: [{ index: 0, text, ...more }] });

  /** What a client of each protocol reads, streamed or not. */
  const readers: Record<string, (stream: boolean) => Promise<unknown>> = {
    async openai(stream) {
      const { chat } = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 });
      const call = { model, messages };
      const whole = stream
        ? await chat.completions.stream(call).finalChatCompletion()
        : await chat.completions.create(call);
      return whole.choices[0]?.message.content;
    },
    async responses(stream) {
      const { responses } = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 });
      const call = { model, input: 'hi' };
      const { output_text: text } = stream
        ? await responses.stream(call).finalResponse()
        : await responses.create(call);
      return text;
    },
    async anthropic(stream) {
      const { messages: own } = new Anthropic({ baseURL: gateway.url, apiKey: gateway.key, maxRetries: 0 });
      const call = { model, messages, max_tokens: 100 };
      const { content } = stream ? await own.stream(call).finalMessage() : await own.create(call);
      return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    },
  };

  it.each(Object.entries(readers))('reach a client of %s', async (_name, read) => {
    gateway.upstream.respond(json(200, { ...bare('Grüß dich', { finish_reason: 'stop' }), usage }));
    expect(await read(false)).toBe('Grüß dich');
    gateway.upstream.respond(streamOf([bare('Grüß'), bare(' dich'), bare('', { finish_reason: 'stop' }), done]));
    expect(await read(true)).toBe('Grüß dich');
    expect((await gateway.lastLog())?.completion_tokens).toBeGreaterThan(2);
  });

  it('end with a word for the end, which a whole response has', async () => {
    const message = { role: 'assistant', content: 'Hi' };
    gateway.upstream.respond(json(200, { ...common, choices: [{ index: 0, message, finish_reason: '' }], usage }));
    expect(await (await gateway.chat({ model, messages })).json()).toMatchObject({
      choices: [{ index: 0, message, finish_reason: 'stop' }],
    });
  });

  it('are an error where there are none at all', async () => {
    const hollow = json(200, { ...common, choices: [{ index: 0 }], usage });
    gateway.upstream.respond(...Array.from({ length: 4 }, () => hollow));
    expect((await gateway.chat({ model, messages })).status).toBe(502);
  });

  it.each([
    ['no delta names a role, and nothing names the end', [event({ content: 'Hi' }), event({ content: '!' })]],
    [
      'every delta names an empty role',
      [event({ role: '', content: 'Hi' }), event({ role: '', content: '!' }, 'stop')],
    ],
    ['choices have no number', [{ ...common, choices: [{ delta: { content: 'Hi!' }, finish_reason: 'stop' }] }]],
    ['the text is a list', [event({ content: [{ type: 'text', text: 'Hi!' }] }, 'stop')]],
    ['one event has the whole message', [{ ...common, choices: [{ index: 0, message: { content: 'Hi!' } }] }]],
    ['events have no choices', [{ ...common }, event({ content: 'Hi!' }, 'stop'), { ...common, usage }]],
  ])('are whole for OpenAI’s SDK where %s', async (_name, events) => {
    gateway.upstream.respond(streamOf([...events, done]));
    expect(await readers.openai?.(true)).toBe('Hi!');
  });

  it('reach Anthropic’s SDK from a reseller that neither names its events nor counts', async () => {
    await gateway.addChannel({ type: 14, name: 'reseller', models: 'claude-3-haiku-20240307' });
    const client = new Anthropic({ baseURL: gateway.url, apiKey: gateway.key, maxRetries: 0 });
    const call = { model: 'claude-3-haiku-20240307', messages, max_tokens: 100 };
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: call.model, stop_reason: null };
    const says = (text: string) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
    const texts = ['Grüß', ' dich', ' Welt', '!'];
    gateway.upstream.respond(
      streamOf([
        { type: 'message_start', message: { ...message, content: [], usage: null } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        ...texts.map(says),
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: null },
        { type: 'message_stop' },
      ]),
      json(200, {
        ...message,
        stop_reason: 'end_turn',
        content: [{ type: 'text', text: texts.join('') }],
        usage: null,
      }),
    );
    const whole = { content: [{ type: 'text', text: 'Grüß dich Welt!' }], stop_reason: 'end_turn' };
    for (const read of [() => client.messages.stream(call).finalMessage(), () => client.messages.create(call)]) {
      const { usage: told, ...rest } = await read();
      expect(rest).toMatchObject(whole);
      const bill = await gateway.lastLog();
      expect(told).toMatchObject({ input_tokens: bill?.prompt_tokens, output_tokens: bill?.completion_tokens });
      expect(told.output_tokens).toBeGreaterThan(3);
    }
  });

  it('keep all digits of arguments that are an object', async () => {
    const called = { id: 'call_1', function: { name: 'weather', arguments: { at: '@' } } };
    const message = { role: 'assistant', content: null, tool_calls: [called] };
    const whole = { ...common, choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage };
    const digits = (value: unknown) => JSON.stringify(value).replace('"@"', '12345678901234567890');
    gateway.upstream.respond(json(200, digits(whole)));
    expect(await (await gateway.chat({ model, messages, tools })).json()).toMatchObject({
      choices: [{ message: { tool_calls: [{ function: { arguments: '{"at":12345678901234567890}' } }] } }],
    });
    gateway.upstream.respond(streamOf([role, `data: ${digits(event({ tool_calls: [called] }))}\n\n`, done]));
    expect(await understood()).toEqual([['call_1', '{"at":12345678901234567890}']]);
  });
});
