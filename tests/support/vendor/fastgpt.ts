import { expect } from 'vitest';
import { type FakeResponse, json, sse } from '../upstream-script.ts';
import { openAiErrors } from './look-alike.ts';
import type { VendorFixture } from './vendor-fixture.ts';

const key = 'fastgpt-demo-64f335d84283f05518502e04';
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 1 };

/** Real responses name neither themselves nor their kind, and have no time. */
const unnamed = { id: '', object: '', created: 0, model: '' };

export function fastGptChunk(delta: object, finish_reason: string | null = null) {
  return { ...unnamed, choices: [{ delta, index: 0, finish_reason }] };
}

const refusal = (code: number, statusText: string, message: string): FakeResponse =>
  json(200, { code, statusText, message, data: null });

/** With a name on every event, as apps send when asked for details. */
export function named(...events: [name: string, data: unknown][]): FakeResponse {
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    pieces: events.map(([name, data]) =>
      Buffer.from(`event: ${name}\ndata: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`),
    ),
  };
}

export const fastGpt: VendorFixture = {
  type: 22,
  variant: '',
  channel: { key, path: '/api' },
  lacks: {
    tools: 'ownTools',
    vision: 'appSetting',
    embeddings: 'noApi',
    rerank: 'noApi',
    images: 'noApi',
    speech: 'noApi',
    transcription: 'noApi',
    models: 'appIsModel',
    balance: 'noApi',
  },
  chat: {
    model: 'gpt-3.5-turbo',
    text: {
      whole: json(200, {
        ...unnamed,
        usage,
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hello from upstream.' }, finish_reason: 'stop' }],
      }),
      stream: sse([
        fastGptChunk({ role: 'assistant', content: 'Hello ' }),
        fastGptChunk({ content: 'from upstream.' }),
        { ...fastGptChunk({}, 'stop'), usage },
        '[DONE]',
      ]),
      asked({ path, headers, json: body }) {
        expect(path).toBe('/api/v1/chat/completions');
        expect(headers.authorization).toBe(`Bearer ${key}`);
        expect(body).toMatchObject({
          messages: [
            { role: 'system', content: 'Be brief.' },
            { role: 'user', content: 'Hi' },
          ],
        });
        for (const absent of ['chatId', 'detail', 'stream_options']) expect(body).not.toHaveProperty(absent);
      },
    },
    usage: { prompt: 0, completion: 0 },
    usageSource: 'counted',
  },
  errors: [
    ...openAiErrors,
    { title: 'wrong key in a 200', response: refusal(514, 'unAuthApiKey', 'Key is error'), kind: 'dead' },
    { title: 'no points left', response: refusal(510, 'aiPointsNotEnough', 'Points are used up.'), kind: 'balance' },
    { title: 'flow failed', response: refusal(500, 'error', 'The flow failed.'), kind: 'retry' },
    {
      title: 'error event inside a stream',
      response: named(['error', { message: 'The model is busy.' }], ['answer', '[DONE]']),
      kind: 'retry',
    },
  ],
};
