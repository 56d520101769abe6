import { expect } from 'vitest';
import { json } from '../upstream-script.ts';
import { lookAlike, openAiErrors } from './look-alike.ts';
import { ranks } from './rank.ts';
import type { VendorFixture } from './vendor-fixture.ts';

/** A server of the operator's own; only its ranks differ. */
export const xinference: VendorFixture = {
  ...lookAlike({
    type: 47,
    lacks: { balance: 'selfHosted' },
    chat: {
      model: 'qwen2.5-instruct',
      words: { usage: { prompt_tokens: 21, completion_tokens: 9, total_tokens: 30 } },
      usage: { prompt: 21, completion: 9 },
      vision: 'qwen2-vl-instruct',
    },
    embeddings: { model: 'bge-m3' },
    images: { model: 'sdxl-turbo' },
    speech: { model: 'CosyVoice-300M' },
    transcription: { model: 'whisper-large-v3' },
    models: {},
    errors: [
      ...openAiErrors,
      { title: 'plain detail', response: json(400, { detail: 'Invalid input' }), kind: 'client' },
    ],
  }),
  rerank: {
    model: 'bge-reranker-v2-m3',
    response: json(200, {
      id: 'c8b9-rerank',
      results: ranks.map((rank) => ({ ...rank, document: null })),
      meta: { api_version: null, billed_units: null, tokens: null, warnings: null },
    }),
    asked({ path, json: body }) {
      expect(path).toBe('/v1/rerank');
      expect(body).toMatchObject({ query: 'fruit', documents: ['apple', 'banana'] });
    },
  },
};
