import { expect } from 'vitest';
import { type FakeResponse, json } from '../upstream-script.ts';
import { lookAlike, openAiErrors } from './look-alike.ts';
import type { VendorFixture } from './vendor-fixture.ts';

const time = '2026-01-02T03:04:05Z';
const model = 'llama3.2';
const end = { done: true, done_reason: 'stop', prompt_eval_count: 26, eval_count: 4, total_duration: 900_000_000 };

/** One JSON object per line, each in its own packet. */
export function jsonLines(...lines: unknown[]): FakeResponse {
  return {
    status: 200,
    headers: { 'content-type': 'application/x-ndjson' },
    pieces: lines.map((line) => Buffer.from(`${JSON.stringify(line)}\n`)),
  };
}

export function said(message: Record<string, unknown>, rest: Record<string, unknown> = { done: false }) {
  return { model, created_at: time, message: { role: 'assistant', content: '', ...message }, ...rest };
}

const embeddings: VendorFixture['embeddings'] = {
  model: 'all-minilm',
  response: json(200, { model: 'all-minilm', embeddings: [[0.5, -0.25]], prompt_eval_count: 7 }),
  asked({ path, json: body }) {
    expect(path).toBe('/api/embed');
    expect(body).toMatchObject({ model: 'all-minilm', input: ['Hi'] });
  },
  prompt: 7,
};

const models: VendorFixture['models'] = {
  response: json(200, { models: [{ name: 'llama3.2:latest' }, { name: 'all-minilm:latest' }] }),
  asked: ({ path }) => expect(path).toBe('/api/tags'),
  found: ['all-minilm:latest', 'llama3.2:latest'],
};

const noAccount = 'selfHosted';

/** The compatible routes, which are the default. */
export const ollama: VendorFixture = {
  ...lookAlike({
    type: 4,
    lacks: { rerank: 'noApi', balance: noAccount },
    chat: {
      model,
      words: {
        usage: { prompt_tokens: 26, completion_tokens: 4, total_tokens: 30 },
        thought: { reasoning: 'greet' },
      },
      usage: { prompt: 26, completion: 4 },
      vision: true,
    },
    images: { model: 'flux' },
    speech: { model: 'kokoro' },
    transcription: { model: 'whisper' },
    errors: openAiErrors,
  }),
  embeddings,
  models,
};

const call = { tool_calls: [{ function: { name: 'get_weather', arguments: { city: 'Paris' } } }] };

export const ollamaNative: VendorFixture = {
  type: 4,
  variant: 'native',
  channel: { key: 'none', setting: { options: { num_ctx: 8192 }, keep_alive: '10m' } },
  lacks: {
    rerank: 'noApi',
    images: 'compatibleOnly',
    speech: 'compatibleOnly',
    transcription: 'compatibleOnly',
    balance: noAccount,
  },
  chat: {
    model,
    text: {
      whole: json(200, said({ content: 'Hello from upstream.' }, end)),
      stream: jsonLines(said({ content: 'Hello' }), said({ content: ' from upstream.' }), said({}, end)),
      asked({ path, json: body }) {
        expect(path).toBe('/api/chat');
        expect(body).toMatchObject({
          model,
          messages: [
            { role: 'system', content: 'Be brief.' },
            { role: 'user', content: 'Hi' },
          ],
          options: { num_ctx: 8192 },
          keep_alive: '10m',
        });
      },
    },
    tool: {
      whole: json(200, said(call, end)),
      stream: jsonLines(said(call), said({}, end)),
      asked({ json: body }) {
        expect(body).toMatchObject({ tools: [{ type: 'function', function: { name: 'get_weather' } }] });
      },
    },
    vision: {
      asked({ json: body }) {
        const { messages } = body as { messages: unknown[] };
        expect(messages.at(-1)).toMatchObject({ role: 'user', images: ['iVBORw=='] });
      },
    },
    usage: { prompt: 26, completion: 4 },
  },
  embeddings,
  errors: [
    { title: 'model not pulled', response: json(404, { error: 'model "x" not found, try pulling it' }), kind: 'retry' },
    { title: 'no tools', response: json(400, { error: '"x" does not support tools' }), kind: 'retry' },
    { title: 'bad request', response: json(400, { error: 'invalid format' }), kind: 'client' },
    { title: 'cloud key refused', response: json(401, { error: 'unauthorized' }), kind: 'dead' },
    { title: 'proxy refuses the key', response: json(403, { error: 'forbidden' }), kind: 'dead' },
    { title: 'queue full', response: json(503, { error: 'server busy, please try again' }), kind: 'retry' },
    {
      title: 'error in a 200',
      response: json(200, { error: 'model requires more system memory' }),
      streamed: jsonLines({ error: 'model requires more system memory' }),
      kind: 'retry',
    },
  ],
  models,
};
