import { expect } from 'vitest';
import { failure, json } from '../upstream-script.ts';
import { lookAlike } from './look-alike.ts';
import type { ErrorFixture, VendorFixture } from './vendor-fixture.ts';

const root = '/client/v4/accounts/acc1/ai';
const chatModel = '@cf/meta/llama-3.1-8b-instruct';

/** The vendor's envelope. */
function refused(title: string, kind: ErrorFixture['kind'], status: number, code: number, message: string) {
  const body = { success: false, errors: [{ code, message }], messages: [], result: null };
  return { title, kind, response: json(status, body) };
}

export const cloudflare: VendorFixture = {
  ...lookAlike({
    type: 39,
    channel: { other: 'acc1' },
    lacks: {
      rerank: 'ownFormat',
      speech: 'ownFormat',
      balance: 'noApi',
    },
    chat: {
      model: chatModel,
      path: `${root}/v1/chat/completions`,
      words: { usage: { prompt_tokens: 11, completion_tokens: 2, total_tokens: 13 }, usageAt: 'finish' },
      usage: { prompt: 11, completion: 2 },
      vision: true,
      body: { max_tokens: expect.any(Number) },
    },
    embeddings: { model: '@cf/baai/bge-m3', path: `${root}/v1/embeddings` },
    models: {
      path: `${root}/models/search`,
      response: { success: true, result: [{ id: '0f002249-7d86-4698-aabf-8529ed86cefb', name: chatModel }] },
      found: [chatModel],
    },
    errors: [
      refused('wrong token', 'dead', 401, 10000, 'Authentication error'),
      refused('blocked account', 'dead', 403, 3023, 'Account blocked'),
      refused('terms not accepted', 'retry', 403, 5016, 'Model terms are not accepted'),
      refused('no such model', 'retry', 400, 5007, 'No such model'),
      refused('wrong data', 'client', 400, 5004, 'AiError: invalid data'),
      refused('free allocation used up', 'retry', 429, 3036, 'You have used up your daily free allocation'),
      refused('out of capacity', 'retry', 429, 3040, 'Out of capacity'),
      refused('envelope in a 200', 'client', 200, 5004, 'AiError: invalid data'),
      { title: 'broken server', response: failure(500), kind: 'retry' },
    ],
  }),
  images: {
    model: '@cf/black-forest-labs/flux-1-schnell',
    response: json(200, { result: { image: 'iVBORw==' }, success: true, errors: [], messages: [] }),
    asked({ path, json: body }) {
      expect(path).toBe(`${root}/run/@cf/black-forest-labs/flux-1-schnell`);
      expect(body).toEqual({ prompt: 'A fjord' });
    },
  },
  transcription: {
    model: '@cf/openai/whisper',
    text: 'Silence.',
    response: json(200, { result: { text: 'Silence.', word_count: 1 }, success: true, errors: [], messages: [] }),
    asked({ path, headers, body }) {
      expect(path).toBe(`${root}/run/@cf/openai/whisper`);
      expect(headers['content-type']).toBe('application/octet-stream');
      expect(body.toString('latin1', 0, 4)).toBe('RIFF');
    },
  },
};
