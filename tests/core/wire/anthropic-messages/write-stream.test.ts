import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StreamContext } from '../../../../core/canonical/chat-codec.ts';
import type { ChatEvent } from '../../../../core/canonical/chat-event.ts';
import type { Opaque } from '../../../../core/canonical/chat-request.ts';
import { foldEvents } from '../../../../core/canonical/fold.ts';
import { emptyUsage, type Usage } from '../../../../core/canonical/usage.ts';
import { writeJson } from '../../../../core/lib/raw-json.ts';
import { finish as finishSteps } from '../../../../core/lib/steps.ts';
import { anthropicClient } from '../../../../core/wire/anthropic-messages/client-codec.ts';
import { anthropicUpstream } from '../../../../core/wire/anthropic-messages/upstream-codec.ts';
import { arbitraryResponse } from '../../../support/arbitrary-events.ts';
import { readStreamText } from '../../../support/chat-events.ts';
import { chatRequest } from '../../../support/chat-request.ts';

const context: StreamContext = {
  identity: { id: 'id1', model: 'asked', created: 7 },
  promptTokens: 33,
  wantsUsage: false,
  request: chatRequest({ origin: 'anthropic-messages' }),
};
const usage: Usage = { ...emptyUsage, prompt: 20, completion: 5, cachedRead: 4, cacheWrite: 3, reasoning: 2 };
const start: ChatEvent = { type: 'start', id: 'a1', model: 'up', created: 9 };

interface SentEvent {
  type: string;
  index?: number;
  content_block?: Record<string, unknown>;
  delta?: Record<string, unknown>;
  [key: string]: unknown;
}

function write(events: ChatEvent[]): { text: string; sent: SentEvent[] } {
  const writer = anthropicClient.createStreamWriter(context);
  const text = events.map((event) => writer.event(event)).join('') + writer.end(usage);
  const sent = text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const [name = '', data = ''] = block.split('\n');
      const event = JSON.parse(data.slice('data: '.length)) as SentEvent;
      expect(name).toBe(`event: ${event.type}`);
      return event;
    });
  return { text, sent };
}

/** Each index one start and one stop, no delta outside, never two open, indexes contiguous. */
function expectBlocksInSequence(sent: SentEvent[]): void {
  let open: number | undefined;
  let next = 0;
  for (const { type, index } of sent) {
    if (type === 'content_block_start') {
      expect(open).toBeUndefined();
      expect(index).toBe(next);
      open = index;
      next += 1;
    }
    if (type === 'content_block_delta') expect(index).toBe(open);
    if (type === 'content_block_stop') {
      expect(index).toBe(open);
      open = undefined;
    }
  }
  expect(open).toBeUndefined();
  expect(sent[0]?.type).toBe('message_start');
  expect(sent.slice(-2).map(({ type }) => type)).toEqual(['message_delta', 'message_stop']);
}

const blocksOf = (sent: SentEvent[]) =>
  sent.filter(({ type }) => type === 'content_block_start').map(({ content_block }) => content_block?.type);
const open = (part: number, kind: 'text' | 'reasoning' | 'refusal'): ChatEvent => ({
  type: 'open',
  part,
  choice: 0,
  kind,
});
const call = (part: number, id: string, more: { custom?: boolean; opaque?: Opaque } = {}): ChatEvent => ({
  type: 'open',
  part,
  choice: 0,
  kind: 'toolCall',
  id,
  name: 'f',
  ...more,
});
const delta = (part: number, text: string): ChatEvent => ({ type: 'delta', part, text });
const close = (part: number): ChatEvent => ({ type: 'close', part });
const finish = (reason: 'stop' | 'tool' | 'length'): ChatEvent => ({ type: 'finish', choice: 0, reason });

function folded(text: string) {
  return foldEvents(readStreamText(anthropicUpstream.createStreamReader({ identity: context.identity }), text));
}

describe('a Messages stream for a client', () => {
  it('edge 17: begins with the estimated prompt, ends with the whole usage', () => {
    const { sent } = write([start, open(0, 'text'), delta(0, 'hi'), close(0), finish('stop'), { type: 'end' }]);
    expectBlocksInSequence(sent);
    expect(sent[0]).toMatchObject({
      message: { id: 'msg_a1', model: 'asked', content: [], usage: { input_tokens: 33 }, stop_reason: null },
    });
    expect(sent.at(-2)).toEqual({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: {
        input_tokens: 13,
        cache_creation_input_tokens: 3,
        cache_read_input_tokens: 4,
        cache_creation: { ephemeral_5m_input_tokens: 3, ephemeral_1h_input_tokens: 0 },
        output_tokens: 5,
        output_tokens_details: { thinking_tokens: 2 },
      },
    });
  });

  it('edge 1: the arguments of parallel calls reach their own block', () => {
    const { sent, text } = write([
      start,
      call(0, 'a'),
      call(1, 'b'),
      delta(1, '{"y"'),
      delta(0, '{"x":1}'),
      delta(1, ':2}'),
      close(0),
      close(1),
      finish('tool'),
    ]);
    expectBlocksInSequence(sent);
    expect(folded(text).choices[0]).toMatchObject({
      parts: [
        { id: 'a', arguments: '{"x":1}' },
        { id: 'b', arguments: '{"y":2}' },
      ],
      finish: { reason: 'tool' },
    });
  });

  it('edge 2: text while a tool is open waits for it; blank text is left out', () => {
    const { sent, text } = write([
      start,
      call(0, 'a'),
      delta(0, '{'),
      open(1, 'text'),
      delta(1, '\n'),
      delta(0, '}'),
      open(2, 'text'),
      delta(2, 'so'),
      close(0),
      delta(2, ' on'),
      close(1),
      close(2),
      finish('tool'),
    ]);
    expectBlocksInSequence(sent);
    expect(blocksOf(sent)).toEqual(['tool_use', 'text']);
    expect(folded(text).choices[0]?.parts).toMatchObject([{ arguments: '{}' }, { text: 'so on' }]);
  });

  it('edge 3: thinking that goes on behind a tool gets a block of its own, and keeps its signature', () => {
    const opaque: Opaque = { origin: 'anthropic-messages', kind: 'signature', value: 's2' };
    const { sent, text } = write([
      start,
      open(0, 'reasoning'),
      delta(0, 'one'),
      close(0),
      call(1, 'a'),
      delta(1, '{}'),
      open(2, 'reasoning'),
      delta(2, 'two'),
      { type: 'close', part: 2, opaque },
      close(1),
      finish('tool'),
    ]);
    expectBlocksInSequence(sent);
    expect(folded(text).choices[0]?.parts).toMatchObject([
      { kind: 'reasoning', text: 'one' },
      { kind: 'toolCall' },
      { kind: 'reasoning', text: 'two', opaque },
    ]);
  });

  it('breaks text off for thinking that runs beside it, and takes it up again', () => {
    const { sent } = write([
      start,
      open(0, 'text'),
      open(1, 'reasoning'),
      delta(0, 'a'),
      delta(1, 'b'),
      delta(0, 'c'),
      close(1),
      close(0),
      finish('stop'),
    ]);
    expectBlocksInSequence(sent);
    expect(blocksOf(sent)).toEqual(['text', 'thinking', 'text']);
  });

  it('edge 4: a tool without arguments is a block without deltas', () => {
    const { sent } = write([start, call(0, 'a'), close(0), finish('tool')]);
    expectBlocksInSequence(sent);
    expect(sent[1]).toMatchObject({ content_block: { type: 'tool_use', id: 'a', name: 'f', input: {} } });
    expect(sent.some(({ type }) => type === 'content_block_delta')).toBe(false);
  });

  it('edge 6: calls that were cut off end with max_tokens; a word about tools without one is a plain end', () => {
    const cut = write([start, call(0, 'a'), delta(0, '{"x'), close(0), finish('length')]);
    expect(cut.sent.at(-2)).toMatchObject({ delta: { stop_reason: 'max_tokens' } });
    const none = write([start, open(0, 'text'), delta(0, 'x'), close(0), finish('tool')]);
    expect(none.sent.at(-2)).toMatchObject({ delta: { stop_reason: 'end_turn' } });
  });

  it('edges 7 and 8: signatures of Gemini come back from the client with their calls', () => {
    const opaque: Opaque = { origin: 'gemini', kind: 'signature', value: 'c2ln' };
    const events = [start, call(0, 'a', { opaque }), delta(0, '{}'), close(0), finish('tool')];
    const { sent } = write(events);
    expectBlocksInSequence(sent);
    expect(blocksOf(sent)).toEqual(['thinking', 'tool_use']);
    const { content } = JSON.parse(writeJson(anthropicClient.writeResponse(events, context))) as { content: unknown[] };
    const { messages } = finishSteps(
      anthropicClient.readRequest({
        model: 'm',
        max_tokens: 1,
        messages: [{ role: 'assistant', content }],
      }),
    );
    expect(messages[0]?.parts).toEqual([{ kind: 'toolCall', id: 'a', name: 'f', arguments: '', opaque }]);
  });

  it('hidden thinking, free text, pictures, server tools and citations have a block each', () => {
    const raw = { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'x' } };
    const cited = { type: 'web_search_result_location', url: 'https://a.example', encrypted_index: 'E' };
    const { sent } = write([
      start,
      open(0, 'reasoning'),
      { type: 'close', part: 0, opaque: { origin: 'anthropic-messages', kind: 'redacted', value: 'secret' } },
      { type: 'open', part: 1, choice: 0, kind: 'native', origin: 'anthropic-messages', raw },
      close(1),
      {
        type: 'open',
        part: 2,
        choice: 0,
        kind: 'native',
        origin: 'openai-responses',
        raw: { type: 'web_search_call' },
      },
      close(2),
      open(3, 'text'),
      delta(3, 'x'),
      { type: 'citation', part: 3, citation: { raw: { origin: 'anthropic-messages', value: cited } } },
      { type: 'citation', part: 3, citation: { url: 'https://b.example' } },
      close(3),
      { type: 'open', part: 4, choice: 0, kind: 'media', mime: 'image/png', data: 'QUJD' },
      close(4),
      call(5, 'c', { custom: true }),
      delta(5, '*** "Be'),
      delta(5, 'gin"'),
      close(5),
      { type: 'open', part: 6, choice: 1, kind: 'text' },
      delta(6, 'another answer'),
      finish('tool'),
    ]);
    expectBlocksInSequence(sent);
    const starts = sent.filter(({ type }) => type === 'content_block_start').map(({ content_block }) => content_block);
    expect(starts).toMatchObject([
      { type: 'redacted_thinking', data: 'secret' },
      { type: 'server_tool_use', input: {} },
      { type: 'text' },
      { type: 'text' },
      { type: 'tool_use' },
    ]);
    const deltas = sent.filter(({ type }) => type === 'content_block_delta').map((event) => event.delta);
    expect(deltas).toEqual([
      { type: 'input_json_delta', partial_json: '{"query":"x"}' },
      { type: 'text_delta', text: 'x' },
      { type: 'citations_delta', citation: cited },
      {
        type: 'citations_delta',
        citation: {
          type: 'web_search_result_location',
          url: 'https://b.example',
          title: null,
          cited_text: '',
          encrypted_index: '',
        },
      },
      { type: 'text_delta', text: '![image](data:image/png;base64,QUJD)' },
      { type: 'input_json_delta', partial_json: '{"input":"*** \\"Begin\\""}' },
    ]);
  });

  it('pings only after the start, and says nothing of errors, which have a writer of their own', () => {
    const writer = anthropicClient.createStreamWriter(context);
    expect(writer.event({ type: 'ping' })).toBe('');
    writer.event(start);
    expect(writer.event({ type: 'ping' })).toBe('event: ping\ndata: {"type":"ping"}\n\n');
    expect(writer.event({ type: 'error', status: 500, body: {} })).toBe('');
  });

  it('says why it refused, and which stop sequence it met', () => {
    const refused = write([start, { type: 'finish', choice: 0, reason: 'filter', detail: 'Not this.' }]);
    expect(refused.sent.at(-2)?.delta).toEqual({
      stop_reason: 'refusal',
      stop_sequence: null,
      stop_details: { type: 'refusal', category: null, explanation: 'Not this.' },
    });
    const stopped = write([start, { type: 'finish', choice: 0, reason: 'stop', stopSequence: 'END' }]);
    expect(stopped.sent.at(-2)?.delta).toEqual({ stop_reason: 'stop_sequence', stop_sequence: 'END' });
  });

  it('is in sequence and says the same whatever an upstream tells, streamed or whole', () => {
    fc.assert(
      fc.property(arbitraryResponse, (events) => {
        const { sent, text } = write(events);
        expectBlocksInSequence(sent);
        const streamed = folded(text);
        const plain = ({ choices, usage: counted }: ReturnType<typeof foldEvents>) => ({
          parts: choices[0]?.parts.map((part) =>
            part.kind === 'toolCall' ? { ...part, arguments: part.arguments || '{}' } : part,
          ),
          finish: choices[0]?.finish?.reason,
          usage: counted,
        });
        expect(plain(streamed)).toEqual(plain(foldEvents(events)));
        const whole = anthropicClient.writeResponse(events, context);
        const again = anthropicUpstream.readResponse(JSON.parse(writeJson(whole)), { identity: context.identity });
        expect(plain(foldEvents(again))).toEqual(plain(foldEvents(events)));
      }),
      { numRuns: 300 },
    );
  });
});
