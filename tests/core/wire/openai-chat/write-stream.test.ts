import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StreamContext } from '../../../../core/canonical/chat-codec.ts';
import type { ChatEvent } from '../../../../core/canonical/chat-event.ts';
import type { Opaque } from '../../../../core/canonical/chat-request.ts';
import { foldEvents } from '../../../../core/canonical/fold.ts';
import { emptyUsage, type Usage } from '../../../../core/canonical/usage.ts';
import { finish } from '../../../../core/lib/steps.ts';
import { anthropicUpstream } from '../../../../core/wire/anthropic-messages/upstream-codec.ts';
import { openaiChatClient } from '../../../../core/wire/openai-chat/client-codec.ts';
import { openaiChatUpstream } from '../../../../core/wire/openai-chat/upstream-codec.ts';
import { arbitraryResponse } from '../../../support/arbitrary-events.ts';
import { brokenRules, readFixtureStream, readStreamText } from '../../../support/chat-events.ts';
import { chatRequest } from '../../../support/chat-request.ts';

const identity = { id: 'id1', model: 'asked', created: 7 };
const context: StreamContext = { identity, promptTokens: 0, wantsUsage: false, request: chatRequest() };
const usage: Usage = { ...emptyUsage, prompt: 20, completion: 5, cachedRead: 4, cacheWrite: 3, reasoning: 2 };
const start: ChatEvent = { type: 'start', id: 'a1', model: 'up', created: 9 };
const signature: Opaque = { origin: 'anthropic-messages', kind: 'signature', value: 's1' };

interface Chunk {
  choices: { index: number; delta: Record<string, unknown>; logprobs: unknown; finish_reason: string | null }[];
  usage?: unknown;
  [key: string]: unknown;
}

function write(events: ChatEvent[], wantsUsage = false): { text: string; chunks: Chunk[] } {
  const writer = openaiChatClient.createStreamWriter({ ...context, wantsUsage });
  const text = events.map((event) => writer.event(event)).join('') + writer.end(usage);
  const lines = text.split('\n\n').filter((line) => line.startsWith('data: '));
  expect(lines.at(-1)).toBe('data: [DONE]');
  return { text, chunks: lines.slice(0, -1).map((line) => JSON.parse(line.slice('data: '.length)) as Chunk) };
}

const deltas = (chunks: Chunk[]) => chunks.map(({ choices }) => choices[0]?.delta);
const call = (part: number, id: string, more: object = {}): ChatEvent => ({
  type: 'open',
  part,
  choice: 0,
  kind: 'toolCall',
  id,
  name: 'f',
  ...more,
});

describe('a chat.completion.chunk stream for a client', () => {
  it('says the role once, the finish once, and [DONE] at the end; usage only to who asked (edge 16)', () => {
    const events: ChatEvent[] = [
      start,
      { type: 'open', part: 0, choice: 0, kind: 'text' },
      { type: 'delta', part: 0, text: 'hi' },
      { type: 'ping' },
      { type: 'close', part: 0 },
      { type: 'usage', usage },
      { type: 'finish', choice: 0, reason: 'stop' },
      { type: 'end' },
    ];
    const { chunks, text } = write(events);
    expect(chunks).toEqual([
      ...[{ role: 'assistant', content: '' }, { content: 'hi' }].map((delta) => ({
        id: 'chatcmpl-a1',
        object: 'chat.completion.chunk',
        created: 9,
        model: 'asked',
        choices: [{ index: 0, delta, logprobs: null, finish_reason: null }],
      })),
      {
        id: 'chatcmpl-a1',
        object: 'chat.completion.chunk',
        created: 9,
        model: 'asked',
        choices: [{ index: 0, delta: {}, logprobs: null, finish_reason: 'stop' }],
      },
    ]);
    expect(text).toContain(': ping\n\n');
    const asked = write(events, true).chunks;
    expect(asked.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true);
    expect(asked.at(-1)).toMatchObject({
      choices: [],
      usage: {
        prompt_tokens: 20,
        completion_tokens: 5,
        total_tokens: 25,
        prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 3 },
        completion_tokens_details: { reasoning_tokens: 2 },
      },
    });
  });

  it('numbers calls apart from everything else (edge 21), interleaved or not (edge 1)', () => {
    const { chunks } = write([
      start,
      { type: 'open', part: 0, choice: 0, kind: 'text' },
      { type: 'delta', part: 0, text: 'x' },
      { type: 'close', part: 0 },
      call(1, 'a'),
      call(2, 'b', { custom: true }),
      { type: 'delta', part: 2, text: 'free' },
      { type: 'delta', part: 1, text: '{}' },
      { type: 'close', part: 1 },
      { type: 'close', part: 2 },
      { type: 'finish', choice: 0, reason: 'tool' },
    ]);
    expect(deltas(chunks).slice(2)).toEqual([
      { tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }] },
      { tool_calls: [{ index: 1, id: 'b', type: 'custom', custom: { name: 'f', input: '' } }] },
      { tool_calls: [{ index: 1, custom: { input: 'free' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{}' } }] },
      {},
    ]);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('tool_calls');
  });

  it('edge 4: a call without arguments has an empty object, which clients can parse', () => {
    const { chunks } = write([
      start,
      call(0, 'a'),
      { type: 'close', part: 0 },
      { type: 'finish', choice: 0, reason: 'tool' },
    ]);
    expect(deltas(chunks)[2]).toEqual({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] });
  });

  it('keeps choices apart', () => {
    const { chunks } = write([
      start,
      { type: 'open', part: 0, choice: 1, kind: 'text' },
      { type: 'delta', part: 0, text: 'b' },
      { type: 'close', part: 0 },
      { type: 'finish', choice: 1, reason: 'length' },
      { type: 'finish', choice: 0, reason: 'stop' },
    ]);
    expect(chunks.map(({ choices: [choice] }) => [choice?.index, choice?.delta, choice?.finish_reason])).toEqual([
      [0, { role: 'assistant', content: '' }, null],
      [1, { role: 'assistant', content: 'b' }, null],
      [1, {}, 'length'],
      [0, {}, 'stop'],
    ]);
  });

  it('citations are at the text they belong to, likelihoods beside theirs, pictures and sound in their own members', () => {
    const { chunks } = write([
      start,
      { type: 'open', part: 0, choice: 0, kind: 'text' },
      { type: 'delta', part: 0, text: 'abc' },
      { type: 'close', part: 0 },
      { type: 'open', part: 1, choice: 0, kind: 'text' },
      // Before the text it is for, as Anthropic may send it.
      { type: 'citation', part: 1, citation: { url: 'https://a.example' } },
      { type: 'delta', part: 1, text: 'de' },
      { type: 'citation', part: 1, citation: { url: 'https://b.example', title: 'B', start: 1, end: 2 } },
      { type: 'citation', part: 1, citation: { text: 'a passage without an address' } },
      { type: 'logprobs', part: 1, logprobs: [{ token: 'de' }] },
      { type: 'close', part: 1 },
      { type: 'open', part: 2, choice: 0, kind: 'media', mime: 'image/png', data: 'QUJD' },
      { type: 'close', part: 2 },
      { type: 'open', part: 3, choice: 0, kind: 'media', mime: 'audio/wav', data: 'QUJD', transcript: 'Hey' },
      { type: 'close', part: 3 },
      { type: 'finish', choice: 0, reason: 'stop' },
    ]);
    expect(deltas(chunks).slice(3, -1)).toEqual([
      {},
      { images: [{ type: 'image_url', index: 0, image_url: { url: 'data:image/png;base64,QUJD' } }] },
      { audio: { id: 'audio_chatcmpl-a1_1', data: 'QUJD', transcript: 'Hey', expires_at: 9 } },
      // All at once: OpenAI's own SDK keeps only the last list.
      {
        annotations: [
          {
            type: 'url_citation',
            url_citation: { url: 'https://a.example', title: 'https://a.example', start_index: 3, end_index: 5 },
          },
          {
            type: 'url_citation',
            url_citation: { url: 'https://b.example', title: 'B', start_index: 4, end_index: 5 },
          },
        ],
      },
    ]);
    expect(chunks[3]?.choices[0]?.logprobs).toEqual({ content: [{ token: 'de' }], refusal: null });
  });

  it('a refusal says why, a pause says so', () => {
    const refused = write([start, { type: 'finish', choice: 0, reason: 'filter', detail: 'Not this.' }]);
    expect(refused.chunks.at(-1)?.choices[0]).toMatchObject({
      delta: { refusal: 'Not this.' },
      finish_reason: 'content_filter',
    });
    const paused = write([start, { type: 'finish', choice: 0, reason: 'pause' }]);
    expect(paused.chunks.at(-1)?.choices[0]).toMatchObject({ finish_reason: 'stop', stop_reason: 'pause_turn' });
  });

  it('reads back as what it was, streamed or whole, whatever an upstream tells', () => {
    const plain = (events: readonly ChatEvent[]) => {
      const { choices, usage: counted } = foldEvents(events);
      const parts = choices[0]?.parts ?? [];
      const of = (kind: string) =>
        parts.map((part) => (part.kind === kind && 'text' in part ? part.text : '')).join('');
      const calls = parts.flatMap((part) =>
        part.kind === 'toolCall' ? [{ ...part, arguments: part.arguments || '{}' }] : [],
      );
      const finish = choices[0]?.finish?.reason;
      return { text: of('text'), reasoning: of('reasoning'), calls, finish, usage: counted };
    };
    fc.assert(
      fc.property(arbitraryResponse, (events) => {
        const { text } = write(events, true);
        const streamed = readStreamText(openaiChatUpstream.createStreamReader({ identity }), text);
        expect(brokenRules(streamed)).toEqual([]);
        expect(plain(streamed)).toEqual(plain(events));
        const whole = openaiChatUpstream.readResponse(openaiChatClient.writeResponse(events, context), { identity });
        expect(plain(whole)).toEqual(plain(events));
      }),
      { numRuns: 300 },
    );
  });
});

describe('thinking that Anthropic signed', () => {
  const events = readFixtureStream(
    anthropicUpstream.createStreamReader({ identity }),
    'anthropic/message-thinking.sse',
  );

  /** What the OpenAI SDKs keep of a stream: texts joined, lists one behind the other. */
  function kept(chunks: Chunk[]): Record<string, unknown> {
    const message: Record<string, unknown> = { role: 'assistant' };
    for (const delta of deltas(chunks)) {
      for (const [key, value] of Object.entries(delta ?? {})) {
        if (typeof value === 'string' && key !== 'role')
          message[key] = `${(message[key] as string | undefined) ?? ''}${value}`;
        if (Array.isArray(value)) message[key] = [...((message[key] as unknown[] | undefined) ?? []), ...value];
      }
    }
    return message;
  }

  it('goes through a client of this protocol and back, streamed or whole (replay)', () => {
    const whole = openaiChatClient.writeResponse(events, context) as {
      choices: { message: Record<string, unknown> }[];
    };
    for (const message of [kept(write(events).chunks), whole.choices[0]?.message]) {
      const request = finish(
        openaiChatClient.readRequest({
          model: 'm',
          messages: [{ role: 'user', content: 'x' }, message, { role: 'user', content: 'y' }],
        }),
      );
      const { body, losses } = finish(
        anthropicUpstream.writeRequest(request, {
          model: 'claude-opus-4-7',
          defaultMaxOutput: 9,
        }),
      );
      expect((body.messages as { content: unknown }[])[1]?.content).toEqual([
        { type: 'thinking', thinking: 'Let me see.', signature: 'EqQB' },
        { type: 'redacted_thinking', data: 'EmwK' },
        { type: 'text', text: '42' },
      ]);
      expect(losses).toEqual([]);
    }
  });

  it('a signature that comes with a close is in the list, once', () => {
    const { chunks } = write([
      start,
      { type: 'open', part: 0, choice: 0, kind: 'reasoning' },
      { type: 'delta', part: 0, text: 'hm' },
      { type: 'close', part: 0, opaque: signature },
      { type: 'finish', choice: 0, reason: 'stop' },
    ]);
    expect(deltas(chunks).slice(1, 3)).toEqual([
      { reasoning_content: 'hm', reasoning_details: [{ type: 'reasoning.text', text: 'hm', index: 0 }] },
      { reasoning_details: [{ type: 'reasoning.text', signature: 's1', format: 'anthropic-claude-v1', index: 0 }] },
    ]);
  });
});
