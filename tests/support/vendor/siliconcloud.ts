import { expect } from 'vitest';
import { failure, json } from '../upstream-script.ts';
import { lookAlike, openAiErrors } from './look-alike.ts';
import { ranks } from './rank.ts';
import type { VendorFixture } from './vendor-fixture.ts';

const tokens = { input_tokens: 12, output_tokens: 0 };

/** Beside OpenAI's form, pictures and ranks of its own. */
export const siliconCloud: VendorFixture = {
  ...lookAlike({
    type: 40,
    lacks: {},
    chat: {
      model: 'deepseek-ai/DeepSeek-R1',
      words: {
        usage: {
          prompt_tokens: 21,
          completion_tokens: 9,
          total_tokens: 30,
          completion_tokens_details: { reasoning_tokens: 4 },
        },
        usageAt: 'every',
        stop: 'eos',
        thought: { reasoning_content: 'Hm.' },
      },
      usage: { prompt: 21, completion: 9, reasoning: 4 },
      vision: 'Qwen/Qwen2-VL-72B-Instruct',
    },
    embeddings: { model: 'BAAI/bge-m3' },
    speech: { model: 'FunAudioLLM/CosyVoice2-0.5B' },
    transcription: { model: 'FunAudioLLM/SenseVoiceSmall' },
    models: {},
    balance: {
      response: json(200, {
        code: 20000,
        message: 'OK',
        status: true,
        data: { balance: '0.88', totalBalance: '73.00' },
      }),
      dollars: 10,
    },
    errors: [
      ...openAiErrors,
      { title: 'a key as plain text', response: json(401, '"Api key is invalid"'), kind: 'dead' },
      {
        title: 'no balance',
        response: json(403, { code: 30001, message: 'balance insufficient', data: null }),
        kind: 'balance',
      },
      {
        title: 'a model that is off',
        response: json(403, { code: 30003, message: 'model disabled', data: null }),
        kind: 'retry',
      },
      {
        title: 'no such model',
        response: json(400, { code: 20012, message: 'Model does not exist', data: null }),
        kind: 'client',
      },
      {
        title: 'overloaded',
        response: failure(503, { code: 50505, message: 'Model service overloaded.' }),
        kind: 'retry',
      },
    ],
  }),
  images: {
    model: 'black-forest-labs/FLUX.1-schnell',
    response: json(200, {
      images: [{ url: 'https://img.example/a.png' }],
      timings: { inference: 0.9 },
      seed: 42,
    }),
    asked({ path, json: body }) {
      expect(path).toBe('/v1/images/generations');
      expect(body).toEqual({ model: 'black-forest-labs/FLUX.1-schnell', prompt: 'A fjord', batch_size: 1 });
    },
  },
  rerank: {
    model: 'BAAI/bge-reranker-v2-m3',
    prompt: 12,
    response: json(200, { id: 'rr1', results: ranks, meta: { tokens, billed_units: { ...tokens, search_units: 0 } } }),
    asked({ path, json: body }) {
      expect(path).toBe('/v1/rerank');
      expect(body).toMatchObject({ model: 'BAAI/bge-reranker-v2-m3', documents: ['apple', 'banana'] });
    },
  },
};
