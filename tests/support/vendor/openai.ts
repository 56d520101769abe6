import { expect } from 'vitest';
import { openaiChatWire } from '../matrix/wire-openai-chat.ts';
import { responsesWire } from '../matrix/wire-responses.ts';
import { json, type RecordedRequest } from '../upstream-script.ts';
import { type LookAlike, lookAlike, openAiErrors } from './look-alike.ts';
import type { VendorFixture } from './vendor-fixture.ts';
import { wireChat } from './wire-chat.ts';

const usage = {
  prompt_tokens: 21,
  completion_tokens: 9,
  total_tokens: 30,
  prompt_tokens_details: { cached_tokens: 8 },
};
const media = {
  embeddings: { model: 'text-embedding-3-small' },
  images: { model: 'dall-e-3' },
  speech: { model: 'tts-1' },
  transcription: { model: 'whisper-1' },
};
const noRerank = 'noApi';

/** Both of OpenAI's chat protocols: a Responses client is served in its own. */
function bothChats(model: string, asked: (request: RecordedRequest) => void) {
  const isResponses = ({ path }: RecordedRequest) => /\/responses(\?|$)/.test(path);
  return wireChat({ model, asked, wireOf: (request) => (isResponses(request) ? responsesWire : openaiChatWire) });
}

/** The billing pages that other gateways still serve. */
const billing: VendorFixture['balance'] = {
  response: ({ path }) =>
    path.includes('subscription')
      ? json(200, { hard_limit_usd: 20, has_payment_method: true })
      : json(200, { total_usage: 750 }),
  dollars: 12.5,
};

const openai: VendorFixture = {
  ...lookAlike({
    type: 1,
    lacks: {},
    ...media,
    rerank: { model: 'bge-reranker-v2-m3' },
    models: {},
    balance: billing,
    errors: openAiErrors,
  }),
  chat: bothChats('gpt-4o', ({ path, headers }) => {
    expect(path).toMatch(/^\/v1\/(chat\/completions|responses)$/);
    expect(headers.authorization).toBe('Bearer key-of-type-1');
  }),
};

const azureBase: LookAlike = {
  type: 3,
  channel: { other: '2024-12-01-preview' },
  headers: { 'api-key': 'key-of-type-3' },
  lacks: { rerank: noRerank, balance: 'noApi' },
  ...media,
  models: { path: '/openai/models' },
  errors: [
    ...openAiErrors,
    {
      title: 'a version that the resource does not know',
      response: json(400, { error: { code: 'UnsupportedApiVersion', message: 'The api-version is not supported.' } }),
      kind: 'retry',
    },
  ],
};

function deployed(path: string) {
  return `/openai/deployments/${path}`;
}

/** Deployments are named in the address, by names without dots. */
const azure: VendorFixture = {
  ...lookAlike({
    ...azureBase,
    embeddings: { ...media.embeddings, path: deployed('text-embedding-3-small/embeddings') },
    images: { ...media.images, path: deployed('dall-e-3/images/generations') },
    speech: { ...media.speech, path: deployed('tts-1/audio/speech') },
    transcription: { ...media.transcription, path: deployed('whisper-1/audio/transcriptions') },
  }),
  chat: bothChats('gpt-4.1', ({ path, headers }) => {
    expect(path).toMatch(/^\/openai\/(deployments\/gpt-41\/chat\/completions|responses)\?api-version=20\d\d-/);
    expect(headers).toMatchObject({ 'api-key': 'key-of-type-3' });
  }),
};

const azureV1: VendorFixture = {
  ...lookAlike({
    ...azureBase,
    variant: 'v1',
    channel: { other: 'v1' },
    embeddings: { ...media.embeddings, path: '/openai/v1/embeddings' },
    images: { ...media.images, path: '/openai/v1/images/generations' },
    speech: { ...media.speech, path: '/openai/v1/audio/speech' },
    transcription: { ...media.transcription, path: '/openai/v1/audio/transcriptions' },
    models: { path: '/openai/v1/models' },
  }),
  chat: bothChats('gpt-4.1', ({ path, headers }) => {
    expect(path).toMatch(/^\/openai\/v1\/(chat\/completions|responses)$/);
    expect(headers).toMatchObject({ 'api-key': 'key-of-type-3' });
  }),
};

const oneEndpoint = 'oneEndpoint';
const customLacks = {
  embeddings: oneEndpoint,
  rerank: oneEndpoint,
  images: oneEndpoint,
  speech: oneEndpoint,
  transcription: oneEndpoint,
} as const;

const customs: LookAlike[] = [
  {
    type: 8,
    channel: { path: '/api/{model}/chat/completions' },
    lacks: customLacks,
    chat: {
      model: 'my-model',
      path: '/api/my-model/chat/completions',
      vision: true,
      words: { usage },
      usage: { prompt: 21, completion: 9, cached: 8 },
    },
    models: {},
    balance: billing,
    errors: openAiErrors,
  },
  {
    type: 8,
    variant: 'embeddings',
    channel: { path: '/api/{model}/embeddings' },
    lacks: {
      ...customLacks,
      embeddings: undefined,
      chat: oneEndpoint,
      stream: oneEndpoint,
      tools: oneEndpoint,
      vision: oneEndpoint,
      models: 'sameType',
      balance: 'sameType',
    } as unknown as LookAlike['lacks'],
    embeddings: { model: 'my-embedding', path: '/api/my-embedding/embeddings' },
    errors: openAiErrors,
  },
];

export const openAiFixtures: VendorFixture[] = [openai, azure, azureV1, ...customs.map(lookAlike)];
