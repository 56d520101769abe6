import { expect } from 'vitest';
import { failure, json, sse } from '../upstream-script.ts';
import type { VendorFixture } from './vendor-fixture.ts';

const model = 'gpt-3.5-turbo';

const piece = (content: string, finish = false) => ({ content, finish, model, documents: [] });

export const aiProxyLibrary: VendorFixture = {
  type: 21,
  variant: '',
  channel: { key: 'key-of-type-21', other: '77' },
  lacks: {
    tools: 'ownTools',
    vision: 'textOnly',
    embeddings: 'noApi',
    rerank: 'noApi',
    images: 'noApi',
    speech: 'noApi',
    transcription: 'noApi',
    models: 'noApi',
  },
  chat: {
    model,
    text: {
      whole: json(200, { success: true, answer: 'Hello from upstream.', documents: [], errCode: 0, message: '' }),
      stream: sse([piece('Hello from '), piece('upstream.', true)]),
      asked({ path, headers, json: body }) {
        expect(path).toBe('/api/library/ask');
        expect(headers.authorization).toBe('Bearer key-of-type-21');
        expect(body).toEqual({ model, query: 'Hi', libraryId: '77', stream: expect.any(Boolean) });
      },
    },
    usage: { prompt: 0, completion: 0 },
    usageSource: 'counted',
  },
  errors: [
    {
      title: 'wrong key',
      response: json(200, { success: false, errCode: 1001, message: 'invalid api key' }),
      kind: 'dead',
    },
    {
      title: 'no points left',
      response: json(200, { success: false, errCode: 9, message: '余额不足' }),
      kind: 'balance',
    },
    {
      title: 'empty question',
      response: json(200, { success: false, errCode: 2, message: 'no query' }),
      kind: 'client',
    },
    { title: 'broken server', response: failure(500), kind: 'retry' },
  ],
  balance: {
    response: json(200, { success: true, message: '', error_code: 0, data: { totalPoints: 12.34 } }),
    asked({ path, headers }) {
      expect(path).toBe('/api/report/getUserOverview');
      expect(headers['api-key']).toBe('key-of-type-21');
    },
    dollars: 12.34,
  },
};
