import { expect } from 'vitest';
import { json } from '../upstream-script.ts';
import { ranks } from './rank.ts';
import type { VendorFixture } from './vendor-fixture.ts';

const key = 'jina_0123456789';
const noChat = 'embeddingsAndRerank';

export const jina: VendorFixture = {
  type: 38,
  variant: '',
  channel: { key },
  lacks: {
    chat: noChat,
    stream: noChat,
    tools: noChat,
    vision: noChat,
    images: noChat,
    speech: noChat,
    transcription: noChat,
    models: 'noApi',
    balance: 'noApi',
  },
  embeddings: {
    model: 'jina-embeddings-v3',
    prompt: 3,
    response: json(200, {
      model: 'jina-embeddings-v3',
      object: 'list',
      usage: { total_tokens: 3, prompt_tokens: 3 },
      data: [{ object: 'embedding', index: 0, embedding: [0.1, 0.2] }],
    }),
    asked({ path, headers, json: body }) {
      expect(path).toBe('/v1/embeddings');
      expect(headers.authorization).toBe(`Bearer ${key}`);
      expect(body).toEqual({ model: 'jina-embeddings-v3', input: 'Hi' });
    },
  },
  rerank: {
    model: 'jina-reranker-v2-base-multilingual',
    prompt: 15,
    response: json(200, {
      model: 'jina-reranker-v2-base-multilingual',
      usage: { total_tokens: 15 },
      results: ranks.map((rank) => ({ ...rank, document: { text: 'a fruit' } })),
    }),
    asked({ path, json: body }) {
      expect(path).toBe('/v1/rerank');
      expect(body).toEqual({
        model: 'jina-reranker-v2-base-multilingual',
        query: 'fruit',
        documents: ['apple', 'banana'],
      });
    },
  },
  errors: [
    { title: 'wrong key', response: json(401, { detail: 'Unauthorized' }), kind: 'dead' },
    { title: 'a key that may not', response: json(403, { detail: 'Forbidden' }), kind: 'dead' },
    { title: 'no money left', response: json(402, { detail: 'Insufficient account balance' }), kind: 'balance' },
    { title: 'a model that is not there', response: json(404, { detail: 'Model not found' }), kind: 'retry' },
    { title: 'too many requests', response: json(429, { detail: 'Rate limit' }), kind: 'retry' },
    { title: 'too slow', response: json(524, 'A timeout occurred'), kind: 'retry' },
    {
      title: 'wrong field',
      response: json(422, { detail: [{ loc: ['body', 'task'], msg: 'unknown task', type: 'value_error' }] }),
      kind: 'client',
    },
  ],
};
