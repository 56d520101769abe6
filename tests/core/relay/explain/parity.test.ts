import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ExplanationView } from '../../../../core/schemas/explain.ts';
import type { ExplainedProtocol } from '../../../../core/schemas/explained-protocol.ts';
import { type ConsoleClient, createConsoleClient } from '../../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';

interface Case {
  channel: Record<string, unknown>;
  protocol: ExplainedProtocol;
  path: string;
  body: Record<string, unknown> | string;
  /** The call is streamed; Google's calls say so in the path. */
  stream?: boolean;
}

const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Grüße 🙂' },
];
const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }];
const chat = { protocol: 'openai-chat', path: '/v1/chat/completions' } as const;
const claude = 'claude-haiku-4-5-20251001';
const awsSecret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';

const cases: Record<string, Case> = {
  'a call as it came, spaces and large numbers included': {
    channel: { models: 'plain' },
    ...chat,
    body: '{ "model":"plain",  "seed":12345678901234567890, "messages":[{"role":"user","content":"hi"}] }',
  },
  'a mapped model': {
    channel: { models: 'asked', model_mapping: '{"asked":"gpt-4.1"}' },
    ...chat,
    body: { messages, model: 'asked', temperature: 0 },
  },
  'keys the channel sets': {
    channel: { models: 'own-keys', param_override: '{"temperature":0.1,"vendor":{"x":[12345678901234567890]}}' },
    ...chat,
    body: { model: 'own-keys', messages, temperature: 1.5 },
  },
  'a stream that did not ask for its usage': {
    channel: { models: 'streamed' },
    ...chat,
    body: { model: 'streamed', messages, stream: true },
    stream: true,
  },
  'a call of OpenAI’s for Anthropic': {
    channel: { type: 14, models: 'claude-a', key: 'claude-key-0123456789' },
    ...chat,
    body: { model: 'claude-a', messages, tools, seed: 3, logit_bias: { 1: 2 } },
  },
  'a call of OpenAI’s for Google': {
    channel: { type: 24, models: 'gemini-2.5-flash', key: 'google-key-0123456789' },
    ...chat,
    body: { model: 'gemini-2.5-flash', messages, tools, max_tokens: 50, stop: ['x'] },
  },
  'a call of OpenAI’s for Bedrock': {
    channel: { type: 33, models: claude, key: `AKIDEXAMPLE|${awsSecret}|us-east-1` },
    ...chat,
    body: { model: claude, messages, max_tokens: 64 },
  },
  'a call of OpenAI’s for Vertex, with an override': {
    channel: {
      type: 41,
      models: 'gemini-2.5-pro',
      key: `AIza${'x'.repeat(35)}`,
      other: 'global',
      param_override: '{"labels":{"team":"a"}}',
    },
    ...chat,
    body: { model: 'gemini-2.5-pro', messages },
  },
  'a call of Azure’s': {
    channel: { type: 3, models: 'gpt-4.1', other: '2024-10-21', key: 'azure-key-0123456789' },
    ...chat,
    body: { model: 'gpt-4.1', messages },
  },
  'a Responses call for a chat upstream': {
    channel: { type: 43, models: 'deepseek-chat' },
    protocol: 'openai-responses',
    path: '/v1/responses',
    body: { model: 'deepseek-chat', input: 'hi', instructions: 'Be brief.', store: true },
  },
  'a call of Anthropic’s for OpenAI': {
    channel: { models: 'gpt-b' },
    protocol: 'anthropic-messages',
    path: '/v1/messages',
    body: { model: 'gpt-b', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }], top_k: 3 },
  },
  'a streamed call of Google’s for OpenAI': {
    channel: { models: 'gpt-c' },
    protocol: 'gemini',
    path: '/v1beta/models/gpt-c:streamGenerateContent?alt=sse',
    body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }], generationConfig: { topK: 4 } },
    stream: true,
  },
  'a call of Google’s for Google': {
    channel: { type: 24, models: 'gemini-2.5-flash-lite', key: 'google-key-0123456789' },
    protocol: 'gemini',
    path: '/v1beta/models/gemini-2.5-flash-lite:generateContent',
    body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }], vendor: { kept: true } },
  },
  'a text to embed, for Google': {
    channel: { type: 24, models: 'gemini-embedding-001', key: 'google-key-0123456789' },
    protocol: 'openai-embedding',
    path: '/v1/embeddings',
    body: { model: 'gemini-embedding-001', input: ['a', 'b'], dimensions: 8, user: 'me' },
  },
  'documents to put in order, in Cohere’s form for a server of Jina’s': {
    channel: { models: 'bge-reranker' },
    protocol: 'cohere-rerank',
    path: '/v2/rerank',
    body: { model: 'bge-reranker', query: 'a', documents: ['b', 'c'], priority: 1 },
  },
  'a picture to draw': {
    channel: { models: 'gpt-image-1' },
    protocol: 'openai-image',
    path: '/v1/images/generations',
    body: { model: 'gpt-image-1', prompt: 'a cat', size: '1024x1024' },
  },
};

describe('what explain shows and what the relay sends (promise 6)', () => {
  let gateway: TestGateway;
  let root: ConsoleClient;

  beforeAll(async () => {
    gateway = await startGateway();
    await gateway.setOption('SelfUseModeEnabled', 'true');
    root = createConsoleClient(gateway.url);
    await root.data(root.signIn('root', 'correct horse battery'));
    for (const { channel } of Object.values(cases)) await gateway.addChannel({ name: channel.models, ...channel });
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.upstream.reset());

  const explain = async (input: Record<string, unknown>): Promise<ExplanationView> =>
    root.data(root.post('/api/explain', input));
  const textOf = (body: Case['body']) => (typeof body === 'string' ? body : JSON.stringify(body));

  it.each(Object.entries(cases))('%s is the same, byte for byte', async (_what, { channel, ...asked }) => {
    const { protocol, path, stream } = asked;
    const model = String(channel.models);
    const body = textOf(asked.body);
    const { request, refusals } = await explain({ model, protocol, body, stream: protocol === 'gemini' && stream });
    expect(refusals).toEqual([]);
    expect(gateway.upstream.requests).toEqual([]);
    await (await gateway.call(path, body)).text();
    const [sent] = gateway.upstream.requests;
    expect(request?.body).toBe(sent?.body.toString());
    expect(`${request?.method} ${request?.url}`).toBe(`${sent?.method} ${gateway.upstream.url}${sent?.path}`);
    for (const [name, value] of Object.entries(request?.headers ?? {})) {
      if (!value.includes('…')) expect(sent?.headers[name], name).toBe(value);
      else expect(sent?.headers[name]?.slice(0, 2), name).toBe(value.slice(0, 2));
    }
  });

  it('names what is dropped in the words of x-tollgate-dropped', async () => {
    const { models: model } = cases['a call of OpenAI’s for Anthropic']?.channel ?? {};
    const body = textOf(cases['a call of OpenAI’s for Anthropic']?.body ?? {});
    const { request } = await explain({ model, body });
    gateway.upstream.always({
      body: Buffer.from(JSON.stringify({ type: 'message', role: 'assistant', content: [], usage: {} })),
      headers: { 'content-type': 'application/json' },
    });
    const header = (await gateway.call('/v1/chat/completions', body)).headers.get('x-tollgate-dropped');
    expect(request?.dropped.map(({ field, kind }) => (kind === 'dropped' ? field : `${field};emulated`))).toEqual(
      header?.split(', '),
    );
    expect(header).toContain('seed');
  });

  it('keys are masked wherever they stand, and a signature is named but not made', async () => {
    const { request: bedrock } = await explain({ model: claude });
    expect(bedrock?.signed_by).toBe('AWS … us-east-1');
    expect(bedrock?.headers).not.toHaveProperty('authorization');
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const account = { type: 'service_account', project_id: 'p1', private_key: privateKey, client_email: 'sa@p1.test' };
    await gateway.addChannel({
      type: 41,
      name: 'account',
      models: 'gemini-2.0-flash',
      other: 'global',
      key: JSON.stringify(account),
    });
    const { request: vertex } = await explain({ model: 'gemini-2.0-flash' });
    expect(vertex?.signed_by).toBe('Google sa@p1.test');
    await gateway.addChannel({ name: 'keyed', models: 'keyed', key: 'secret-of-the-channel-1' });
    const shown = JSON.stringify([bedrock, vertex, await explain({ model: 'keyed' })]);
    for (const secret of [awsSecret, 'BEGIN PRIVATE KEY', 'secret-of-the-channel-1'])
      expect(shown).not.toContain(secret);
  });
});
