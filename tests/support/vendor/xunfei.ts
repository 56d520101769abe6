import { expect } from 'vitest';
import { failure, json, type RecordedRequest, socketMessages } from '../upstream-script.ts';
import { lookAlike } from './look-alike.ts';
import type { ErrorFixture, VendorFixture } from './vendor-fixture.ts';

const key = 'abcd1234|YXBpc2VjcmV0MTIz|0f1e2d3c4b5a69788796a5b4c3d2e1f0';
const usage = { text: { question_tokens: 1, prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 } };

/** One message of the socket; the last one tells the usage. */
function message(text: Record<string, unknown>, seq: number, isLast: boolean) {
  const status = isLast ? 2 : Math.min(seq, 1);
  return {
    header: { code: 0, message: 'Success', sid: 'cht000b1', status },
    payload: {
      choices: { status, seq, text: [{ content: '', role: 'assistant', index: 0, ...text }] },
      ...(isLast && { usage }),
    },
  };
}

/** The upstream leaves the socket open: a call is over with its last message. */
function respond(...texts: Record<string, unknown>[]) {
  return socketMessages(
    texts.map((text, seq) => message(text, seq, seq === texts.length - 1)),
    'stall',
  );
}

function refusal(code: number, text: string, kind: ErrorFixture['kind']): ErrorFixture {
  const header = { code, message: text, sid: 'cht000b2', status: 2 };
  return { title: `${code} ${text}`, kind, response: socketMessages([{ header }], 'stall') };
}

const lacks = {
  vision: 'textOnly',
  embeddings: 'otherService',
  rerank: 'noApi',
  images: 'otherService',
  speech: 'otherService',
  transcription: 'otherService',
  models: 'noApi',
  balance: 'noApi',
} as const;

const clock = 'HMAC signature cannot be verified, a valid date or x-date header is required';

const socket: VendorFixture = {
  type: 18,
  variant: '',
  channel: { key, other: 'v3.5' },
  lacks,
  chat: {
    model: 'SparkDesk-v4.0',
    text: {
      stream: respond({ content: 'Hello ' }, { content: 'from ' }, { content: 'upstream.' }),
      asked({ path, json: body }: RecordedRequest) {
        const [address, query] = path.split('?');
        expect(address).toBe('/v4.0/chat');
        expect([...new URLSearchParams(query).keys()]).toEqual(['authorization', 'date', 'host']);
        expect(body).toMatchObject({
          header: { app_id: 'abcd1234' },
          parameter: { chat: { domain: '4.0Ultra' } },
          payload: {
            message: {
              text: [
                { role: 'system', content: 'Be brief.' },
                { role: 'user', content: 'Hi' },
              ],
            },
          },
        });
      },
    },
    tool: {
      stream: respond({ function_call: { name: 'get_weather', arguments: '{"city":"Paris"}' } }),
      asked({ json: body }) {
        const { payload } = body as { payload: { functions: { text: unknown[] } } };
        expect(payload.functions.text).toMatchObject([{ name: 'get_weather', parameters: { required: ['city'] } }]);
      },
    },
    usage: { prompt: 11, completion: 5 },
  },
  errors: [
    refusal(10_003, 'wrong schema', 'client'),
    refusal(10_008, 'service at capacity', 'retry'),
    refusal(10_013, 'input is blocked', 'policy'),
    refusal(10_110, 'service busy', 'retry'),
    refusal(10_907, 'too many tokens', 'contextLength'),
    refusal(11_200, 'AppIdNoAuthError', 'balance'),
    refusal(11_202, 'too many calls a second', 'retry'),
    refusal(11_500, 'auth failed', 'dead'),
    { title: 'wrong signature', response: json(401, { message: 'HMAC signature does not match' }), kind: 'dead' },
    { title: 'unknown key', response: json(403, { message: 'HMAC signature cannot be verified' }), kind: 'dead' },
    { title: 'clock skew by its words', response: json(403, { message: clock }), kind: 'retry' },
    {
      title: 'clock skew by its date',
      response: json(403, { message: 'forbidden' }, { date: 'Tue, 14 Nov 2023 22:13:20 GMT' }),
      kind: 'retry',
    },
    { title: 'broken gateway', response: failure(502), kind: 'retry' },
    { title: 'nothing said', response: socketMessages([]), kind: 'retry' },
    { title: 'a binary message', response: socketMessages([Buffer.from('{}')], 'stall'), kind: 'retry' },
  ],
};

const password = 'AbCdEfGhIjKlMnOp:QrStUvWxYz012345';

const http = lookAlike({
  type: 18,
  variant: 'http',
  channel: { key: password },
  lacks,
  chat: {
    model: '4.0Ultra',
    words: {
      extra: { code: 0, message: 'Success', sid: 'cha000b' },
      usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
    },
    usage: { prompt: 7, completion: 3 },
  },
  errors: [
    {
      title: 'no authorization',
      response: failure(500, { message: 'AppIdNoAuthError:(sid)', code: '11200' }),
      kind: 'balance',
    },
    { title: 'a code in a 200', response: json(200, { code: 10_013, message: 'blocked', sid: 'c' }), kind: 'policy' },
    { title: 'calls a second', response: failure(429, { message: 'qps', code: '11202' }), kind: 'retry' },
    { title: 'wrong password', response: failure(401, { message: 'HMAC secret key does not match' }), kind: 'dead' },
  ],
});

export const xunfei: VendorFixture[] = [socket, http];
