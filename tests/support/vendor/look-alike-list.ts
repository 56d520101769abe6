import { failure, json, sse } from '../upstream-script.ts';
import { type LookAlike, lookAlike, openAiErrors } from './look-alike.ts';
import type { ErrorFixture, VendorFixture } from './vendor-fixture.ts';

const noMedia = {
  images: 'noApi',
  speech: 'noApi',
  transcription: 'noApi',
} as const;
const noRerank = { rerank: 'noApi' } as const;
const noEmbeddings = { embeddings: 'noApi' } as const;
const noBalance = { balance: 'noApi' } as const;

const plainUsage = { prompt_tokens: 21, completion_tokens: 9, total_tokens: 30 };

/** Errors of vendors that say the same in words of their own, and then what only they say. */
function errorsWith(...own: ErrorFixture[]): ErrorFixture[] {
  const titles = own.map(({ title }) => title);
  return [...openAiErrors.filter(({ title }) => !titles.includes(title)), ...own];
}

function error(title: string, kind: ErrorFixture['kind'], status: number, body: unknown): ErrorFixture {
  return { title, kind, response: json(status, body) };
}

const vendors: LookAlike[] = [
  {
    type: 19,
    lacks: { ...noMedia, ...noRerank, ...noBalance, vision: 'textOnly' },
    chat: {
      model: '360gpt-pro',
      words: { usage: plainUsage, usageAt: 'finish', extra: { context: null } },
      usage: { prompt: 21, completion: 9 },
    },
    embeddings: { model: 'embedding_s1_v1' },
    models: {},
    errors: errorsWith(
      error('filtered', 'policy', 400, { error: { code: '1004', message: 'The content was refused.', type: '' } }),
      error('no money left', 'balance', 403, { error: { code: '1010', message: '账户余额不足', type: '' } }),
    ),
  },
  {
    type: 20,
    callHeaders: { 'x-title': 'Tollgate' },
    lacks: { ...noMedia, ...noRerank },
    chat: {
      model: 'openai/gpt-4o-mini',
      words: {
        usage: {
          ...plainUsage,
          cost: 0.00014,
          is_byok: false,
          prompt_tokens_details: { cached_tokens: 8 },
          completion_tokens_details: { reasoning_tokens: 4 },
        },
        extra: { provider: 'OpenAI' },
        thought: { reasoning: 'A greeting.' },
        comment: 'OPENROUTER PROCESSING',
      },
      usage: { prompt: 21, completion: 9, cached: 8, reasoning: 4 },
      vision: true,
    },
    embeddings: { model: 'openai/text-embedding-3-small' },
    models: {},
    balance: { response: json(200, { data: { total_credits: 20, total_usage: 7.5 } }), dollars: 12.5 },
    errors: [
      error('wrong key', 'dead', 401, { error: { code: 401, message: 'No auth credentials found' } }),
      error('no credits', 'balance', 402, {
        error: { code: 402, message: 'Insufficient credits', metadata: { limit_source: 'openrouter_credits' } },
      }),
      {
        title: 'a budget of calls under way',
        response: failure(402, { code: 402, message: 'Too much is under way', headers: { 'retry-after': '30' } }),
        kind: 'retry',
      },
      error('moderated', 'policy', 403, { error: { code: 403, message: 'Your input was flagged', metadata: {} } }),
      error('wrong field', 'client', 400, { error: { code: 400, message: 'Wrong temperature' } }),
      error('too many requests', 'retry', 429, { error: { code: 429, message: 'Rate limited' } }),
      {
        title: 'a provider that failed, with status 200',
        response: json(200, { error: { code: 502, message: 'Provider returned error' } }),
        streamed: sse([
          {
            id: 'gen-1',
            object: 'chat.completion.chunk',
            created: 1_767_322_800,
            model: 'openai/gpt-4o-mini',
            error: { code: 502, message: 'Provider failed' },
            choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
          },
        ]),
        kind: 'retry',
      },
    ],
  },
  {
    type: 25,
    lacks: { ...noMedia, ...noRerank, ...noEmbeddings },
    chat: {
      model: 'moonshot-v1-8k',
      words: { usage: { ...plainUsage, cached_tokens: 8 }, usageAt: 'choice' },
      usage: { prompt: 21, completion: 9, cached: 8 },
      vision: 'moonshot-v1-8k-vision-preview',
    },
    models: {},
    balance: {
      response: json(200, {
        code: 0,
        scode: '0x0',
        status: true,
        data: { available_balance: 73, voucher_balance: 70, cash_balance: 3 },
      }),
      dollars: 10,
    },
    errors: errorsWith(
      error('no money left', 'balance', 429, {
        error: { message: 'suspended, insufficient balance', type: 'exceeded_current_quota_error' },
      }),
      error('too many requests', 'retry', 429, { error: { message: 'RPM', type: 'rate_limit_reached_error' } }),
      error('wrong key', 'dead', 401, { error: { message: 'Invalid', type: 'invalid_authentication_error' } }),
      error('filtered', 'policy', 400, { error: { message: 'high risk', type: 'content_filter' } }),
      error('a model that is not granted', 'retry', 403, { error: { message: 'no', type: 'permission_denied_error' } }),
    ),
  },
  {
    type: 27,
    lacks: {
      ...noMedia,
      ...noRerank,
      ...noEmbeddings,
      ...noBalance,
      tools: 'noTools',
      models: 'noApi',
    },
    chat: {
      model: 'sonar',
      path: '/chat/completions',
      words: {
        usage: { ...plainUsage, citation_tokens: 7, num_search_queries: 1, search_context_size: 'low' },
        usageAt: 'every',
        extra: {
          citations: ['https://example.com/'],
          search_results: [{ title: 'Example', url: 'https://example.com/' }],
        },
        repeatsMessage: true,
        noDone: true,
      },
      usage: { prompt: 21, completion: 9 },
      vision: true,
    },
    errors: [
      {
        title: 'wrong key or no credit, as a page',
        response: {
          status: 401,
          headers: { 'content-type': 'text/html' },
          body: Buffer.from('<html><title>401 Authorization Required</title></html>'),
        },
        kind: 'dead',
      },
      error('too many requests', 'retry', 429, { error: { message: 'Slow down', type: 'rate_limit', code: 429 } }),
      error('wrong field', 'client', 400, { error: { message: 'Wrong model', type: 'invalid_model', code: 400 } }),
    ],
  },
  {
    type: 31,
    lacks: { ...noMedia, ...noRerank, ...noEmbeddings, ...noBalance },
    chat: {
      model: 'yi-large',
      words: { usage: plainUsage, usageAt: 'every', extra: { lastOne: false } },
      usage: { prompt: 21, completion: 9 },
      vision: 'yi-vision',
    },
    models: {},
    errors: errorsWith(
      error('no money left', 'balance', 429, { error: { message: 'insufficient quota of the account', code: '429' } }),
    ),
  },
  {
    type: 42,
    lacks: {
      ...noRerank,
      ...noBalance,
      images: noMedia.images,
      speech: 'ownFormat',
    },
    chat: {
      model: 'mistral-small-latest',
      words: {
        usage: { ...plainUsage, num_cached_tokens: 8, prompt_audio_seconds: null },
        usageAt: 'finish',
        wholeCalls: true,
      },
      usage: { prompt: 21, completion: 9, cached: 8 },
      vision: 'pixtral-12b-latest',
      body: { user: undefined, max_completion_tokens: undefined },
    },
    embeddings: { model: 'mistral-embed' },
    transcription: { model: 'voxtral-mini-latest' },
    models: {},
    errors: [
      error('wrong key', 'dead', 401, { message: 'Unauthorized', request_id: 'r1' }),
      error('forbidden', 'dead', 403, { detail: 'Forbidden' }),
      error('payment required', 'balance', 402, { message: 'Payment required' }),
      error('unknown field', 'client', 422, {
        object: 'error',
        message: { detail: [{ type: 'extra_forbidden', loc: ['body', 'x'], msg: 'Extra inputs are not permitted' }] },
      }),
      error('wrong order of turns', 'client', 400, {
        object: 'error',
        message: 'Unexpected role',
        type: 'invalid_request_message_order',
        param: null,
        code: '3230',
      }),
      error('no capacity', 'retry', 429, { object: 'error', message: 'Service tier capacity exceeded', code: '3505' }),
    ],
  },
  {
    type: 42,
    variant: 'thinking',
    lacks: {
      ...noMedia,
      ...noRerank,
      ...noEmbeddings,
      ...noBalance,
      vision: 'sameType',
      models: 'sameType',
    },
    chat: {
      model: 'magistral-small-latest',
      words: {
        usage: plainUsage,
        usageAt: 'finish',
        thought: { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'A greeting.' }] }] },
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'A greeting.' }] },
          { type: 'text', text: 'Hello from upstream.' },
        ],
      },
      usage: { prompt: 21, completion: 9 },
    },
    errors: [error('no capacity', 'retry', 429, { object: 'error', message: 'Service tier capacity exceeded' })],
  },
  {
    type: 43,
    lacks: { ...noMedia, ...noRerank, ...noEmbeddings, vision: 'textOnly' },
    chat: {
      model: 'deepseek-flash',
      words: {
        usage: {
          ...plainUsage,
          prompt_cache_hit_tokens: 8,
          prompt_cache_miss_tokens: 13,
          prompt_tokens_details: { cached_tokens: 8 },
          completion_tokens_details: { reasoning_tokens: 4 },
        },
        usageAt: 'finish',
        thought: { content: null, reasoning_content: 'A greeting.' },
        comment: 'keep-alive',
        emptyLines: true,
      },
      usage: { prompt: 21, completion: 9, cached: 8, reasoning: 4 },
      body: { max_completion_tokens: undefined },
    },
    models: { path: '/models' },
    balance: {
      response: json(200, {
        is_available: true,
        balance_infos: [
          { currency: 'CNY', total_balance: '73.00', granted_balance: '3.00', topped_up_balance: '70.00' },
        ],
      }),
      dollars: 10,
    },
    errors: errorsWith(
      error('no money left', 'balance', 402, {
        error: { message: 'Insufficient Balance', type: 'unknown_error', param: null, code: 'invalid_request_error' },
      }),
      {
        title: 'no room at the vendor, with status 200',
        response: json(200, {
          id: 'd1',
          object: 'chat.completion',
          created: 1_767_322_800,
          model: 'deepseek-flash',
          choices: [
            { index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'insufficient_system_resource' },
          ],
        }),
        kind: 'retry',
      },
    ),
  },
  {
    type: 44,
    lacks: {
      ...noMedia,
      ...noRerank,
      ...noBalance,
      chat: 'embeddingsOnly',
      stream: 'embeddingsOnly',
      tools: 'embeddingsOnly',
      vision: 'embeddingsOnly',
    },
    embeddings: { model: 'm3e-base' },
    models: {},
    errors: openAiErrors,
  },
  {
    type: 45,
    lacks: { ...noMedia, ...noRerank, ...noBalance },
    chat: {
      model: 'doubao-1-5-pro-32k-250115',
      path: '/api/v3/chat/completions',
      words: {
        usage: {
          ...plainUsage,
          prompt_tokens_details: { cached_tokens: 8 },
          completion_tokens_details: { reasoning_tokens: 4 },
        },
        thought: { content: '', reasoning_content: 'A greeting.' },
        extra: { service_tier: 'default' },
      },
      usage: { prompt: 21, completion: 9, cached: 8, reasoning: 4 },
      vision: 'doubao-1-5-vision-pro-32k-250115',
    },
    embeddings: { model: 'doubao-embedding-text-240715', path: '/api/v3/embeddings' },
    models: { path: '/api/v3/models' },
    errors: errorsWith(
      error('wrong key', 'dead', 401, volc('AuthenticationError', 'The API key is not valid.')),
      error('arrears', 'balance', 403, volc('AccountOverdueError', 'The account has an overdue balance.')),
      error('free quota used up', 'balance', 429, volc('QuotaExceeded', 'The trial is used up.')),
      error('too many requests', 'retry', 429, volc('RateLimitExceeded.EndpointTPMExceeded', 'TPM')),
      error('a model that is not granted', 'retry', 403, volc('AccessDenied', 'No access to the model.')),
      error('filtered', 'policy', 400, volc('SensitiveContentDetected', 'Sensitive.')),
      error('filtered picture', 'policy', 400, volc('InputImageSensitiveContentDetected.Severe', 'Sensitive.')),
      error('wrong field', 'client', 400, volc('InvalidParameter.temperature', 'Out of range.')),
    ),
  },
  {
    type: 45,
    variant: 'bot',
    lacks: {
      ...noMedia,
      ...noRerank,
      ...noBalance,
      ...noEmbeddings,
      vision: 'appSetting',
      models: 'noApi',
    },
    chat: {
      model: 'bot-20250101120000-abcde',
      path: '/api/v3/bots/chat/completions',
      words: {
        usage: plainUsage,
        extra: {
          references: [{ url: 'https://example.com/', title: 'Example' }],
          bot_usage: { model_usage: [{ ...plainUsage, name: 'doubao-1-5-pro' }] },
        },
      },
      usage: { prompt: 21, completion: 9 },
    },
    errors: [error('an unknown bot', 'retry', 404, volc('InvalidEndpointOrModel.NotFound', 'No such bot.'))],
  },
  {
    type: 48,
    lacks: { ...noRerank, ...noEmbeddings, ...noBalance, speech: noMedia.speech, transcription: noMedia.transcription },
    chat: {
      model: 'grok-3-mini',
      words: {
        usage: {
          prompt_tokens: 21,
          completion_tokens: 5,
          total_tokens: 30,
          prompt_tokens_details: { cached_tokens: 8, text_tokens: 21, audio_tokens: 0, image_tokens: 0 },
          completion_tokens_details: { reasoning_tokens: 4, audio_tokens: 0 },
        },
        thought: { reasoning_content: 'A greeting.' },
      },
      usage: { prompt: 21, completion: 9, cached: 8, reasoning: 4 },
      vision: 'grok-2-vision',
    },
    images: { model: 'grok-2-image' },
    models: {},
    errors: [
      error('wrong key', 'dead', 400, { code: 'invalid-argument', error: 'Incorrect API key provided: xai-***.' }),
      error('no money left', 'balance', 403, { code: 'forbidden', error: 'Your team has used all available credits.' }),
      error('too many requests', 'retry', 429, { code: 'resource-exhausted', error: 'Too many requests.' }),
      error('wrong field', 'client', 400, { code: 'invalid-argument', error: 'Argument not supported: stop' }),
      error('broken server', 'retry', 503, { code: 'unavailable', error: 'Overloaded.' }),
    ],
  },
];

function volc(code: string, message: string) {
  return { error: { code, message, param: '', type: 'BadRequest' } };
}

export const lookAlikes: VendorFixture[] = vendors.map(lookAlike);
