import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'vitest';
import { chunk, exception } from '../../core/providers/aws/frame.ts';
import { anthropicWire } from '../matrix/wire-anthropic.ts';
import { geminiWire } from '../matrix/wire-gemini.ts';
import { type FakeResponse, json, sse } from '../upstream-script.ts';
import type { ErrorFixture, VendorFixture } from './vendor-fixture.ts';
import { wireChat } from './wire-chat.ts';

const claudeLacks = {
  embeddings: 'noApi',
  rerank: 'noApi',
  images: 'noApi',
  speech: 'noApi',
  transcription: 'noApi',
  balance: 'noApi',
} as const;
const googleLacks = {
  rerank: 'noApi',
  transcription: 'byChatModel',
  balance: 'noApi',
} as const;

function claudeError(title: string, kind: ErrorFixture['kind'], status: number, type: string, message = 'No.') {
  const body = { type: 'error', error: { type, message } };
  // Anthropic's streams have errors as events too.
  return { title, kind, response: json(status, body), streamed: sse([body]) };
}

const claudeErrors: ErrorFixture[] = [
  claudeError('wrong key', 'dead', 401, 'authentication_error'),
  claudeError('no money left', 'balance', 400, 'invalid_request_error', 'Your credit balance is too low.'),
  claudeError('too many requests', 'retry', 429, 'rate_limit_error'),
  claudeError('overloaded', 'retry', 529, 'overloaded_error'),
  claudeError('wrong field', 'client', 400, 'invalid_request_error', 'temperature: out of range'),
];

const anthropic: VendorFixture = {
  type: 14,
  variant: '',
  channel: { key: 'key-of-type-14' },
  lacks: claudeLacks,
  chat: wireChat({
    model: 'claude-sonnet-4-6',
    wireOf: () => anthropicWire,
    asked({ path, headers }) {
      expect(path).toBe('/v1/messages');
      expect(headers).toMatchObject({
        'x-api-key': 'key-of-type-14',
        'anthropic-version': expect.stringMatching(/^20/),
      });
    },
  }),
  models: {
    response: json(200, { data: [{ type: 'model', id: 'claude-sonnet-4-6' }], has_more: false }),
    found: ['claude-sonnet-4-6'],
    asked: ({ path }) => expect(path).toBe('/v1/models?limit=1000'),
  },
  errors: claudeErrors,
};

function googleError(title: string, kind: ErrorFixture['kind'], code: number, status: string, reason?: string) {
  const details = reason ? [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason }] : [];
  const body = { error: { code, message: 'Not served.', status, details } };
  return { title, kind, response: json(code, body), streamed: sse([body]) };
}

const geminiErrors = [
  googleError('wrong key', 'dead', 400, 'INVALID_ARGUMENT', 'API_KEY_INVALID'),
  googleError('too many requests', 'retry', 429, 'RESOURCE_EXHAUSTED'),
  googleError('overloaded', 'retry', 503, 'UNAVAILABLE'),
  googleError('a country that is not served', 'retry', 400, 'FAILED_PRECONDITION'),
  googleError('wrong field', 'client', 400, 'INVALID_ARGUMENT'),
];
const sound = { inlineData: { mimeType: 'audio/L16;codec=pcm;rate=24000', data: 'AAEA/w==' } };
const spoken = {
  candidates: [{ content: { role: 'model', parts: [sound] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 2, candidatesTokenCount: 25, totalTokenCount: 27 },
};
const picture = { bytesBase64Encoded: 'iVBORw==', mimeType: 'image/png' };

const gemini: VendorFixture = {
  type: 24,
  variant: '',
  channel: { key: 'key-of-type-24' },
  lacks: googleLacks,
  chat: wireChat({
    model: 'gemini-3-flash-preview',
    wireOf: () => geminiWire,
    asked({ path, headers }) {
      expect(path).toMatch(
        /^\/v1beta\/models\/gemini-3-flash-preview:(generateContent|streamGenerateContent\?alt=sse)$/,
      );
      expect(headers).toMatchObject({ 'x-goog-api-key': 'key-of-type-24' });
    },
  }),
  embeddings: {
    model: 'gemini-embedding-001',
    prompt: 2,
    response: json(200, { embeddings: [{ values: [0.1, 0.2] }], usageMetadata: { promptTokenCount: 2 } }),
    asked: ({ path }) => expect(path).toBe('/v1beta/models/gemini-embedding-001:batchEmbedContents'),
  },
  images: {
    model: 'imagen-4.0-generate-001',
    response: json(200, { predictions: [picture] }),
    asked: ({ path }) => expect(path).toBe('/v1beta/models/imagen-4.0-generate-001:predict'),
  },
  speech: {
    model: 'gemini-2.5-flash-preview-tts',
    response: json(200, spoken),
    asked: ({ path }) => expect(path).toBe('/v1beta/models/gemini-2.5-flash-preview-tts:generateContent'),
  },
  models: {
    response: json(200, { models: [{ name: 'models/gemini-3-flash-preview' }, { name: 'models/embedding-001' }] }),
    found: ['embedding-001', 'gemini-3-flash-preview'],
    asked: ({ path }) => expect(path).toMatch(/^\/v1beta\/models\?/),
  },
  errors: geminiErrors,
};

function awsError(title: string, kind: ErrorFixture['kind'], status: number, name: string): ErrorFixture {
  return { title, kind, response: json(status, { message: 'Not served.' }, { 'x-amzn-errortype': name }) };
}

function framed(pieces: Buffer[]): FakeResponse {
  return { status: 200, headers: { 'content-type': 'application/vnd.amazon.eventstream' }, pieces };
}

const aws: VendorFixture = {
  type: 33,
  variant: '',
  lacks: claudeLacks,
  channel: { key: 'AKIDEXAMPLE|c2VjcmV0LWtleS1mb3ItdGVzdHM|us-east-1' },
  chat: wireChat({
    model: 'claude-sonnet-4-5-20250929',
    wireOf: () => anthropicWire,
    frame: (events) => framed(events.map(({ data }) => chunk(JSON.stringify(data)))),
    asked({ path, headers }) {
      expect(path).toMatch(
        /^\/model\/us\.anthropic\.claude-sonnet-4-5-20250929-v1%3A0\/invoke(-with-response-stream)?$/,
      );
      expect(headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/us-east-1\/bedrock\//);
    },
  }),
  models: {
    response: json(200, {
      modelSummaries: [
        { modelId: 'anthropic.claude-sonnet-4-5-20250929-v1:0', inferenceTypesSupported: ['INFERENCE_PROFILE'] },
        { modelId: 'anthropic.claude-3-haiku-20240307-v1:0:48k', inferenceTypesSupported: ['PROVISIONED'] },
      ],
    }),
    found: ['claude-sonnet-4-5-20250929'],
    asked: ({ path }) => expect(path).toBe('/foundation-models?byProvider=anthropic'),
  },
  errors: [
    awsError('wrong key', 'dead', 403, 'UnrecognizedClientException'),
    awsError('a model that is not granted', 'retry', 403, 'AccessDeniedException'),
    awsError('wrong field', 'client', 400, 'ValidationException'),
    {
      ...awsError('throttled', 'retry', 429, 'ThrottlingException:http://internal.amazon.com/'),
      streamed: framed([exception('throttlingException', { message: 'Too many requests' })]),
    },
  ],
};

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

/** A service account, whose key becomes a token first. */
function vertexBase(variant: string): Pick<VendorFixture, 'type' | 'variant' | 'channel' | 'prepare'> {
  return {
    type: 41,
    variant,
    channel: (url) => ({
      other: 'us-east5',
      key: JSON.stringify({
        type: 'service_account',
        project_id: 'p1',
        private_key_id: 'k1',
        private_key: privateKey,
        client_email: 'sa@p1.iam.gserviceaccount.com',
        token_uri: `${url}/token`,
      }),
    }),
    prepare(upstream) {
      upstream.route('/token', json(200, { access_token: 'ya29.v1', expires_in: 3599, token_type: 'Bearer' }));
    },
  };
}

const vertexErrors = [
  googleError('no billing account', 'balance', 403, 'PERMISSION_DENIED', 'BILLING_DISABLED'),
  googleError('a service that is off', 'dead', 403, 'PERMISSION_DENIED', 'SERVICE_DISABLED'),
  googleError('a model that is not granted', 'retry', 403, 'PERMISSION_DENIED'),
  ...geminiErrors.slice(1),
];
const root = '/v1/projects/p1/locations/us-east5/publishers';

function vertexAsked(pattern: RegExp) {
  return ({ path, headers }: { path: string; headers: Record<string, unknown> }) => {
    expect(path.startsWith(root) || path.startsWith(root.replace('v1', 'v1beta1')), path).toBe(true);
    expect(path).toMatch(pattern);
    expect(headers.authorization).toBe('Bearer ya29.v1');
  };
}

const vertex: VendorFixture = {
  ...vertexBase(''),
  lacks: googleLacks,
  chat: wireChat({
    model: 'gemini-3-pro-preview',
    wireOf: () => geminiWire,
    asked: vertexAsked(/\/google\/models\/gemini-3-pro-preview:(generateContent|streamGenerateContent\?alt=sse)$/),
  }),
  embeddings: {
    model: 'text-embedding-005',
    prompt: 2,
    response: json(200, { predictions: [{ embeddings: { values: [0.1, 0.2], statistics: { token_count: 2 } } }] }),
    asked: vertexAsked(/\/google\/models\/text-embedding-005:predict$/),
  },
  images: {
    model: 'imagen-4.0-generate-001',
    response: json(200, { predictions: [picture] }),
    asked: vertexAsked(/\/google\/models\/imagen-4\.0-generate-001:predict$/),
  },
  speech: {
    model: 'gemini-2.5-flash-tts',
    response: json(200, spoken),
    asked: vertexAsked(/\/google\/models\/gemini-2\.5-flash-tts:generateContent$/),
  },
  models: {
    response: json(200, { publisherModels: [{ name: 'publishers/google/models/gemini-3-pro-preview' }] }),
    found: ['gemini-3-pro-preview'],
  },
  errors: vertexErrors,
};

const vertexClaude: VendorFixture = {
  ...vertexBase('claude'),
  lacks: { ...claudeLacks, models: 'vertexGemini' },
  chat: wireChat({
    model: 'claude-opus-4-6',
    wireOf: () => anthropicWire,
    asked: vertexAsked(/\/anthropic\/models\/claude-opus-4-6:(rawPredict|streamRawPredict)$/),
  }),
  // Google's own refusals come before a stream.
  errors: [...vertexErrors.slice(0, 2).map((error) => ({ ...error, streamed: null })), ...claudeErrors.slice(2)],
};

export const cloudFixtures: VendorFixture[] = [anthropic, gemini, aws, vertex, vertexClaude];
