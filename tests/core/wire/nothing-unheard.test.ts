import { describe, expect, it } from 'vitest';
import type { StreamContext } from '../../../core/canonical/chat-codec.ts';
import type { ChatEvent, FinishReason } from '../../../core/canonical/chat-event.ts';
import type { ChatProtocol } from '../../../core/canonical/chat-request.ts';
import { emptyUsage } from '../../../core/canonical/usage.ts';
import { writeJson } from '../../../core/lib/raw-json.ts';
import { clients } from '../../support/chat-codecs.ts';
import { brokenRules } from '../../support/chat-events.ts';
import { chatRequest } from '../../support/chat-request.ts';

const names = Object.keys(clients) as ChatProtocol[];
type Events = readonly ChatEvent[];
type Open = Extract<ChatEvent, { type: 'open' }>;

const start: ChatEvent = { type: 'start', id: 'a1', model: 'm', created: 9 };
const openText: ChatEvent = { type: 'open', part: 0, choice: 0, kind: 'text' };
const said: ChatEvent = { type: 'delta', part: 0, text: 'SAID' };
const close: ChatEvent = { type: 'close', part: 0 };
const end: ChatEvent = { type: 'end' };
const signature = { origin: 'anthropic-messages', kind: 'signature', value: 'c2ln' } as const;
const finish = (reason: FinishReason, more: object = {}): ChatEvent => ({ type: 'finish', choice: 0, reason, ...more });
const response = (...parts: ChatEvent[]): Events => [start, ...parts, finish('stop'), end];
const plain = response(openText, said, close);
const opened = (open: Omit<Open, 'type' | 'part' | 'choice'>, ...more: ChatEvent[]): Events =>
  response({ type: 'open', part: 0, choice: 0, ...open } as Open, ...more, close);
const logprob = { token: 'SAID', logprob: -0.5, bytes: [83], top_logprobs: [] };

interface Case {
  events: Events;
  /** The same response without it. */
  without?: Events;
}

/** One of every kind of event, and of what it may carry; a kind that is added must be added here. */
const kinds: Record<Exclude<ChatEvent['type'], 'open' | 'close' | 'error' | 'end' | 'start'>, Case> = {
  delta: { events: plain, without: response(openText, close) },
  citation: {
    events: response(
      openText,
      said,
      { type: 'citation', part: 0, citation: { url: 'https://a.b/c', title: 'A' } },
      close,
    ),
  },
  logprobs: { events: response(openText, said, { type: 'logprobs', part: 0, logprobs: [logprob] }, close) },
  usage: {
    events: [start, openText, said, close, { type: 'usage', usage: { ...emptyUsage, prompt: 7 } }, finish('stop'), end],
  },
  ping: { events: response(openText, said, { type: 'ping' }, close) },
  finish: { events: [start, openText, said, close, finish('length'), end] },
};
const parts: Record<Open['kind'], Case> = {
  text: { events: plain, without: response() },
  refusal: { events: opened({ kind: 'refusal' }, said), without: response() },
  reasoning: { events: opened({ kind: 'reasoning' }, said), without: response() },
  toolCall: { events: opened({ kind: 'toolCall', id: 'c1', name: 'read' } as Open), without: response() },
  media: { events: opened({ kind: 'media', mime: 'image/png', data: 'UElD' } as Open), without: response() },
  native: {
    events: opened({ kind: 'native', origin: 'gemini', raw: { type: 'x', id: 'i' } } as Open),
    without: response(),
  },
};
const native = (origin: ChatProtocol): Case => ({
  events: opened({ kind: 'native', origin, raw: { type: 'x', id: 'i' } } as Open),
  without: response(),
});
const rest: Record<string, Case> = {
  'a custom call': {
    events: opened({ kind: 'toolCall', id: 'c1', name: 'patch', custom: true } as Open, said),
    without: opened({ kind: 'toolCall', id: 'c1', name: 'patch', custom: true } as Open),
  },
  'a sound': {
    events: opened({ kind: 'media', mime: 'audio/wav', data: 'UElD', transcript: 'SAID' } as Open),
    without: response(),
  },
  'a signature of thinking': {
    events: response({ ...openText, kind: 'reasoning' } as Open, said, { ...close, opaque: signature } as ChatEvent),
    without: opened({ kind: 'reasoning' }, said),
  },
  'a signature of a call': {
    events: opened({ kind: 'toolCall', id: 'c1', name: 'read', opaque: { ...signature, origin: 'gemini' } } as Open),
    without: opened({ kind: 'toolCall', id: 'c1', name: 'read' } as Open),
  },
  'a second answer': {
    events: [
      start,
      openText,
      said,
      close,
      { ...openText, part: 1, choice: 1 } as Open,
      { ...said, part: 1 },
      { ...close, part: 1 },
      finish('stop'),
      end,
    ],
  },
  'a filter': { events: [start, openText, said, close, finish('filter'), end] },
  'why it was filtered': {
    events: [start, openText, said, close, finish('filter', { detail: 'WHY' }), end],
    without: [start, openText, said, close, finish('filter'), end],
  },
  'the text that stopped it': {
    events: [start, openText, said, close, finish('stop', { stopSequence: 'END' }), end],
  },
  'a pause': { events: [start, openText, said, close, finish('pause'), end] },
  'a block of OpenAI’s': native('openai-responses'),
  'a block of Claude’s': native('anthropic-messages'),
};

/** What a protocol has no place for. Its clients cannot ask for most of it. */
const unheard: Record<ChatProtocol, string[]> = {
  'openai-chat': ['part native', 'the text that stopped it', 'a block of OpenAI’s', 'a block of Claude’s'],
  'openai-responses': ['part native', 'the text that stopped it', 'a block of Claude’s', 'a second answer', 'a pause'],
  'anthropic-messages': ['logprobs', 'part native', 'a block of OpenAI’s', 'a second answer'],
  gemini: ['ping', 'the text that stopped it', 'a pause', 'a block of OpenAI’s', 'a block of Claude’s'],
};

const cases: [string, Case][] = [
  ...Object.entries(kinds),
  ...Object.entries(parts).map(([name, one]): [string, Case] => [`part ${name}`, one]),
  ...Object.entries(rest),
];

describe.each(names)('everything that an upstream sends to a %s client', (client) => {
  const context: StreamContext = {
    identity: { id: 'id1', model: 'asked', created: 7 },
    promptTokens: 1,
    wantsUsage: true,
    request: chatRequest(),
  };

  function streamed(events: Events): string {
    const writer = clients[client].createStreamWriter(context);
    const usage = events.find((event) => event.type === 'usage')?.usage ?? emptyUsage;
    const text = events.map((event) => (event.type === 'end' ? '' : writer.event(event))).join('') + writer.end(usage);
    // Numbers tell only how many events there were.
    return text.replaceAll(/"sequence_number":\d+,?/g, '');
  }
  const whole = (events: Events) => writeJson(clients[client].writeResponse(events, context));

  it.each(cases)('is passed on, or has no place there: %s', (name, { events, without = plain }) => {
    expect(brokenRules(events)).toEqual([]);
    const isUnheard = unheard[client].includes(name);
    expect(streamed(events) !== streamed(without)).toBe(!isUnheard);
    if (name !== 'ping') expect(whole(events) !== whole(without)).toBe(!isUnheard);
  });
});
