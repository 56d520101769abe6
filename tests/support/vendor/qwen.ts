import { expect } from 'vitest';
import { type FakeResponse, json, type RecordedRequest } from '../upstream-script.ts';
import { helloText } from './hello.ts';
import { lookAlike } from './look-alike.ts';
import { ranks } from './rank.ts';
import type { ErrorFixture, VendorFixture } from './vendor-fixture.ts';

const key = 'sk-dashscope-0123456789';
const services = '/api/v1/services';

const failed = (title: string, status: number, code: string, kind: ErrorFixture['kind']): ErrorFixture => ({
  title,
  kind,
  response: json(status, { code, message: `It says ${title}.`, request_id: 'r1' }),
  streamed: streamOf([
    `event:error\n:HTTP_STATUS/${status}\ndata:${JSON.stringify({ code, message: 'x', request_id: 'r' })}`,
  ]),
});

const nativeErrors: ErrorFixture[] = [
  failed('wrong key', 401, 'InvalidApiKey', 'dead'),
  failed('arrears', 400, 'Arrearage', 'balance'),
  failed('filtered', 400, 'DataInspectionFailed', 'policy'),
  failed('wrong field', 400, 'InvalidParameter', 'client'),
  failed('a model that is not granted', 403, 'AccessDenied.Unpurchased', 'retry'),
  failed('too many requests', 429, 'Throttling.RateQuota', 'retry'),
  failed('broken server', 500, 'InternalError.Algo', 'retry'),
];

const compatibleErrors: ErrorFixture[] = [
  {
    title: 'wrong key',
    response: json(401, {
      error: { message: 'Incorrect API key', type: 'invalid_request_error', code: 'invalid_api_key' },
    }),
    kind: 'dead',
  },
  {
    title: 'a limit per minute',
    response: json(429, { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } }),
    kind: 'retry',
  },
  {
    title: 'filtered',
    response: json(400, { error: { message: 'Inappropriate', code: 'data_inspection_failed' } }),
    kind: 'policy',
  },
  { title: 'arrears', response: json(400, { error: { message: 'Overdue', code: 'Arrearage' } }), kind: 'balance' },
];

const noSound = {
  speech: 'webSocketOnly',
  transcription: 'audioByUrl',
} as const;

export function askedNatively(path: string, body: object, headers: object = {}) {
  return (request: RecordedRequest) => {
    expect(request.path).toBe(`${services}/${path}`);
    expect(request.headers).toMatchObject({ authorization: `Bearer ${key}`, ...headers });
    expect(request.json).toMatchObject(body);
  };
}

/** Begun by the first call, and done when it is asked for the second time. */
export function drawing(): (request: RecordedRequest) => FakeResponse {
  let questions = 0;
  return ({ method, path }) => {
    if (method === 'POST') return json(200, { output: { task_status: 'PENDING', task_id: 't-1' }, request_id: 'r1' });
    expect(path).toBe('/api/v1/tasks/t-1');
    questions += 1;
    if (questions === 1) return json(200, { output: { task_id: 't-1', task_status: 'RUNNING' }, request_id: 'r2' });
    const results = [{ url: 'https://img.example/1.png' }];
    return json(200, {
      request_id: 'r3',
      usage: { image_count: 1 },
      output: {
        task_id: 't-1',
        task_status: 'SUCCEEDED',
        results,
        task_metrics: { TOTAL: 1, SUCCEEDED: 1, FAILED: 0 },
      },
    });
  };
}

const rerank: NonNullable<VendorFixture['rerank']> = {
  model: 'gte-rerank-v2',
  prompt: 79,
  response: json(200, { output: { results: ranks }, usage: { total_tokens: 79 }, request_id: 'r1' }),
  asked: askedNatively('rerank/text-rerank/text-rerank', {
    model: 'gte-rerank-v2',
    input: { query: 'fruit', documents: ['apple', 'banana'] },
    parameters: {},
  }),
};

const images: NonNullable<VendorFixture['images']> = {
  model: 'wanx-v1',
  response: drawing(),
  asked: askedNatively(
    'aigc/text2image/image-synthesis',
    { model: 'wanx-v1', input: { prompt: 'A fjord' }, parameters: { n: 1 } },
    { 'x-dashscope-async': 'enable' },
  ),
};

const compatible: VendorFixture = {
  ...lookAlike({
    type: 17,
    channel: { key },
    lacks: { ...noSound, balance: 'noApi' },
    chat: {
      model: 'qwen-plus',
      path: '/compatible-mode/v1/chat/completions',
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
      vision: 'qwen-vl-plus',
    },
    embeddings: { model: 'text-embedding-v4', path: '/compatible-mode/v1/embeddings' },
    models: { path: '/compatible-mode/v1/models' },
    errors: compatibleErrors,
  }),
  rerank,
  images,
};

/** As DashScope frames them: no space behind the colon, and the status in a comment. */
function streamOf(events: string[]): FakeResponse {
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream;charset=UTF-8' },
    pieces: events.map((event, index) => Buffer.from(`id:${index + 1}\n${event}\n\n`)),
  };
}

const usage = {
  input_tokens: 21,
  output_tokens: 9,
  total_tokens: 30,
  prompt_tokens_details: { cached_tokens: 8 },
  output_tokens_details: { reasoning_tokens: 4 },
};

function resultOf(message: object, finish: string, counts: object = usage) {
  return { output: { choices: [{ message, finish_reason: finish }] }, usage: counts, request_id: 'rq-1' };
}

function results(...parts: [message: object, finish: string][]): FakeResponse {
  const started = { input_tokens: 21, output_tokens: 1, total_tokens: 22 };
  return streamOf(
    parts.map(([message, finish]) => {
      const result = resultOf({ role: 'assistant', ...message }, finish, finish === 'null' ? started : usage);
      return `event:result\n:HTTP_STATUS/200\ndata:${JSON.stringify(result)}`;
    }),
  );
}

const call = { id: 'call_p1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } };
const piece = (text: string, more: object = {}) => ({
  index: 0,
  id: '',
  type: 'function',
  ...more,
  function: { arguments: text, ...('id' in more && { name: 'get_weather' }) },
});

const native: VendorFixture = {
  type: 17,
  variant: 'native',
  channel: { key, other: '{"calculator":{}}', setting: { native: true } },
  lacks: { ...noSound, balance: 'noApi', models: 'sameType' },
  chat: {
    model: 'qwen-plus',
    usage: { prompt: 21, completion: 9, cached: 8, reasoning: 4 },
    text: {
      whole: json(200, resultOf({ role: 'assistant', content: helloText }, 'stop')),
      stream: results(
        [{ content: 'Hello from ' }, 'null'],
        [{ content: 'upstream.' }, 'null'],
        [{ content: '' }, 'stop'],
      ),
      asked: (request) => {
        const messages = [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hi' },
        ];
        const parameters = { result_format: 'message' };
        const plugin = { 'x-dashscope-plugin': '{"calculator":{}}' };
        const path = 'aigc/text-generation/generation';
        askedNatively(path, { model: 'qwen-plus', input: { messages }, parameters }, plugin)(request);
        const { stream, parameters: sent } = request.json as {
          stream?: unknown;
          parameters: { incremental_output?: true };
        };
        expect(stream).toBeUndefined();
        expect(request.headers['x-dashscope-sse']).toBe(sent.incremental_output ? 'enable' : undefined);
      },
    },
    tool: {
      whole: json(200, resultOf({ role: 'assistant', content: '', tool_calls: [call] }, 'tool_calls')),
      stream: results(
        [{ content: '', tool_calls: [piece('', { id: 'call_p1' })] }, 'null'],
        [{ content: '', tool_calls: [piece('{"city":')] }, 'null'],
        [{ content: '', tool_calls: [piece('"Paris"}')] }, 'null'],
        [{ content: '' }, 'tool_calls'],
      ),
      asked: askedNatively('aigc/text-generation/generation', { parameters: { tools: [{ type: 'function' }] } }),
    },
    vision: {
      model: 'qwen-vl-max',
      asked: askedNatively('aigc/multimodal-generation/generation', {
        input: {
          messages: [
            { role: 'user', content: [{ text: 'What is this?' }, { image: 'data:image/png;base64,iVBORw==' }] },
          ],
        },
      }),
    },
  },
  embeddings: {
    model: 'text-embedding-v1',
    prompt: 2,
    response: json(200, {
      usage: { total_tokens: 2 },
      request_id: 'r1',
      output: { embeddings: [{ text_index: 0, embedding: [0.1, 0.2] }] },
    }),
    asked: askedNatively('embeddings/text-embedding/text-embedding', {
      model: 'text-embedding-v1',
      input: { texts: ['Hi'] },
      parameters: { text_type: 'document' },
    }),
  },
  rerank,
  images: { ...images, response: drawing() },
  errors: nativeErrors,
};

export const qwenFixtures: VendorFixture[] = [compatible, native];
