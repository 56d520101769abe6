import { json } from '../upstream-script.ts';
import { type LookAlike, lookAlike, openAiErrors } from './look-alike.ts';
import type { VendorFixture } from './vendor-fixture.ts';

const balances: Record<number, VendorFixture['balance']> = {
  10: { response: json(200, { success: true, data: { totalPoints: 12.5 } }), dollars: 12.5 },
  12: { response: json(200, { object: 'credit_summary', total_remaining: 7.25 }), dollars: 7.25 },
  13: { response: json(200, { object: 'credit_summary', total_available: 3 }), dollars: 3 },
};

/** Gateways like this one: they pass on what OpenAI offers. */
function reseller(type: number): LookAlike {
  const balance = balances[type];
  return {
    type,
    lacks: balance ? {} : { balance: 'noApi' },
    chat: {
      model: 'gpt-4o-mini',
      words: {
        usage: {
          prompt_tokens: 21,
          completion_tokens: 9,
          total_tokens: 30,
          prompt_tokens_details: { cached_tokens: 8 },
          completion_tokens_details: { reasoning_tokens: 4 },
        },
      },
      usage: { prompt: 21, completion: 9, cached: 8, reasoning: 4 },
      vision: true,
    },
    embeddings: { model: 'text-embedding-3-small' },
    rerank: { model: 'jina-reranker-v2-base-multilingual' },
    images: { model: 'dall-e-3' },
    speech: { model: 'tts-1' },
    transcription: { model: 'whisper-1' },
    models: {},
    ...(balance && { balance }),
    errors: openAiErrors,
  };
}

export const resellers: VendorFixture[] = [6, 7, 9, 10, 12, 13].map((type) => lookAlike(reseller(type)));
