import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '../../../core/canonical/chat-event.ts';
import { emptyUsage } from '../../../core/canonical/usage.ts';
import { writeJson } from '../../../core/lib/raw-json.ts';
import { chatClients } from '../../../core/wire/chat-client.ts';
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
});

it('a call that was cut off within a word tells what came of it', () => {
  const events = called([' n', 'u']);
  const chat = streamed('openai-chat', events).flatMap((chunk) => textsAt('arguments', chunk));
  const messages = streamed('anthropic-messages', events).flatMap((event) => textsAt('partial_json', event));
  const responses = streamed('openai-responses', events).filter(({ type }) => String(type).endsWith('arguments.done'));
  expect([chat.join(''), messages.join(''), responses[0]?.arguments]).toEqual(['nu', 'nu', 'nu']);
});

function contextOf(client: Client) {
  return { identity, promptTokens: 0, wantsUsage: false, request: chatRequest({ origin: client }) };
}
