import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '../../../core/canonical/chat-event.ts';
import type { ChatProtocol } from '../../../core/canonical/chat-request.ts';
import { emptyUsage } from '../../../core/canonical/usage.ts';
import { writeJson } from '../../../core/lib/raw-json.ts';
import { finish } from '../../../core/lib/steps.ts';
import { chatClients } from '../../../core/wire/chat-client.ts';
import { chatUpstreams } from '../../../core/wire/chat-upstream.ts';
import { openaiChatUpstream } from '../../../core/wire/openai-chat/upstream-codec.ts';
import { chatRequest } from '../../support/chat-request.ts';

const identity = { id: 'x1', model: 'm', created: 1_767_322_800 };

/** The events of a call whose arguments come in these pieces. */
function called(pieces: readonly string[]): ChatEvent[] {
  const reader = openaiChatUpstream.createStreamReader({ identity });
  const say = (call: object) => ({ choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] });
  const calls = pieces.map((text) => say({ index: 0, function: { arguments: text } }));
  const first = say({ index: 0, id: 'call_1', type: 'function', function: { name: 'now', arguments: '' } });
  const last = { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] };
  return [...[first, ...calls, last, '[DONE]'].flatMap((event) => reader.event(event)), ...reader.end()];
}

type Client = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini';

function streamed(client: Client, events: readonly ChatEvent[]): Record<string, unknown>[] {
  const writer = chatClients[client].createStreamWriter(contextOf(client));
  const text = events.map((event) => writer.event(event)).join('') + writer.end(emptyUsage);
  const lines = text.split('\n').filter((line) => line.startsWith('data: {'));
  return lines.map((line) => JSON.parse(line.slice('data: '.length)) as Record<string, unknown>);
}

/** All texts under a key, wherever it stands, in order. */
function textsAt(key: string, value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === key && typeof member === 'string' ? [member] : textsAt(key, member),
  );
}

describe.each<[string, string[], object]>([
  ['nothing', [], {}],
  ['blanks', [' ', '\n'], {}],
  ['the word null', ['null'], {}],
  ['the word null in pieces', [' nu', 'll', '\n'], {}],
  ['an object behind blanks', ['\n ', ' {"a"', ':null}'], { a: null }],
  ['an object', ['{"n":', '1 }', ' '], { n: 1 }],
  ['an object in several lines', ['{\r\n  "n":', ' "1\\n2"\n', '}'], { n: '1\n2' }],
])('a call whose upstream says for its arguments %s', (_case, pieces, meant) => {
  const events = called(pieces);

  it('has an object for a client of chat', () => {
    const written = streamed('openai-chat', events).flatMap((chunk) => textsAt('arguments', chunk));
    expect(JSON.parse(written.join(''))).toEqual(meant);
    const whole = chatClients['openai-chat'].writeResponse(events, contextOf('openai-chat'));
    expect(JSON.parse(textsAt('arguments', whole).join(''))).toEqual(meant);
  });

  it('has an object for a client of messages, which takes no text at all for an empty one', () => {
    const written = streamed('anthropic-messages', events).flatMap((event) => textsAt('partial_json', event));
    expect(JSON.parse(written.join('') || '{}')).toEqual(meant);
    const whole = chatClients['anthropic-messages'].writeResponse(events, contextOf('anthropic-messages'));
    expect(JSON.parse(writeJson(whole))).toMatchObject({ content: [{ type: 'tool_use', input: meant }] });
  });

  it('has an object for a client of responses, and no delta that it does not begin with', () => {
    const sent = streamed('openai-responses', events);
    const done = sent.find(({ type }) => type === 'response.function_call_arguments.done');
    expect(JSON.parse(String(done?.arguments))).toEqual(meant);
    const deltas = sent.filter(({ type }) => type === 'response.function_call_arguments.delta');
    expect(String(done?.arguments).startsWith(deltas.map(({ delta }) => delta).join(''))).toBe(true);
  });

  it('has an object for a client of Google', () => {
    const call = { functionCall: { name: 'now', args: meant } };
    const found = streamed('gemini', events).flatMap((event) => partsOf(event));
    expect(found.filter((part) => 'functionCall' in part)).toMatchObject([call]);
    const whole = chatClients.gemini.writeResponse(events, contextOf('gemini'));
    expect(partsOf(JSON.parse(writeJson(whole)))).toMatchObject([call]);
  });
});

const start = { type: 'message_start', message: { id: 'm1', role: 'assistant', content: [], usage: {} } };
const output = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'now', arguments: '' };

/** A call without a word of arguments, as each upstream streams it. */
const bare: [ChatProtocol, object[]][] = [
  [
    'anthropic-messages',
    [
      start,
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 't1', name: 'now', input: {} } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 3 } },
      { type: 'message_stop' },
    ],
  ],
  [
    'gemini',
    [{ candidates: [{ index: 0, content: { parts: [{ functionCall: { name: 'now' } }] }, finishReason: 'STOP' }] }],
  ],
  [
    'openai-responses',
    [
      { type: 'response.output_item.added', output_index: 0, item: output },
      { type: 'response.function_call_arguments.done', item_id: 'fc_1', output_index: 0, arguments: '' },
      { type: 'response.output_item.done', output_index: 0, item: output },
      { type: 'response.completed', response: { id: 'r1', status: 'completed', output: [output], usage: {} } },
    ],
  ],
];

describe.each(bare)('a call for which %s streams no arguments', (upstream, stream) => {
  const reader = chatUpstreams[upstream].createStreamReader({ identity });
  const events = [...stream.flatMap((event) => reader.event(event)), ...reader.end()];

  it.each(['openai-chat', 'anthropic-messages', 'gemini', 'openai-responses'] as const)(
    'has an empty object for a client of %s',
    (client) => {
      const sent = streamed(client, events);
      const whole = JSON.parse(writeJson(chatClients[client].writeResponse(events, contextOf(client)))) as object;
      if (client === 'gemini') {
        const call = { functionCall: { name: 'now', args: {} } };
        expect(sent.flatMap(partsOf).filter((part) => 'functionCall' in part)).toMatchObject([call]);
        expect(partsOf(whole)).toMatchObject([call]);
      } else if (client === 'anthropic-messages') {
        expect(sent.flatMap((event) => textsAt('partial_json', event)).join('') || '{}').toBe('{}');
        expect(whole).toMatchObject({ content: [{ type: 'tool_use', input: {} }] });
      } else {
        expect(textsAt('arguments', whole)).toEqual(['{}']);
        const done = sent.filter(({ type }) => type === 'response.function_call_arguments.done');
        const said = client === 'openai-chat' ? sent : done;
        expect(said.flatMap((event) => textsAt('arguments', event)).join('')).toBe('{}');
      }
    },
  );
});

describe.each(['', ' \n', 'null'])('a former call with the arguments %j', (text) => {
  const called = { id: 'call_1', type: 'function', function: { name: 'now', arguments: text } };
  const ofChat = {
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: null, tool_calls: [called] },
      { role: 'tool', tool_call_id: 'call_1', content: 'noon' },
    ],
    tools: [{ type: 'function', function: { name: 'now', parameters: { type: 'object' } } }],
  };
  const ofResponses = {
    input: [
      { role: 'user', content: 'hi' },
      { ...output, arguments: text },
      { type: 'function_call_output', call_id: 'call_1', output: 'noon' },
    ],
    tools: [{ type: 'function', name: 'now', parameters: { type: 'object' } }],
  };
  const asked = { 'openai-chat': ofChat, 'openai-responses': ofResponses };
  const pairs = (['openai-chat', 'openai-responses'] as const).flatMap((client) =>
    (['openai-chat', 'anthropic-messages', 'gemini', 'openai-responses'] as const).map((to) => [client, to] as const),
  );

  it.each(pairs)('from a client of %s is an object to %s', (client, to) => {
    const request = finish(chatClients[client].readRequest({ model: 'm', ...asked[client] }));
    const { body } = finish(chatUpstreams[to].writeRequest(request, { model: 'm', defaultMaxOutput: 4096 }));
    const written = writeJson(body);
    expect(written).toContain(
      { 'openai-chat': '"arguments":"{}"', 'openai-responses': '"arguments":"{}"', gemini: '"args":{}' }[
        to as string
      ] ?? '"input":{}',
    );
  });
});

it('a call that was cut off within a word tells what came of it', () => {
  const events = called([' n', 'u']);
  const chat = streamed('openai-chat', events).flatMap((chunk) => textsAt('arguments', chunk));
  const messages = streamed('anthropic-messages', events).flatMap((event) => textsAt('partial_json', event));
  const responses = streamed('openai-responses', events).filter(({ type }) => String(type).endsWith('arguments.done'));
  expect([chat.join(''), messages.join(''), responses[0]?.arguments]).toEqual(['nu', 'nu', 'nu']);
});

interface GoogleResponse {
  candidates?: { content?: { parts?: object[] } }[];
}

const partsOf = (response: object): object[] =>
  (response as GoogleResponse).candidates?.flatMap(({ content }) => content?.parts ?? []) ?? [];

function contextOf(client: Client) {
  return { identity, promptTokens: 0, wantsUsage: false, request: chatRequest({ origin: client }) };
}
