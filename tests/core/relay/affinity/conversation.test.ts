import { describe, expect, it } from 'vitest';
import { Affinity } from '../../../../core/relay/affinity/affinity.ts';
import { type ConversationCall, conversationOf } from '../../../../core/relay/affinity/conversation.ts';
import { attachedTo } from '../../../../core/relay/affinity/rendezvous.ts';
import type { RoutedChannel } from '../../../../core/services/routing.ts';

type Json = Record<string, unknown>;

const headersOf = (headers: Record<string, string>) =>
  ({ protocol: { chat: {} }, caller: { userId: 1 }, clientHeaders: headers }) as unknown as ConversationCall['call'];
const call = (json: Json | undefined, headers: Record<string, string> = {}, promptTokens = 2000) =>
  conversationOf({ call: headersOf(headers), model: 'm', json, promptTokens });
const idOf = (json: Json | undefined, headers?: Record<string, string>) => call(json, headers)?.id;

const long = 'Answer as a lawyer would. '.repeat(400);
const part = (text: string, more: Json = {}) => ({ type: 'text', text, ...more });

/** The same conversation at its first and at a later turn, as clients of each protocol send it. */
const turns: Record<string, (first: string, system?: string) => [Json, Json]> = {
  'chat completions': (first, system = long) => {
    const begin = [
      { role: 'system', content: system },
      { role: 'user', content: first },
    ];
    const later = [...begin, { role: 'assistant', content: 'Yes.' }, { role: 'user', content: 'And then?' }];
    return [{ messages: begin }, { messages: later, temperature: 1 }];
  },
  'Anthropic messages': (first, system = long) => {
    const mark = { cache_control: { type: 'ephemeral' } };
    const begin = { role: 'user', content: [part(first, mark)] };
    const later = [
      { role: 'user', content: [part(first)] },
      { role: 'assistant', content: 'Yes.' },
    ];
    const next = { role: 'user', content: [part('And then?', mark)] };
    return [
      { system: [part(system)], messages: [begin] },
      { system: [part(system, mark)], messages: [...later, next] },
    ];
  },
  Gemini: (first, system = long) => {
    const begin = { role: 'user', parts: [{ text: first }] };
    const more = [{ role: 'model', parts: [{ text: 'Yes.' }] }, { parts: [{ text: 'And then?' }] }];
    const systemInstruction = { parts: [{ text: system }] };
    return [
      { systemInstruction, contents: [begin] },
      { systemInstruction, contents: [begin, ...more] },
    ];
  },
  Responses: (first, system = long) => {
    const begin = { role: 'user', content: [{ type: 'input_text', text: first }] };
    const more = [
      { type: 'message', role: 'assistant', content: 'Yes.' },
      { role: 'user', content: 'And then?' },
    ];
    return [
      { instructions: system, input: [begin] },
      { instructions: system, input: [begin, ...more] },
    ];
  },
};

describe.each(Object.entries(turns))('a conversation of %s', (_name, turnsOf) => {
  it('is known by its begin in every turn, and told apart from others', () => {
    const [first, later] = turnsOf('Who wrote Faust?');
    expect(idOf(first)).toMatch(/^[\da-f]{16}$/);
    expect(idOf(later)).toBe(idOf(first));
    expect(idOf(turnsOf('Who wrote Hamlet?')[0])).not.toBe(idOf(first));
    expect(idOf(turnsOf('Who wrote Faust?', `${long}!`)[0])).not.toBe(idOf(first));
  });

  it('needs no place when its prompt is too short to be cached anywhere', () => {
    expect(call(turnsOf('Hi')[0], {}, 1023)).toBeUndefined();
    expect(call(turnsOf('Hi')[0], {}, 1024)?.id).toBe(idOf(turnsOf('Hi')[1]));
  });
});

describe('the identity of a conversation', () => {
  const [json] = turns['chat completions']?.('Hi') ?? [];

  it('is the name that a client gives it, however it begins and however short it is', () => {
    const named = { prompt_cache_key: 'thread-7' };
    expect(call({ ...json, ...named }, {}, 5)?.id).toBe(idOf({ ...named, messages: [] }));
    expect(idOf({ ...json, prompt_cache_key: 'thread-8' })).not.toBe(idOf({ ...json, ...named }));
    for (const header of ['session_id', 'x-session-id', 'conversation_id', 'x-claude-code-session-id']) {
      expect(call(json, { [header]: 'a' }, 5)?.id).toBe(idOf(undefined, { [header]: 'a' }));
      expect(idOf(json, { [header]: 'b' })).not.toBe(idOf(json, { [header]: 'a' }));
    }
    expect(idOf({ ...json, conversation: { id: 'c-1' } })).toBe(idOf({ conversation: 'c-1' }));
  });

  it('differs by caller, model and the user whom a caller names', () => {
    const of = (userId: number, model: string) =>
      conversationOf({
        call: { ...headersOf({}), caller: { userId } } as ConversationCall['call'],
        model,
        json,
        promptTokens: 2000,
      })?.id;
    expect(new Set([of(1, 'm'), of(2, 'm'), of(1, 'n')]).size).toBe(3);
    expect(idOf({ ...json, user: 'ann' })).not.toBe(idOf({ ...json, user: 'bob' }));
    expect(idOf({ ...json, metadata: { user_id: 'ann' } })).not.toBe(idOf({ ...json, metadata: { user_id: 'bob' } }));
  });

  it.each<[Json, number]>([
    [{ prompt_cache_retention: '24h' }, 86_400],
    [{ cache_control: { type: 'ephemeral', ttl: '1h' } }, 3600],
    [{ system: [part('x', { cache_control: { ttl: '1h' } })] }, 3600],
    [{ tools: [{ name: 't', cache_control: { ttl: '1h' } }] }, 3600],
    [{ messages: [{ role: 'user', content: [part('x', { cache_control: { ttl: '1h' } })] }] }, 3600],
    [{ cache_control: { type: 'ephemeral', ttl: '5m' } }, 0],
    [{ system: null, tools: 'none' }, 0],
  ])('comes with how long its prompt is to be cached: %j', (more, seconds) => {
    expect(call({ ...json, prompt_cache_key: 'k', ...more })?.cacheSeconds).toBe(seconds);
  });

  it('is none without a message of a user, and for members that are not what they should be', () => {
    expect(call({ messages: [{ role: 'system', content: long }] })).toBeUndefined();
    expect(call({ messages: [{ role: 'assistant' }], metadata: 7, user: null })).toBeUndefined();
    expect(call(undefined)).toBeUndefined();
  });
});

describe('the channel of a conversation', () => {
  const channels = (...weights: number[]) =>
    weights.map((weight, index) => ({ id: index + 1, weight }) as RoutedChannel);
  const tickets = ({ weight }: RoutedChannel) => weight;
  const place = (index: number, usable: RoutedChannel[]) => {
    const id = idOf({ prompt_cache_key: `conversation ${index}` }) ?? '';
    return attachedTo({ conversation: { id, cacheSeconds: 0 }, channelId: 0 }, usable, tickets)?.id ?? 0;
  };
  const many = Array.from({ length: 6000 }, (_, index) => index);

  it('is chosen by weight over all conversations', () => {
    const shares = [0, 0, 0, 0];
    for (const index of many)
      shares[place(index, channels(10, 30, 60)) ?? 0] = (shares[place(index, channels(10, 30, 60))] ?? 0) + 1;
    const [, one = 0, two = 0, three = 0] = shares.map((count) => count / many.length);
    expect(Math.abs(one - 0.1)).toBeLessThan(0.02);
    expect(Math.abs(two - 0.3)).toBeLessThan(0.03);
    expect(Math.abs(three - 0.6)).toBeLessThan(0.03);
  });

  it('stays when another channel joins or leaves, but for those that go to it or were on it', () => {
    for (const index of many.slice(0, 500)) {
      const before = place(index, channels(10, 10, 10));
      const after = place(index, channels(10, 10, 10, 10));
      expect([before, 4]).toContain(after);
      if (before !== 3) expect(place(index, channels(10, 10))).toBe(before);
    }
  });

  it('is remembered for its minutes, longer for a longer cache, and at most for 20,000 conversations', () => {
    let now = 0;
    const affinity = new Affinity(
      () => 600,
      () => now,
    );
    const plan = { tiers: [channels(10, 10)], pinned: false };
    const attach = (json: Json) => {
      const attachment = affinity.attach({ call: headersOf({}), model: 'm', json, promptTokens: 5 }, plan);
      if (!attachment) throw new Error('it has no conversation');
      return attachment;
    };
    const short = { prompt_cache_key: 'short' };
    const kept = { prompt_cache_key: 'kept', prompt_cache_retention: '24h' };
    affinity.served(attach(short), 2);
    affinity.served(attach(kept), 1);
    now = 599_000;
    expect([attach(short).channelId, attach(kept).channelId]).toEqual([2, 1]);
    now = 601_000;
    expect([attach(short).channelId, attach(kept).channelId]).toEqual([0, 1]);
    for (const index of Array.from({ length: 20_000 }, (_, at) => at))
      affinity.served(attach({ prompt_cache_key: `${index}` }), 2);
    expect([attach(kept).channelId, attach({ prompt_cache_key: '19999' }).channelId]).toEqual([0, 2]);
  });
});
