import { expect } from 'vitest';
import { recordOf } from '../matrix/wire.ts';
import { failure, json, type RecordedRequest, type Script } from '../upstream-script.ts';
import type { LackReason } from './lack-reason.ts';
import { chatResponses, type OpenAiWords } from './openai-words.ts';
import type {
  ChatFixture,
  ErrorFixture,
  Exchange,
  VendorChannel,
  VendorFeature,
  VendorFixture,
} from './vendor-fixture.ts';

/** A vendor that speaks OpenAI's format, told by how it differs. */
export interface LookAlike {
  type: number;
  variant?: string;
  channel?: Partial<VendorChannel>;
  /** What proves who we are: `authorization` with the key as Bearer when left out. */
  headers?: Record<string, string>;
  /** Of calls, not of lists and balances. */
  callHeaders?: Record<string, string>;
  lacks: Partial<Record<VendorFeature, LackReason>>;
  chat?: {
    model: string;
    /** '/v1/chat/completions' when left out. */
    path?: string;
    words: OpenAiWords;
    usage: ChatFixture['usage'];
    /** A model that sees; true for the same one. */
    vision?: string | true;
    /** Of the body, beside model and messages; undefined for what must not arrive. */
    body?: Record<string, unknown>;
  };
  /** '/v1/embeddings' when left out. */
  embeddings?: { model: string; path?: string };
  rerank?: Medium;
  images?: Medium;
  speech?: Medium;
  transcription?: Medium;
  /** '/v1/models' when left out. */
  models?: { path?: string; response?: unknown; found?: string[] };
  balance?: VendorFixture['balance'];
  errors: ErrorFixture[];
}

/** At OpenAI's own path when none is named. */
interface Medium {
  model: string;
  path?: string;
}

export function lookAlike(vendor: LookAlike): VendorFixture {
  const { type, variant = '', chat, embeddings, models, lacks, errors, balance, callHeaders } = vendor;
  const channel = { key: `key-of-type-${type}`, ...vendor.channel };
  const { headers = { authorization: `Bearer ${channel.key}` } } = vendor;
  const asked =
    (path: string, body: Record<string, unknown> = {}) =>
    (request: RecordedRequest) => {
      expect(request.path.replace(/\?.*$/, '')).toBe(path);
      expect(request.headers).toMatchObject(request.method === 'GET' ? headers : { ...headers, ...callHeaders });
      const sent = request.json ?? {};
      expect(sent).toEqual(expect.objectContaining(withoutUndefined(body)));
      if (recordOf(sent).stream === true) expect(sent).toMatchObject({ stream_options: { include_usage: true } });
      for (const [name, value] of Object.entries(body)) if (value === undefined) expect(sent).not.toHaveProperty(name);
    };
  return {
    type,
    variant,
    channel,
    lacks,
    errors,
    ...(chat && { chat: chatOf(chat, asked, lacks.tools === undefined) }),
    ...(embeddings && {
      embeddings: {
        model: embeddings.model,
        prompt: 2,
        response: json(200, embeddingResponse(embeddings.model)),
        asked: asked(embeddings.path ?? '/v1/embeddings', { model: embeddings.model, input: 'Hi' }),
      },
    }),
    ...mediaOf(vendor, asked),
    ...(models && {
      models: {
        response: json(200, models.response ?? { object: 'list', data: [{ id: 'model-b' }, { id: 'model-a' }] }),
        found: models.found ?? ['model-a', 'model-b'],
        asked: asked(models.path ?? '/v1/models'),
      },
    }),
    ...(balance && { balance }),
  };
}

type Check = (path: string, body?: Record<string, unknown>) => (request: RecordedRequest) => void;

function chatOf(chat: NonNullable<LookAlike['chat']>, asked: Check, callsTools: boolean): ChatFixture {
  const { model, path = '/v1/chat/completions', words, usage, vision, body = {} } = chat;
  const { text, tool } = chatResponses(model, words);
  const check = asked(path, { model, ...body });
  return {
    model,
    usage,
    text: { ...text, asked: check },
    ...(callsTools && tool && { tool: { ...tool, asked: check } }),
    ...(vision && {
      vision: {
        ...(vision !== true && { model: vision }),
        asked(request: RecordedRequest) {
          asked(path, { model: vision === true ? model : vision })(request);
          expect(request.body.toString('utf8')).toContain('data:image/png;base64,iVBORw==');
        },
      },
    }),
  };
}

function mediaOf({ rerank, images, speech, transcription }: LookAlike, asked: Check) {
  const sound = { status: 200, headers: { 'content-type': 'audio/mpeg' }, body: Buffer.from('ID3 sound') };
  const picture: Exchange['response'] = json(200, {
    created: 1_767_322_800,
    data: [{ url: 'https://pictures.example.com/1.png' }],
  });
  const scores = [1, 0].map((index) => ({ index, relevance_score: 0.2 + index / 2 }));
  const media = {
    rerank: { response: json(200, { results: scores }), path: '/v1/rerank', body: { query: 'fruit' } },
    images: { response: picture, path: '/v1/images/generations', body: { prompt: 'A fjord' } },
    speech: { response: sound, path: '/v1/audio/speech', body: { input: 'Hi' } },
    transcription: { response: json(200, { text: 'Hello.' }), path: '/v1/audio/transcriptions' },
  };
  const exchange = (medium: Medium, own: { response: Script; path: string; body?: object }) => ({
    model: medium.model,
    response: own.response,
    asked: asked(medium.path ?? own.path, own.body && { model: medium.model, ...own.body }),
  });
  return {
    ...(rerank && { rerank: exchange(rerank, media.rerank) }),
    ...(images && { images: exchange(images, media.images) }),
    ...(speech && { speech: exchange(speech, media.speech) }),
    ...(transcription && { transcription: { ...exchange(transcription, media.transcription), text: 'Hello.' } }),
  };
}

function embeddingResponse(model: string) {
  const data = [{ object: 'embedding', index: 0, embedding: [0.1, 0.2, 0.3] }];
  return { object: 'list', model, data, usage: { prompt_tokens: 2, total_tokens: 2 } };
}

function withoutUndefined(body: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

/** Responses that every vendor of the family may send. */
export const openAiErrors: ErrorFixture[] = [
  {
    title: 'wrong key',
    response: failure(401, { type: 'invalid_request_error', code: 'invalid_api_key', message: 'Incorrect API key.' }),
    kind: 'dead',
  },
  {
    title: 'no money left',
    response: failure(429, { type: 'insufficient_quota', code: 'insufficient_quota', message: 'Nothing is left.' }),
    kind: 'balance',
  },
  { title: 'too many requests', response: failure(429, { message: 'Slow down.' }), kind: 'retry' },
  { title: 'broken server', response: failure(500), kind: 'retry' },
  {
    title: 'wrong field',
    response: failure(400, { type: 'invalid_request_error', message: 'Wrong temperature.' }),
    kind: 'client',
  },
  {
    title: 'filtered',
    response: failure(400, { code: 'content_filter', message: 'The prompt was filtered.' }),
    kind: 'policy',
  },
  {
    title: 'an error with status 200',
    response: json(200, { error: { message: 'Overloaded', code: 503 } }),
    kind: 'retry',
  },
];
