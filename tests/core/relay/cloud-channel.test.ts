import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { startTokenServer, type TokenServer } from '../integrations/credential/token-server.ts';
import { chunk, exception } from '../providers/aws/frame.ts';
import { type CloudCall, expectedSignature, type FakeCloud, sendJson, startFakeCloud } from './fake-cloud.ts';

const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const usage = { input_tokens: 9, output_tokens: 5 };
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  stop_reason: 'end_turn',
  usage,
  content: [{ type: 'text', text: 'Grüße 🙂' }],
};
const events = [
  {
    type: 'message_start',
    message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Grüße ' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '🙂' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
].map((event) => JSON.stringify(event));

let gateway: TestGateway;
let bedrock: FakeCloud;
let vertex: FakeCloud;
let tokens: TokenServer;
/** Frames of the next Bedrock stream. */
let frames: Buffer[] = [];
/** Tokens that Vertex no longer takes. */
const revoked = new Set<string>();

beforeAll(async () => {
  gateway = await startGateway();
  bedrock = await startFakeCloud((call, response) => {
    if (call.headers.authorization?.split('Signature=')[1] !== expectedSignature(call, secret)) {
      const type = { 'x-amzn-errortype': 'InvalidSignatureException:http://internal/' };
      return sendJson(response, { message: 'The request signature we calculated does not match' }, 403, type);
    }
    if (call.path.endsWith('/count-tokens')) return sendJson(response, { inputTokens: 42 });
    if (call.path.endsWith('/invoke')) return sendJson(response, message);
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
    const bytes = Buffer.concat(frames);
    for (let start = 0; start < bytes.length; start += 97) response.write(bytes.subarray(start, start + 97));
    response.end();
  });
  vertex = await startFakeCloud((call, response) => {
    const error = { code: 401, status: 'UNAUTHENTICATED', message: 'Request had invalid authentication credentials.' };
    if (!call.headers.authorization || revoked.has(call.headers.authorization))
      return sendJson(response, { error }, 401);
    const candidate = { content: { role: 'model', parts: [{ text: 'Gemini' }] }, finishReason: 'STOP', index: 0 };
    const counted = { promptTokenCount: 9, candidatesTokenCount: 5, totalTokenCount: 14 };
    if (call.path.includes('/google/')) return sendJson(response, { candidates: [candidate], usageMetadata: counted });
    sendJson(response, message);
  });
  tokens = await startTokenServer();
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  await gateway.setOption('SelfUseModeEnabled', 'true');
  await gateway.addChannel({
    type: 33,
    name: 'bedrock',
    models: 'claude-haiku-4-5-20251001',
    base_url: bedrock.url,
    key: `AKIDEXAMPLE|${secret}|us-east-1`,
  });
  await gateway.addChannel({
    type: 41,
    name: 'vertex',
    models: 'gemini-2.5-flash,claude-opus-4-6',
    base_url: vertex.url,
    other: 'global',
    key: JSON.stringify({
      type: 'service_account',
      project_id: 'p1',
      private_key_id: 'k1',
      private_key: privateKey,
      client_email: 'sa@p1.iam.gserviceaccount.com',
      token_uri: tokens.uri,
    }),
  });
});
afterAll(async () => {
  await gateway?.stop();
  await Promise.all([bedrock?.close(), vertex?.close(), tokens?.close()]);
});
beforeEach(() => {
  frames = events.map(chunk);
  bedrock.calls.length = 0;
  vertex.calls.length = 0;
});

const hello = [{ role: 'user', content: 'hi' }];
const onBedrock = { model: 'claude-haiku-4-5-20251001', max_tokens: 64, messages: hello };
const bodyOf = (call: CloudCall | undefined) => JSON.parse(String(call?.body ?? 'null'));

describe('a call to Bedrock', () => {
  it('is signed over the bytes sent, and gets its response in the client’s own protocol (issue 4)', async () => {
    const response = await gateway.chat({ model: 'claude-haiku-4-5-20251001' });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      choices: [{ message: { content: 'Grüße 🙂' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 9, completion_tokens: 5 },
    });
    expect(bedrock.calls[0]?.path).toBe('/model/us.anthropic.claude-haiku-4-5-20251001-v1%3A0/invoke');
    expect(bodyOf(bedrock.calls[0])).toMatchObject({ anthropic_version: 'bedrock-2023-05-31', max_tokens: 8192 });
  });

  it('streams Anthropic’s own events to a client of Anthropic', async () => {
    const response = await gateway.call('/v1/messages', { ...onBedrock, stream: true });
    const text = await response.text();
    expect(text).toContain('event: message_start\n');
    expect(text).toContain('"text":"🙂"');
    expect(text).toMatch(/event: message_stop\ndata: .*\n\n$/);
    expect(bodyOf(bedrock.calls[0])).toEqual({
      anthropic_version: 'bedrock-2023-05-31',
      max_tokens: 64,
      messages: hello,
    });
  });

  it('streams chunks to a client of OpenAI', async () => {
    const response = await gateway.chat({ ...onBedrock, stream: true, stream_options: { include_usage: true } });
    const text = await response.text();
    expect(text).toContain('"content":"🙂"');
    expect(text).toContain('"prompt_tokens":9');
    expect(text).toMatch(/data: \[DONE\]\n\n$/);
  });

  it.each([
    [
      'an exception',
      () => [...events.slice(0, 4).map(chunk), exception('throttlingException', { message: 'slow down' })],
    ],
    ['half a frame', () => [...events.slice(0, 4).map(chunk), chunk(events[5] ?? '').subarray(0, 40)]],
    ['bytes that are not a frame', () => [...events.slice(0, 4).map(chunk), Buffer.alloc(200, 'x')]],
  ])('that ends in %s tells the client so (F)', async (_what, broken) => {
    frames = broken();
    const text = await (await gateway.call('/v1/messages', { ...onBedrock, stream: true })).text();
    expect(text).toContain('"text":"🙂"');
    expect(text).toContain('event: error\n');
    expect(text).not.toContain('message_stop');
  });

  it('counts a prompt for free', async () => {
    const response = await gateway.call('/v1/messages/count_tokens', { model: onBedrock.model, messages: hello });
    expect(await response.json()).toEqual({ input_tokens: 42 });
  });
});

describe('a call to Vertex', () => {
  it('goes to the model’s publisher with a token for the service account, asked for once', async () => {
    const asked = tokens.asked.length;
    const [gemini, claude] = await Promise.all([
      gateway.chat({ model: 'gemini-2.5-flash' }),
      gateway.call('/v1/messages', { model: 'claude-opus-4-6', max_tokens: 64, messages: hello }),
    ]);
    expect(await gemini.json()).toMatchObject({ choices: [{ message: { content: 'Gemini' } }] });
    expect(await claude.json()).toMatchObject({ content: [{ type: 'text', text: 'Grüße 🙂' }] });
    expect(vertex.calls.map(({ path }) => path).sort()).toEqual([
      '/v1/projects/p1/locations/global/publishers/anthropic/models/claude-opus-4-6:rawPredict',
      '/v1/projects/p1/locations/global/publishers/google/models/gemini-2.5-flash:generateContent',
    ]);
    expect(tokens.asked.length - asked).toBe(1);
  });

  it('is made once more with a new token when the old one was taken back', async () => {
    await (await gateway.chat({ model: 'gemini-2.5-flash' })).text();
    revoked.add(String(vertex.calls[0]?.headers.authorization));
    const response = await gateway.chat({ model: 'gemini-2.5-flash' });
    expect(response.status).toBe(200);
    expect(vertex.calls).toHaveLength(3);
  });

  it('fails as an upstream’s trouble, without the key, when the account gets no token', async () => {
    revoked.add(String(vertex.calls.at(-1)?.headers.authorization ?? ''));
    tokens.reply = { status: 400, body: { error: 'invalid_grant', error_description: 'account not found' } };
    for (let call = 1; call <= 20; call++) revoked.add(`Bearer ya29.${call}`);
    const response = await gateway.chat({ model: 'gemini-2.5-flash' });
    expect(response.ok).toBe(false);
    const text = await response.text();
    expect(text).toContain('Your own key is fine');
    expect(text).not.toMatch(/access token|p1\.iam/);
    tokens.reply = undefined;
  });
});

describe('the books', () => {
  it('are right after all of it', async () => {
    await gateway.verifyBooks();
  });
});
