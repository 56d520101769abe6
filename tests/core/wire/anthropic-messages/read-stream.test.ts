import { describe, expect, it } from 'vitest';
import type { ReadContext } from '../../../../core/canonical/chat-codec.ts';
import { foldEvents } from '../../../../core/canonical/fold.ts';
import { anthropicUpstream } from '../../../../core/wire/anthropic-messages/upstream-codec.ts';
import { brokenRules, readFixtureJson, readFixtureStream, readStreamText } from '../../../support/chat-events.ts';

const context: ReadContext = { identity: { id: 'id1', model: 'asked', created: 7 } };

function fixture(name: string, more: Partial<ReadContext> = {}) {
  const events = readFixtureStream(anthropicUpstream.createStreamReader({ ...context, ...more }), `anthropic/${name}`);
  expect(brokenRules(events)).toEqual([]);
  return foldEvents(events);
}

function readEvents(list: { type: string; [key: string]: unknown }[], more: Partial<ReadContext> = {}) {
  const text = list.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  const events = readStreamText(anthropicUpstream.createStreamReader({ ...context, ...more }), text);
  expect(brokenRules(events)).toEqual([]);
  return foldEvents(events);
}

const start = { type: 'message_start', message: { id: 'm', usage: { input_tokens: 3, output_tokens: 1 } } };
const stop = [
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
];
const block = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block });
const json = (index: number, partial_json: string) => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'input_json_delta', partial_json },
});
const end = (index: number) => ({ type: 'content_block_stop', index });

describe('a Messages stream', () => {
  it('reads text and a tool call; usage includes the cache once (edge 13)', () => {
    const response = fixture('message-tool.sse');
    expect(response).toMatchObject({
      id: 'msg_fx1',
      model: 'claude-sonnet-4-5-20250929',
      created: 7,
      usage: { prompt: 520, cachedRead: 400, cacheWrite: 100, completion: 30 },
    });
    expect(response.choices[0]).toEqual({
      index: 0,
      parts: [
        { kind: 'text', text: 'Checking.', citations: [], logprobs: [] },
        { kind: 'toolCall', id: 'toolu_fx1', name: 'weather', arguments: '{"city":"Oslo"}' },
      ],
      finish: { reason: 'tool' },
    });
  });

  it('is the same whole (edge 12: every tool call of it)', () => {
    const message = readFixtureJson('anthropic/message-tool.json');
    const events = anthropicUpstream.readResponse(message, context);
    expect(brokenRules(events)).toEqual([]);
    expect(foldEvents(events)).toEqual(fixture('message-tool.sse'));
    const calls = ['a', 'b'].map((id) => ({ type: 'tool_use', id, name: 'f', input: {} }));
    const both = foldEvents(anthropicUpstream.readResponse({ content: calls, stop_reason: 'tool_use' }, context));
    expect(both.choices[0]?.parts).toEqual([
      { kind: 'toolCall', id: 'a', name: 'f', arguments: '' },
      { kind: 'toolCall', id: 'b', name: 'f', arguments: '' },
    ]);
  });

  it('keeps signatures with their thinking, and hidden thinking; the hour of a cache write is told apart', () => {
    const { choices, usage } = fixture('message-thinking.sse');
    const origin = 'anthropic-messages';
    expect(choices[0]?.parts).toMatchObject([
      { kind: 'reasoning', text: 'Let me see.', opaque: { origin, kind: 'signature', value: 'EqQB' } },
      { kind: 'reasoning', text: '', opaque: { origin, kind: 'redacted', value: 'EmwK' } },
      { kind: 'text', text: '42' },
    ]);
    // Null counts of the start are replaced by those of the end.
    expect(usage).toEqual({
      prompt: 309,
      completion: 40,
      cachedRead: 0,
      cacheWrite: 300,
      cacheWriteHour: 200,
      reasoning: 33,
      audioInput: 0,
      audioOutput: 0,
    });
  });

  it('keeps what Anthropic searched for a client of the same protocol, and counts the searches', () => {
    const { choices, usage } = fixture('message-search.sse');
    expect(choices[0]?.parts).toMatchObject([
      { kind: 'native', raw: { type: 'server_tool_use', input: { query: 'oslo' } } },
      { kind: 'native', raw: { type: 'web_search_tool_result' } },
      {
        kind: 'text',
        text: 'Rain.',
        citations: [
          { url: 'https://no.example/', title: 'Oslo', text: 'It rains.', raw: { origin: 'anthropic-messages' } },
        ],
      },
    ]);
    expect(usage?.serverTools).toEqual({ web_search: 1 });
  });

  it('edge 18: a report at the end with zeros or nothing does not undo the counts of the start', () => {
    const zeros = [
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { input_tokens: 0, output_tokens: 5 } },
      { type: 'message_stop', usage: null },
    ];
    expect(readEvents([start, ...zeros]).usage).toMatchObject({ prompt: 3, completion: 5 });
    expect(readEvents([start, { type: 'message_delta', delta: { stop_reason: 'end_turn' } }]).usage).toMatchObject({
      prompt: 3,
      completion: 1,
    });
  });

  it('counts the passes that summed up a long conversation, which the counts at the top leave out', () => {
    const top = { input_tokens: 23_000, output_tokens: 1000, cache_creation_input_tokens: 0 };
    const compaction = {
      ...{ type: 'compaction', input_tokens: 170_000, output_tokens: 3500, cache_read_input_tokens: 7000 },
      ...{ cache_creation_input_tokens: 3000, cache_creation: { ephemeral_1h_input_tokens: 3000 } },
    };
    const iterations = [compaction, { type: 'message', input_tokens: 23_000, output_tokens: 1000 }];
    const usage = { ...top, iterations };
    const counted = { prompt: 203_000, completion: 4500, cachedRead: 7000, cacheWrite: 3000, cacheWriteHour: 3000 };
    const streamed = readEvents([
      start,
      block(0, { type: 'compaction', content: null }),
      { type: 'content_block_delta', index: 0, delta: { type: 'compaction_delta', content: 'They met.' } },
      end(0),
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
      // Reports are of all there was so far, and one without passes takes none back.
      { type: 'message_delta', delta: {}, usage: { ...top, iterations: null } },
      { type: 'message_stop' },
    ]);
    expect(streamed.usage).toMatchObject(counted);
    const whole = { content: [{ type: 'text', text: 'Hi' }], stop_reason: 'end_turn', usage };
    expect(foldEvents(anthropicUpstream.readResponse(whole, context)).usage).toMatchObject(counted);
  });

  it('edge 24: bytes that end without a stop reason are an error; with one they are whole', () => {
    expect(fixture('message-truncated.sse').error).toMatchObject({ status: 502 });
    expect(readEvents([]).error).toBeDefined();
    expect(readEvents([start, { type: 'message_delta', delta: { stop_reason: 'end_turn' } }]).error).toBeUndefined();
  });

  it('an error in the stream has the status of its type', () => {
    const { error, choices } = fixture('message-error.sse');
    expect(error).toMatchObject({ status: 529, body: { error: { message: 'Overloaded' } } });
    expect(choices[0]?.parts).toMatchObject([{ text: 'Hal' }]);
  });

  it('says why it refuses, and which stop sequence it met', () => {
    expect(fixture('message-refusal.sse').choices[0]?.finish).toEqual({ reason: 'filter', detail: 'Not this.' });
    const delta = { stop_reason: 'stop_sequence', stop_sequence: 'END' };
    expect(readEvents([start, { type: 'message_delta', delta }]).choices[0]?.finish).toEqual({
      reason: 'stop',
      stopSequence: 'END',
    });
  });

  it('gives names, free text and forced responses back as the client knows them', () => {
    const call = block(0, { type: 'tool_use', id: 't', name: 'mcp_x', input: {} });
    const named = readEvents([start, call, json(0, '{}'), end(0), ...stop], {
      toolNames: new Map([['mcp_x', 'mcp.x']]),
    });
    expect(named.choices[0]?.parts).toMatchObject([{ name: 'mcp.x' }]);
    const custom = readEvents([start, call, json(0, '{"input":'), json(0, '"a\\nb"}'), end(0), ...stop], {
      customTools: new Set(['mcp_x']),
    });
    expect(custom.choices[0]?.parts).toMatchObject([{ custom: true, arguments: 'a\nb' }]);
    const forced = readEvents([start, call, json(0, '{"a":'), json(0, '1}'), end(0), ...stop], {
      responseTool: 'mcp_x',
    });
    expect(forced.choices[0]).toMatchObject({ parts: [{ kind: 'text', text: '{"a":1}' }], finish: { reason: 'stop' } });
  });

  it('loses no text of a reseller that leaves out the start of a block', () => {
    const { choices } = readEvents([
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hi' } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    ]);
    expect(choices[0]?.parts).toMatchObject([{ kind: 'text', text: 'hi' }]);
  });

  it('skips events, blocks and deltas it does not know', () => {
    const { choices } = readEvents([
      { type: 'ping' },
      start,
      { type: 'new_event', index: 0 },
      block(0, { type: 'text', text: '' }),
      { type: 'content_block_delta', index: 0, delta: { type: 'new_delta', text: 'x' } },
      { type: 'content_block_delta', index: 7, delta: { type: 'input_json_delta', partial_json: 'x' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'y' } },
      ...stop,
      block(1, { type: 'text', text: 'late' }),
    ]);
    expect(choices[0]?.parts).toMatchObject([{ kind: 'text', text: 'y' }]);
  });
});
