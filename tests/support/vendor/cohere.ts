import { expect } from 'vitest';
import { json, type RecordedRequest, sse } from '../upstream-script.ts';
import { helloText } from './hello.ts';
import { ranks } from './rank.ts';
import type { ErrorFixture, VendorFixture } from './vendor-fixture.ts';

const key = 'cohere-key-0123456789';
const billed = {
  billed_units: { input_tokens: 21, output_tokens: 9 },
  tokens: { input_tokens: 87, output_tokens: 11 },
};
const usage = { ...billed, cached_tokens: 8 };
const call = {
  id: 'get_weather_p1',
  type: 'function',
  function: { name: 'get_weather', arguments: '{"city":"Paris"}' },
};
const empty = { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] };

const said = (type: string, message: object, index?: number) => ({
  type,
  ...(index !== undefined && { index }),
  delta: { message },
});
const start = { type: 'message-start', id: 'c1', delta: { message: empty } };
const end = (finish_reason: string) => ({ type: 'message-end', delta: { finish_reason, usage } });

function asked(path: string, body: object) {
  return (request: RecordedRequest) => {
    expect(request.path).toBe(path);
    expect(request.headers.authorization).toBe(`Bearer ${key}`);
    expect(request.json).toMatchObject(body);
  };
}

const failed = (title: string, status: number, message: string, kind: ErrorFixture['kind']): ErrorFixture => ({
  title,
  kind,
  response: json(status, { id: 'e1', message }),
});

export const cohere: VendorFixture = {
  type: 34,
  variant: '',
  channel: { key },
  lacks: {
    images: 'noApi',
    speech: 'noApi',
    transcription: 'noApi',
    balance: 'noApi',
  },
  chat: {
    model: 'command-a-vision-07-2025',
    usage: { prompt: 21, completion: 9, cached: 8 },
    text: {
      whole: json(200, {
        id: 'c1',
        finish_reason: 'COMPLETE',
        message: { role: 'assistant', content: [{ type: 'text', text: helloText }] },
        usage,
      }),
      stream: sse([
        start,
        said('content-start', { content: { type: 'text', text: '' } }, 0),
        said('content-delta', { content: { text: 'Hello from ' } }, 0),
        said('content-delta', { content: { text: 'upstream.' } }, 0),
        { type: 'content-end', index: 0 },
        end('COMPLETE'),
      ]),
      asked: asked('/v2/chat', {
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hi' },
        ],
      }),
    },
    tool: {
      whole: json(200, {
        id: 'c1',
        finish_reason: 'TOOL_CALL',
        message: { role: 'assistant', tool_plan: 'I will look.', tool_calls: [call] },
        usage,
      }),
      stream: sse([
        start,
        said('tool-plan-delta', { tool_plan: 'I will look.' }),
        said('tool-call-start', { tool_calls: { ...call, function: { name: 'get_weather', arguments: '' } } }, 0),
        said('tool-call-delta', { tool_calls: { function: { arguments: '{"city":' } } }, 0),
        said('tool-call-delta', { tool_calls: { function: { arguments: '"Paris"}' } } }, 0),
        { type: 'tool-call-end', index: 0 },
        end('TOOL_CALL'),
        '[DONE]',
      ]),
      asked: asked('/v2/chat', { tools: [{ type: 'function', function: { name: 'get_weather' } }] }),
    },
    vision: {
      asked: asked('/v2/chat', {
        messages: [
          { content: [{ type: 'text' }, { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw==' } }] },
        ],
      }),
    },
  },
  embeddings: {
    model: 'embed-v4.0',
    prompt: 2,
    response: json(200, {
      id: 'e1',
      embeddings: { float: [[0.1, 0.2, 0.3]] },
      texts: ['Hi'],
      meta: { api_version: { version: '2' }, billed_units: { input_tokens: 2 } },
    }),
    asked: asked('/v2/embed', {
      model: 'embed-v4.0',
      texts: ['Hi'],
      input_type: 'search_document',
      embedding_types: ['float'],
      truncate: 'END',
    }),
  },
  rerank: {
    model: 'rerank-v3.5',
    response: json(200, {
      id: 'r1',
      results: ranks,
      meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
    }),
    asked: asked('/v2/rerank', { query: 'fruit', documents: ['apple', 'banana'] }),
  },
  models: {
    response: json(200, { models: [{ name: 'command-a-03-2025', endpoints: ['chat'] }, { name: 'rerank-v3.5' }] }),
    found: ['command-a-03-2025', 'rerank-v3.5'],
    asked: (request) => expect(request.path).toBe('/v1/models?page_size=1000'),
  },
  errors: [
    failed('wrong key', 401, 'invalid api token', 'dead'),
    failed('wrong key, by their own number', 498, 'invalid token', 'dead'),
    failed('no payment method', 402, 'Please add a payment method.', 'balance'),
    failed('a model that is gone', 404, "model 'command' was removed", 'retry'),
    failed('the month of a trial key', 429, 'You are using a Trial key, limited to 1000 calls a month.', 'retry'),
    failed('overloaded', 503, 'overloaded', 'retry'),
    failed('too many tokens', 400, 'too many tokens: the most is 256000', 'client'),
    failed('wrong field', 422, 'unknown field: frequency', 'client'),
    failed('not implemented', 501, 'not implemented', 'client'),
    {
      title: 'an answer that broke off',
      response: json(200, { id: 'c1', finish_reason: 'ERROR', message: { role: 'assistant', content: [] } }),
      streamed: sse([start, { type: 'message-end', delta: { finish_reason: 'ERROR', error: 'internal' } }]),
      kind: 'retry',
    },
  ],
};
