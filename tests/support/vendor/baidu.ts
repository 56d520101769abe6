import { expect } from 'vitest';
import { failure, json, type RecordedRequest, sse } from '../upstream-script.ts';
import { lookAlike, openAiErrors } from './look-alike.ts';
import type { ErrorFixture, VendorFixture } from './vendor-fixture.ts';

const secretKey = 'SKdemo5f2a9c77b1e04d';
export const baiduToken = '24.0123456789abcdef.2592000.1702592000.282335-demo';
const common = { id: 'as-fx01', object: 'chat.completion', created: 1_700_000_000, need_clear_history: false };
const usage = (completion: number) => ({
  prompt_tokens: 5,
  completion_tokens: completion,
  total_tokens: 5 + completion,
});

function respond(members: Record<string, unknown>) {
  return { ...common, is_truncated: false, usage: usage(4), ...members };
}

function events(...list: Record<string, unknown>[]) {
  return sse(
    list.map((members, place) =>
      respond({ sentence_id: place, is_end: place === list.length - 1, usage: usage(place + 2), ...members }),
    ),
  );
}

const call = { result: '', function_call: { name: 'get_weather', arguments: '{"city":"Paris"}', thoughts: 'look' } };

function refusal(code: number, message: string, kind: ErrorFixture['kind']): ErrorFixture {
  return {
    title: `${code} ${message}`,
    kind,
    response: json(200, { error_code: code, error_msg: message, id: 'as-e' }),
  };
}

function asked(path: string) {
  return (request: RecordedRequest) => {
    expect(request.path).toBe(`/rpc/2.0/ai_custom/v1/wenxinworkshop/${path}?access_token=${baiduToken}`);
    expect(request.headers).not.toHaveProperty('authorization');
  };
}

const lacksMedia = { images: 'otherVersion', speech: 'noApi', transcription: 'noApi' } as const;

const older: VendorFixture = {
  type: 15,
  variant: '',
  channel: { key: `AKdemo|${secretKey}` },
  prepare(upstream) {
    upstream.route(
      '/oauth/2.0/token',
      json(200, { access_token: baiduToken, expires_in: 2_592_000, refresh_token: '25.x', scope: 'public' }),
    );
  },
  lacks: {
    ...lacksMedia,
    vision: 'textOnly',
    rerank: 'otherVersion',
    models: 'noApi',
    balance: 'noApi',
  },
  chat: {
    model: 'ERNIE-4.0-8K',
    text: {
      whole: json(200, respond({ result: 'Hello from upstream.', finish_reason: 'normal' })),
      stream: events({ result: 'Hello ' }, { result: 'from ' }, { result: 'upstream.' }),
      asked(request) {
        asked('chat/completions_pro')(request);
        expect(request.json).toMatchObject({ system: 'Be brief.', messages: [{ role: 'user', content: 'Hi' }] });
      },
    },
    tool: {
      whole: json(200, respond({ ...call, finish_reason: 'function_call' })),
      stream: events({ result: '' }, { result: '' }, call),
      asked({ json: body }) {
        const { functions } = body as { functions: unknown[] };
        expect(functions).toMatchObject([{ name: 'get_weather', parameters: { required: ['city'] } }]);
      },
    },
    usage: { prompt: 5, completion: 4 },
  },
  embeddings: {
    model: 'Embedding-V1',
    prompt: 3,
    response: json(200, {
      id: 'as-fx03',
      object: 'embedding_list',
      created: 1_700_000_000,
      data: [{ object: 'embedding', embedding: [0.25, -0.5], index: 0 }],
      usage: { prompt_tokens: 3, total_tokens: 3 },
    }),
    asked(request) {
      asked('embeddings/embedding-v1')(request);
      expect(request.json).toEqual({ input: ['Hi'] });
    },
  },
  errors: [
    refusal(4, 'Open api request limit reached', 'retry'),
    refusal(17, 'Open api daily request limit reached', 'balance'),
    refusal(14, 'IAM Certification failed', 'dead'),
    refusal(110, 'Access token invalid or no longer valid', 'dead'),
    refusal(6, 'No permission to access data', 'retry'),
    refusal(336_000, 'Internal error', 'retry'),
    refusal(336_501, 'Rate limit reached for RPM', 'retry'),
    refusal(336_003, 'the length of messages must be an odd number', 'client'),
    refusal(336_103, 'the max input length is 2000', 'contextLength'),
    refusal(336_505, 'the content is not allowed', 'policy'),
    { title: 'broken gateway', response: failure(502), kind: 'retry' },
  ],
};

const v2Errors: ErrorFixture[] = [
  ...openAiErrors.filter(({ title }) => title !== 'filtered'),
  {
    title: 'no permission',
    response: failure(401, { type: 'access_denied', code: 'access_denied', message: 'No permission' }),
    kind: 'dead',
  },
  {
    title: 'tokens a minute',
    response: failure(429, { type: 'rate_limit_exceeded', code: 'rate_limit_exceeded', message: 'tpm' }),
    kind: 'retry',
  },
  { title: 'arrears', response: failure(403, { code: 'account_overdue_error', message: 'overdue' }), kind: 'balance' },
  {
    title: 'too long',
    response: failure(400, { code: 'tokens_too_long', message: 'too long' }),
    kind: 'contextLength',
  },
];

function newer(type: number, variant: string, key: string): VendorFixture {
  const [token = '', appId] = key.split('|');
  const fixture = lookAlike({
    type,
    variant,
    errors: v2Errors,
    channel: { key: token },
    lacks: { ...lacksMedia, rerank: 'noApi', balance: 'noApi' },
    chat: {
      model: 'ernie-4.5-turbo-vl',
      path: '/v2/chat/completions',
      words: {
        usage: { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 },
        thought: { reasoning_content: 'Short.' },
      },
      usage: { prompt: 9, completion: 5 },
      vision: true,
    },
    embeddings: { model: 'embedding-v1', path: '/v2/embeddings' },
    models: { path: '/v2/models' },
    headers: { authorization: `Bearer ${token}`, ...(appId && { appid: appId }) },
  });
  return { ...fixture, channel: { key } };
}

export const baidu: VendorFixture[] = [
  older,
  newer(15, 'newer key', 'bce-v3/ALTAK-demo123456/0f1e2d3c4b5a'),
  newer(46, '', 'bce-v3/ALTAK-demo123456/0f1e2d3c4b5a'),
  newer(46, 'application', 'bce-v3/ALTAK-demo123456/0f1e2d3c4b5a|app-x1y2z3'),
];
