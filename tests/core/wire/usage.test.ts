import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prepareRates, priceQuota } from '../../../core/billing/price.ts';
import { ratesFor } from '../../../core/billing/rates.ts';
import type { ChatClientCodec, ChatUpstreamCodec, StreamContext } from '../../../core/canonical/chat-codec.ts';
import type { ChatEvent } from '../../../core/canonical/chat-event.ts';
import { emptyUsage, type ServiceTier, type Usage } from '../../../core/canonical/usage.ts';
import { finish } from '../../../core/lib/steps.ts';
import { anthropicClient } from '../../../core/wire/anthropic-messages/client-codec.ts';
import { anthropicUpstream } from '../../../core/wire/anthropic-messages/upstream-codec.ts';
import { geminiClient } from '../../../core/wire/gemini/client-codec.ts';
import { geminiUpstream } from '../../../core/wire/gemini/upstream-codec.ts';
import { openaiChatClient } from '../../../core/wire/openai-chat/client-codec.ts';
import { openaiChatUpstream } from '../../../core/wire/openai-chat/upstream-codec.ts';
import { openaiResponsesClient } from '../../../core/wire/openai-responses/client-codec.ts';
import { openaiResponsesUpstream } from '../../../core/wire/openai-responses/upstream-codec.ts';

const identity = { id: 'x1', model: 'acme', created: 1_767_322_800 };
const request = finish(openaiChatClient.readRequest({ model: 'acme', messages: [{ role: 'user', content: 'x' }] }));
const context: StreamContext = { identity, promptTokens: 1, wantsUsage: true, request };

const tables = {
  modelRatio: { acme: 1.37 },
  modelPrice: {},
  completionRatio: { acme: 4.3 },
  cacheRatio: { acme: 0.13 },
  createCacheRatio: { acme: 1.25 },
  audioRatio: { acme: 7 },
  longPrompt: { acme: { above: 200_000, prompt: 2, cached: 2, completion: 1.5 } },
  serviceTierRatio: { flex: 0.5, batch: 0.5, priority: 2, fast: 6, us: 1.1 },
  groupRatio: { default: 0.9 },
  quotaPerUnit: 500_000,
  selfUse: false,
};
const prepared = prepareRates({ ...ratesFor(tables, 'acme', 'default'), imageRatio: 3, imageCompletionRatio: 2 });
const priceOf = (usage: Usage) => priceQuota(prepared, usage);

/** A call with each token in one part at most, as sane upstreams count. */
const count = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 300_000 }));
const parts = fc.record({
  text: fc.integer({ min: 1, max: 300_000 }),
  cachedRead: count,
  minutes: count,
  hour: count,
  audioInput: count,
  imageInput: count,
  response: count,
  reasoning: count,
  audioOutput: count,
  imageOutput: count,
});
const searches = fc.integer({ min: 0, max: 5 });

function usageOf(given: Partial<Record<string, number>>): Usage {
  const { text = 0, cachedRead = 0, minutes = 0, hour = 0, audioInput = 0, imageInput = 0 } = given;
  const { response = 0, reasoning = 0, audioOutput = 0, imageOutput = 0 } = given;
  return {
    prompt: text + cachedRead + minutes + hour + audioInput + imageInput,
    completion: response + reasoning + audioOutput + imageOutput,
    cachedRead,
    cacheWrite: minutes + hour,
    reasoning,
    audioInput,
    audioOutput,
    ...(hour > 0 && { cacheWriteHour: hour }),
    ...(imageInput > 0 && { imageInput }),
    ...(imageOutput > 0 && { imageOutput }),
  };
}

interface Pair {
  name: string;
  client: ChatClientCodec;
  upstream: ChatUpstreamCodec;
  /** What the protocol has no words for. */
  cannot: string[];
  tiers: ServiceTier[][];
  searches: boolean;
}

const openaiTiers: ServiceTier[][] = [[], ['flex'], ['priority'], ['batch']];
const pairs: Pair[] = [
  {
    name: 'OpenAI chat',
    client: openaiChatClient,
    upstream: openaiChatUpstream,
    cannot: [],
    tiers: openaiTiers,
    searches: true,
  },
  {
    name: 'OpenAI Responses',
    client: openaiResponsesClient,
    upstream: openaiResponsesUpstream,
    cannot: [],
    tiers: openaiTiers,
    searches: true,
  },
  {
    name: 'Anthropic Messages',
    client: anthropicClient,
    upstream: anthropicUpstream,
    searches: true,
    cannot: ['audioInput', 'audioOutput', 'imageInput', 'imageOutput'],
    tiers: [[], ['batch'], ['priority'], ['fast'], ['us'], ['fast', 'us']],
  },
  {
    name: 'Gemini',
    client: geminiClient,
    upstream: geminiUpstream,
    searches: false,
    cannot: ['minutes', 'hour'],
    tiers: [[], ['flex'], ['priority']],
  },
];

describe('usage', () => {
  it.each(pairs)('in $name, written and read again, costs the same', (pair) => {
    const tiers = fc.constantFrom(...pair.tiers);
    fc.assert(
      fc.property(parts, searches, tiers, (given, searched, serviceTiers) => {
        const usage: Usage = {
          ...usageOf({ ...given, ...Object.fromEntries(pair.cannot.map((part) => [part, 0])) }),
          ...(pair.searches && searched > 0 && { serverTools: { web_search: searched } }),
          ...(serviceTiers.length > 0 && { serviceTiers }),
        };
        const events: ChatEvent[] = [
          { type: 'start', id: 'x1', model: 'acme', created: identity.created },
          { type: 'open', part: 0, choice: 0, kind: 'text' },
          { type: 'delta', part: 0, text: 'Hi' },
          { type: 'close', part: 0 },
          { type: 'usage', usage },
          { type: 'finish', choice: 0, reason: 'stop' },
          { type: 'end' },
        ];
        const again = pair.upstream.readResponse(pair.client.writeResponse(events, context), { identity });
        const read = again.findLast((event) => event.type === 'usage')?.usage;
        expect(read).toEqual(usage);
        expect(priceOf(read ?? emptyUsage)).toBe(priceOf(usage));
      }),
      { numRuns: 300 },
    );
  });

  it('of one call costs the same whichever protocol the upstream speaks', () => {
    const responses: [ChatUpstreamCodec, unknown][] = [
      [
        openaiChatUpstream,
        {
          choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
          usage: {
            prompt_tokens: 520,
            completion_tokens: 42,
            total_tokens: 562,
            prompt_tokens_details: { cached_tokens: 400, audio_tokens: 0 },
            completion_tokens_details: { reasoning_tokens: 12 },
          },
        },
      ],
      [
        openaiResponsesUpstream,
        {
          id: 'resp_1',
          status: 'completed',
          output: [],
          usage: {
            input_tokens: 520,
            output_tokens: 42,
            total_tokens: 562,
            input_tokens_details: { cached_tokens: 400, cache_write_tokens: 0 },
            output_tokens_details: { reasoning_tokens: 12 },
          },
        },
      ],
      [
        anthropicUpstream,
        {
          content: [{ type: 'text', text: 'Hi' }],
          stop_reason: 'end_turn',
          usage: {
            input_tokens: 120,
            cache_read_input_tokens: 400,
            cache_creation_input_tokens: 0,
            output_tokens: 42,
            output_tokens_details: { thinking_tokens: 12 },
          },
        },
      ],
      [
        geminiUpstream,
        {
          candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP', index: 0 }],
          usageMetadata: {
            promptTokenCount: 500,
            toolUsePromptTokenCount: 20,
            cachedContentTokenCount: 400,
            candidatesTokenCount: 30,
            thoughtsTokenCount: 12,
            totalTokenCount: 562,
          },
        },
      ],
    ];
    const expected = { ...emptyUsage, prompt: 520, completion: 42, cachedRead: 400, reasoning: 12 };
    for (const [upstream, response] of responses) {
      const usages = upstream.readResponse(response, { identity }).filter((event) => event.type === 'usage');
      expect([upstream.protocol, usages.at(-1)?.usage]).toEqual([upstream.protocol, expected]);
    }
  });
});
