import { expect } from 'vitest';
import { type FakeResponse, failure, json } from '../upstream-script.ts';
import { lookAlike, openAiErrors } from './look-alike.ts';
import type { ErrorFixture, VendorFixture } from './vendor-fixture.ts';

const key = '0123456789abcdef0123456789abcdef.s3cretS3cret1234';
const usage = { prompt_tokens: 6, completion_tokens: 4, total_tokens: 10 };
const common = { request_id: '8000fy', task_id: '8000fy', task_status: 'SUCCESS' };

/** Data is plain text here, and the last event has no blank line behind it. */
function stream(...texts: string[]): FakeResponse {
  const events = texts.map((text) => `event:add\nid:8000fy\ndata:${text}\n\n`);
  const last = `event:finish\nid:8000fy\ndata:\nmeta:${JSON.stringify({ ...common, usage })}\n`;
  const headers = { 'content-type': 'text/event-stream;charset=UTF-8' };
  return { status: 200, headers, pieces: [...events, last].map((text) => Buffer.from(text)) };
}

function refusal(code: number, msg: string, kind: ErrorFixture['kind']): ErrorFixture {
  const body = { code, msg, success: false };
  const event = `event:error\nid:8000fy\ndata:${JSON.stringify(body)}\n\n`;
  const headers = { 'content-type': 'text/event-stream' };
  const streamed = { status: 200, headers, pieces: [Buffer.from(event)] };
  return { title: `${code} ${msg}`, kind, response: json(200, body), streamed };
}

export const zhipuOlder: VendorFixture = {
  type: 16,
  variant: 'v3',
  channel: { key },
  lacks: {
    tools: 'otherVersion',
    vision: 'otherVersion',
    embeddings: 'version4',
    images: 'version4',
    rerank: 'noApi',
    speech: 'noApi',
    transcription: 'noApi',
    models: 'version4',
    balance: 'noApi',
  },
  chat: {
    model: 'chatglm_turbo',
    text: {
      whole: json(200, {
        code: 200,
        msg: 'ok',
        success: true,
        data: { ...common, choices: [{ role: 'assistant', content: '"Hello from upstream."' }], usage },
      }),
      stream: stream('Hello', ' from', ' upstream.'),
      asked({ path, headers, json: body }) {
        expect(path).toMatch(/^\/api\/paas\/v3\/model-api\/chatglm_turbo\/(sse-)?invoke$/);
        expect(headers.authorization).toMatch(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/);
        expect(body).toMatchObject({
          prompt: [
            { role: 'user', content: 'Be brief.' },
            { role: 'assistant', content: 'Okay' },
            { role: 'user', content: 'Hi' },
          ],
          incremental: path.endsWith('/sse-invoke'),
        });
      },
    },
    usage: { prompt: 6, completion: 4 },
  },
  errors: [
    refusal(1002, 'token invalid', 'dead'),
    refusal(1113, 'in arrears', 'balance'),
    refusal(1214, 'wrong parameter', 'client'),
    refusal(1301, 'unsafe content', 'policy'),
    refusal(1302, 'concurrency', 'retry'),
    { title: 'broken gateway', response: failure(502), kind: 'retry' },
  ],
};

const newer = lookAlike({
  type: 26,
  lacks: {
    rerank: 'noApi',
    speech: 'noApi',
    transcription: 'noApi',
    balance: 'noApi',
  },
  chat: {
    model: 'glm-4-plus',
    path: '/api/paas/v4/chat/completions',
    words: { usage: { prompt_tokens: 6, completion_tokens: 2, total_tokens: 8 }, usageAt: 'finish' },
    usage: { prompt: 6, completion: 2 },
  },
  embeddings: { model: 'embedding-3', path: '/api/paas/v4/embeddings' },
  models: { path: '/api/paas/v4/models' },
  errors: [
    ...openAiErrors,
    { title: 'arrears', response: failure(429, { code: '1113', message: 'in arrears' }), kind: 'balance' },
    { title: 'frequency', response: failure(429, { code: '1303', message: 'too often' }), kind: 'retry' },
    { title: 'unsafe', response: failure(400, { code: '1301', message: 'unsafe' }), kind: 'policy' },
  ],
});

/** Version 4, with a key that goes as it is. */
export const zhipuNewer: VendorFixture = {
  ...newer,
  ...(newer.chat && {
    chat: {
      ...newer.chat,
      vision: {
        model: 'glm-4v-plus',
        // Pictures go without the beginning of their address.
        asked: ({ body }) => expect(body.toString('utf8')).toContain('"url":"iVBORw=="'),
      },
    },
  }),
  images: {
    model: 'cogview-3-plus',
    response: json(200, { created: 1_700_000_000, data: [{ url: 'https://p.example.com/1.png' }], content_filter: [] }),
    asked({ path, json: body }) {
      expect(path).toBe('/api/paas/v4/images/generations');
      expect(body).toEqual({ model: 'cogview-3-plus', prompt: 'A fjord' });
    },
  },
};
