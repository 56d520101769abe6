import { failure, json } from '../upstream-script.ts';
import { type LookAlike, lookAlike, openAiErrors } from './look-alike.ts';
import type { VendorFixture } from './vendor-fixture.ts';

const plainUsage = { prompt_tokens: 21, completion_tokens: 9, total_tokens: 30 };
const chatOnly = {
  rerank: 'otherChannels',
  images: 'otherChannels',
  speech: 'otherChannels',
  transcription: 'otherChannels',
  embeddings: 'otherChannels',
  balance: 'noApi',
} as const;

/** Vendors without a number of their own: a channel of type 1 with their address, and a setting that says they have no Responses. */
function unnumbered(variant: string, vendor: Omit<LookAlike, 'type' | 'variant' | 'lacks'>, path = ''): LookAlike {
  const channel = { path, setting: { responses: false } };
  return { type: 1, variant, channel, lacks: chatOnly, models: { path: `${path}/v1/models` }, ...vendor };
}

const vendors: LookAlike[] = [
  unnumbered(
    'Groq',
    {
      chat: {
        model: 'llama-3.3-70b-versatile',
        path: '/openai/v1/chat/completions',
        vision: true,
        words: {
          usage: { ...plainUsage, queue_time: 0.01, total_time: 0.1 },
          usageAt: 'finish',
          extra: { x_groq: { id: 'req_1' } },
        },
        usage: { prompt: 21, completion: 9 },
      },
      errors: [
        ...openAiErrors,
        {
          title: 'a closed organization',
          response: failure(400, { code: 'organization_restricted', message: 'Organization has been restricted.' }),
          kind: 'dead',
        },
        { title: 'no capacity', response: failure(498, { message: 'Capacity exceeded.' }), kind: 'retry' },
        { title: 'too large for the tier', response: failure(413, { message: 'Request too large.' }), kind: 'client' },
      ],
    },
    '/openai',
  ),
  unnumbered('Together', {
    chat: {
      model: 'meta-llama/Llama-3.3-70B-Instruct-Turbo',
      vision: true,
      words: { usage: plainUsage, usageAt: 'finish', toolFinish: 'tool_calls' },
      usage: { prompt: 21, completion: 9 },
    },
    errors: [
      { title: 'wrong key', response: failure(401, { message: 'Invalid API key provided.' }), kind: 'dead' },
      { title: 'spending limit', response: failure(402, { message: 'Spending limit reached.' }), kind: 'balance' },
      { title: 'wrong field', response: failure(422, { message: 'Wrong temperature.' }), kind: 'client' },
      { title: 'a server that took too long', response: failure(524, { message: 'Timeout.' }), kind: 'retry' },
    ],
  }),
  unnumbered('StepFun', {
    chat: {
      model: 'step-1-8k',
      vision: 'step-1v-8k',
      words: { usage: plainUsage },
      usage: { prompt: 21, completion: 9 },
    },
    errors: [
      { title: 'wrong key', response: failure(401, { type: 'invalid_api_key', message: 'Wrong key.' }), kind: 'dead' },
      { title: 'no money left', response: failure(402, { message: 'Insufficient balance.' }), kind: 'balance' },
      { title: 'content audit', response: failure(451, { message: 'The content was refused.' }), kind: 'policy' },
      { title: 'too many requests', response: failure(429, { message: 'Slow down.' }), kind: 'retry' },
    ],
  }),
  unnumbered('Baichuan', {
    chat: {
      model: 'Baichuan4-Turbo',
      vision: true,
      words: { usage: plainUsage, usageAt: 'finish' },
      usage: { prompt: 21, completion: 9 },
    },
    errors: [
      {
        title: 'no money left',
        response: json(429, { error: { code: 'insufficient_quota', message: 'No quota.', type: 'error' } }),
        kind: 'balance',
      },
      {
        title: 'too many requests',
        response: json(429, { error: { code: 'rate_limit_exceeded', message: 'Slow down.', type: 'error' } }),
        kind: 'retry',
      },
      { title: 'filtered', response: failure(400, { code: 'content_filter', message: 'Refused.' }), kind: 'policy' },
    ],
  }),
];

export const unnumberedVendors: VendorFixture[] = vendors.map(lookAlike);
