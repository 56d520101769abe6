import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readResponseUsage, writeUsage } from '../../../../core/wire/openai-chat/usage.ts';
import { protocols } from '../../../../core/wire/registry.ts';

const plain = { prompt: 10, completion: 4, cachedRead: 0, cacheWrite: 0, reasoning: 0, audioInput: 0, audioOutput: 0 };
const openai = { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 };

describe('the usage an upstream reports', () => {
  const spellings: [string, unknown, object][] = [
    ['OpenAI', openai, {}],
    [
      'OpenAI with details',
      {
        ...openai,
        prompt_tokens_details: { cached_tokens: 3, cache_write_tokens: 2, audio_tokens: 4 },
        completion_tokens_details: { reasoning_tokens: 2, audio_tokens: 1 },
      },
      { cachedRead: 3, cacheWrite: 2, audioInput: 4, reasoning: 2, audioOutput: 1 },
    ],
    ['DeepSeek', { ...openai, prompt_cache_hit_tokens: 6, prompt_cache_miss_tokens: 4 }, { cachedRead: 6 }],
    ['Moonshot', { ...openai, cached_tokens: 5 }, { cachedRead: 5 }],
    ['Mistral', { ...openai, num_cached_tokens: 5 }, { cachedRead: 5 }],
    ['Mistral, singular', { ...openai, prompt_token_details: { cached_tokens: 5 } }, { cachedRead: 5 }],
    [
      'a reseller of Claude, inclusive',
      { ...openai, cache_read_input_tokens: 2, cache_creation_input_tokens: 3 },
      { cachedRead: 2, cacheWrite: 3 },
    ],
    [
      'a reseller of Claude, by lifetime',
      { ...openai, claude_cache_creation_5_m_tokens: 2, claude_cache_creation_1_h_tokens: 3 },
      { cacheWrite: 5, cacheWriteHour: 3 },
    ],
    [
      'Alibaba',
      {
        ...openai,
        prompt_tokens_details: {
          ...{ cached_tokens: 2, cache_creation_input_tokens: 5, cache_type: 'ephemeral' },
          cache_creation: { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 3 },
        },
      },
      { cachedRead: 2, cacheWrite: 5, cacheWriteHour: 3 },
    ],
    [
      'Alibaba, lifetimes alone',
      { ...openai, prompt_tokens_details: { cached_tokens: 0, cache_creation: { ephemeral_5m_input_tokens: 5 } } },
      { cacheWrite: 5 },
    ],
    [
      'Alibaba in its Responses',
      {
        ...{ input_tokens: 10, output_tokens: 4, input_tokens_details: { cached_tokens: 3 } },
        x_details: [{ input_tokens: 10, prompt_tokens_details: { cached_tokens: 3, cache_creation_input_tokens: 6 } }],
      },
      { cachedRead: 3, cacheWrite: 6 },
    ],
    [
      'a reseller of Claude that repeats among the details what was read',
      { ...openai, prompt_tokens_details: { cached_tokens: 9, cache_creation_input_tokens: 9 } },
      { cachedRead: 9 },
    ],
    [
      'LiteLLM',
      {
        ...openai,
        cache_creation_input_tokens: 5,
        prompt_tokens_details: {
          ...{ cached_tokens: 0, cache_creation_tokens: 5 },
          cache_creation_token_details: { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 3 },
        },
      },
      { cacheWrite: 5, cacheWriteHour: 3 },
    ],
    [
      'Anthropic',
      { input_tokens: 5, output_tokens: 4, cache_read_input_tokens: 3, cache_creation_input_tokens: 2 },
      { cachedRead: 3, cacheWrite: 2 },
    ],
    [
      'the Responses names',
      {
        input_tokens: 10,
        output_tokens: 4,
        input_tokens_details: { cached_tokens: 3 },
        output_tokens_details: { reasoning_tokens: 2 },
      },
      { cachedRead: 3, reasoning: 2 },
    ],
    [
      'more cached than prompt',
      { prompt_tokens: 2, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 8 } },
      { cachedRead: 8 },
    ],
    ['flat reasoning', { ...openai, reasoning_tokens: 3 }, { reasoning: 3 }],
    [
      'xAI, reasoning beside the completion',
      { prompt_tokens: 10, completion_tokens: 1, total_tokens: 14, completion_tokens_details: { reasoning_tokens: 3 } },
      { reasoning: 3 },
    ],
    ['a total that is not the sum', { ...openai, total_tokens: 99 }, {}],
    ['a total of nonsense', { ...openai, total_tokens: 'x' }, {}],
    ['no prompt but a total', { completion_tokens: 4, total_tokens: 14 }, {}],
    ['no completion but a total', { prompt_tokens: 10, completion_tokens: null, total_tokens: 14 }, {}],
    [
      'details of nonsense',
      { ...openai, prompt_tokens_details: { cached_tokens: '5', audio_tokens: -1 }, completion_tokens_details: 7 },
      {},
    ],
    [
      'parts beyond the whole',
      {
        ...openai,
        prompt_tokens_details: { audio_tokens: 99 },
        completion_tokens_details: { reasoning_tokens: 99, audio_tokens: 99 },
      },
      { audioInput: 10, reasoning: 4, audioOutput: 4 },
    ],
  ];
  it.each(spellings)('is understood as %s writes it', (_who, usage, parts) => {
    expect(readResponseUsage({ usage })).toEqual({ ...plain, ...parts });
  });

  it.each([
    ['missing', undefined],
    ['null', null],
    ['text', 'ten'],
    ['text counts', { prompt_tokens: '10', completion_tokens: '4' }],
    ['negative', { prompt_tokens: -1, completion_tokens: 4 }],
    ['a fraction', { prompt_tokens: 1.5, completion_tokens: 4 }],
    ['1e18', { prompt_tokens: 1e18, completion_tokens: 4 }],
    ['beyond ten million with its cache', { prompt_tokens: 9e6, completion_tokens: 0, cached_tokens: 9.9e6 }],
    ['null counts', { prompt_tokens: null, completion_tokens: null }],
    ['all zero', { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }],
    ['a total alone', { total_tokens: 70 }],
    ['seconds', { type: 'duration', seconds: 12 }],
    ['empty', {}],
  ])('is left out when it is %s, so that the call is counted', (_what, usage) => {
    expect(readResponseUsage({ usage })).toBeUndefined();
  });

  it('is found inside the choice and in vendor members', () => {
    expect(readResponseUsage({ choices: [{ usage: openai }] })).toEqual(plain);
    expect(readResponseUsage({ x_groq: { usage: openai } })).toEqual(plain);
    expect(readResponseUsage({ usage: null, choices: [null, { usage: openai }] })).toEqual(plain);
  });

  it('needs no completion for embeddings', () => {
    const read = protocols['openai-embedding'].readUsage;
    expect(read({ usage: { prompt_tokens: 8, total_tokens: 8 } })).toMatchObject({ prompt: 8, completion: 0 });
    expect(read({ usage: { total_tokens: 8 } })).toMatchObject({ prompt: 8, completion: 0 });
  });

  it('counts what an image model wrote as picture tokens', () => {
    const usage = {
      input_tokens: 50,
      output_tokens: 1056,
      input_tokens_details: { text_tokens: 10, image_tokens: 40 },
    };
    expect(protocols['openai-image'].readUsage({ usage })).toMatchObject({ imageInput: 40, imageOutput: 1056 });
  });

  it('is written back as it was read', () => {
    const usage = { ...plain, cachedRead: 3, cacheWrite: 2, reasoning: 2, audioInput: 1, audioOutput: 1 };
    expect(readResponseUsage({ usage: writeUsage(usage) })).toEqual(usage);
  });

  it('never comes out as anything but whole numbers in range, parts within their whole', () => {
    const names = [
      'prompt_tokens',
      'completion_tokens',
      'input_tokens',
      'output_tokens',
      'total_tokens',
      'cached_tokens',
      'num_cached_tokens',
      'prompt_cache_hit_tokens',
      'cache_read_input_tokens',
      'cache_creation_input_tokens',
      'reasoning_tokens',
      'audio_tokens',
      'image_tokens',
      'cache_write_tokens',
    ];
    const value = fc.oneof(
      fc.integer({ min: -5, max: 12_000_000 }),
      fc.double(),
      fc.constantFrom(null, '5', 1e18, -0, [], true),
      fc.nat(100),
    );
    const flat = fc.dictionary(fc.constantFrom(...names), value);
    const nested = fc
      .tuple(flat, flat, flat)
      .map(([usage, input, output]) => ({ ...usage, prompt_tokens_details: input, completion_tokens_details: output }));
    fc.assert(
      fc.property(nested, (usage) => {
        const read = readResponseUsage({ usage });
        if (!read) return;
        for (const count of Object.values(read))
          expect(Number.isInteger(count) && count >= 0 && count <= 10_000_000).toBe(true);
        expect(read.cachedRead + read.cacheWrite + read.audioInput + (read.imageInput ?? 0)).toBeLessThanOrEqual(
          read.prompt,
        );
        expect(read.audioOutput + (read.imageOutput ?? 0)).toBeLessThanOrEqual(read.completion);
        expect(read.reasoning).toBeLessThanOrEqual(read.completion);
      }),
      { numRuns: 3000 },
    );
  });
});
