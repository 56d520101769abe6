import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { version } from '../../../../core/version.ts';
import { collectSse } from '../../../support/sse.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { failure, json } from '../../../support/upstream-script.ts';
import { attemptsOf, expectCharged, expectRefused } from '../relay-checks.ts';
import { chatResponse, done, streamOf } from '../responses.ts';

let gateway: TestGateway;
const models = Array.from({ length: 20 }, (_, index) => `own-${index}`);
let used = 0;

beforeAll(async () => {
  gateway = await startGateway('sqlite');
  const slashed = ['meta/llama-3.1', 'a?b=1#c', 'x y'];
  const ratios = [...models, ...slashed].map((name) => [name, 1]);
  await gateway.setOption('ModelRatio', JSON.stringify(Object.fromEntries(ratios)));
});
afterEach(() => gateway.upstream.reset());
afterAll(() => gateway.stop());

/** A channel alone with its model. */
async function channelFor(
  input: Record<string, unknown> | ((model: string) => Record<string, unknown>),
): Promise<string> {
  const model = models[used++] ?? '';
  await gateway.addChannel({ name: model, models: model, ...(typeof input === 'function' ? input(model) : input) });
  return model;
}

function lastCall() {
  const request = gateway.upstream.requests.at(-1);
  if (!request) throw new Error('the upstream was not asked');
  return { ...request, body: request.json as Record<string, unknown> };
}

describe('a channel’s model mapping', () => {
  it('G-105 renames for the upstream in one step, and bills and logs what the client asked for', async () => {
    const model = await channelFor((own) => ({
      model_mapping: JSON.stringify({ [own]: 'gpt-4o', 'gpt-4o': 'never' }),
    }));
    const response = await gateway.chat({ model, temperature: 0 });
    expect(lastCall().body).toMatchObject({ model: 'gpt-4o', temperature: 0 });
    expect(response.headers.get('x-tollgate-served')).toMatch(/; model=gpt-4o; attempt=1$/);
    const row = await expectCharged(gateway, { prompt: 20, completion: 10 });
    expect(row.model_name).toBe(model);
    expect(row.other).toMatchObject({ model_ratio: 1, is_model_mapped: true, upstream_model_name: 'gpt-4o' });
  });

  it('says nothing in the response when nothing was changed', async () => {
    const response = await gateway.chat();
    expect(response.headers.get('x-tollgate-served')).toBeNull();
    expect((await expectCharged(gateway)).other).not.toHaveProperty('is_model_mapped');
  });

  it('renames in a body too large to be parsed, and in a form', async () => {
    const model = await channelFor((own) => ({ model_mapping: JSON.stringify({ [own]: 'gpt-4o-transcribe' }) }));
    const content = 'x'.repeat(2 * 1024 * 1024);
    await gateway.chat({ messages: [{ role: 'user', content }], model, user: 'me' });
    expect(lastCall().body).toEqual({ model: 'gpt-4o-transcribe', messages: [{ role: 'user', content }], user: 'me' });
    const form = new FormData();
    form.set('file', new Blob([Buffer.from('sound')]), 'a.mp3');
    form.set('model', model);
    form.set('prompt', 'names');
    const headers = { authorization: `Bearer ${gateway.key}` };
    const response = await fetch(`${gateway.url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form });
    expect(response.status).toBe(200);
    expect(lastCall().form?.fields).toEqual({ model: ['gpt-4o-transcribe'], prompt: ['names'] });
    expect(lastCall().form?.files[0]?.body.toString()).toBe('sound');
    await gateway.verifyBooks();
  });
});

describe('a channel’s status mapping', () => {
  it('G-105 is applied before the retry decision, and to what the client sees', async () => {
    const model = await channelFor({ status_code_mapping: '{"400":"503","500":"400"}' });
    gateway.upstream.respond(failure(400));
    expect((await gateway.chat({ model })).status).toBe(200);
    expect(attemptsOf(await expectCharged(gateway))).toHaveLength(2);
    gateway.upstream.always(failure(500));
    await expectRefused(gateway, () => gateway.chat({ model }), { status: 400, upstreamCalls: 1 });
  });
});

describe('a channel’s param_override', () => {
  it('replaces and adds keys of the body, and leaves billing alone', async () => {
    const model = await channelFor({ param_override: '{"temperature":0.1,"vendor":{"x":[1]}}' });
    await gateway.chat({ model, temperature: 1.5, max_tokens: 7 });
    expect(lastCall().body).toMatchObject({ model, temperature: 0.1, vendor: { x: [1] }, max_tokens: 7 });
    await expect(channelFor({ param_override: '{"model":"gpt-4"}' })).rejects.toThrow();
    await expect(channelFor({ param_override: '{"max_tokens":1}' })).rejects.toThrow();
  });
});

describe('the option global.pass_through_request_enabled', () => {
  it('sends the client’s bytes as they are: no mapping, no override, nothing asked for; and the bill is right', async () => {
    const model = await channelFor((own) => ({
      model_mapping: JSON.stringify({ [own]: 'gpt-4o' }),
      param_override: '{"temperature":0.1}',
    }));
    await gateway.setOption('global.pass_through_request_enabled', 'true');
    const body = `{ "stream": true,  "model": "${model}", "messages": [{"role":"user","content":"hi"}], "temperature": 1.50 }`;
    const headers = { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' };
    const response = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body });
    await response.text();
    await gateway.setOption('global.pass_through_request_enabled', 'false');
    expect(gateway.upstream.requests.at(-1)?.body.toString()).toBe(body);
    expect((await expectCharged(gateway)).model_name).toBe(model);
  });
});

describe('an upstream address', () => {
  it('G-053 B108 of a custom channel takes the model into its path, escaped', async () => {
    const base_url = `${gateway.upstream.url}/deploy/{model}/chat/completions`;
    await gateway.addChannel({ name: 'custom', type: 8, base_url, models: 'meta/llama-3.1,a?b=1#c,x y' });
    for (const [model, path] of [
      ['meta/llama-3.1', '/deploy/meta%2Fllama-3.1/chat/completions'],
      ['a?b=1#c', '/deploy/a%3Fb%3D1%23c/chat/completions'],
      ['x y', '/deploy/x%20y/chat/completions'],
    ]) {
      gateway.upstream.respond('openai/chat.json');
      expect((await gateway.chat({ model })).status).toBe(200);
      expect(lastCall().path).toBe(path);
      await expectCharged(gateway, { prompt: 1024 });
    }
  });

  it('of Azure names the deployment and the version, with the key in its own header', async () => {
    const model = await channelFor((own) => ({
      type: 3,
      other: '2024-10-21',
      model_mapping: JSON.stringify({ [own]: 'gpt-4.1' }),
    }));
    expect((await gateway.chat({ model })).status).toBe(200);
    expect(lastCall().path).toBe('/openai/deployments/gpt-41/chat/completions?api-version=2024-10-21');
    expect(lastCall().headers['api-key']).toBe('upstream-key');
    expect(lastCall().headers.authorization).toBeUndefined();
    await expectCharged(gateway, { prompt: 20 });
    await expectRefused(gateway, () => gateway.call('/v1/moderations', { model, input: 'x' }), { status: 400 });
  });

  it('with a path of its own keeps it', async () => {
    gateway.upstream.route('/prefix/v1/chat/completions', 'openai/chat.json');
    const model = await channelFor({ base_url: `${gateway.upstream.url}/prefix/` });
    expect((await gateway.chat({ model })).status).toBe(200);
    expect(lastCall().path).toBe('/prefix/v1/chat/completions');
  });

  it('carries the model of the path when the body has none', async () => {
    const model = await channelFor({});
    expect((await gateway.call(`/v1/engines/${model}/embeddings`, { input: 'x' })).status).toBe(200);
    expect(lastCall().path).toBe('/v1/embeddings');
    expect(lastCall().body).toEqual({ input: 'x', model });
    await expectCharged(gateway, { prompt: 20, completion: 0 });
  });
});

describe('a channel’s settings', () => {
  it('G-053 force_format writes the OpenAI shape, plain and streamed, and changes no charge', async () => {
    const model = await channelFor({ setting: '{"force_format":true}' });
    const odd = {
      choices: [{ message: { content: 'Hi' } }],
      usage: { prompt_tokens: 3, completion_tokens: 2 },
      vendor: 1,
    };
    gateway.upstream.respond(json(200, odd));
    const response = (await (await gateway.chat({ model })).json()) as Record<string, unknown>;
    expect(response).toMatchObject({
      object: 'chat.completion',
      model,
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    });
    expect(response).not.toHaveProperty('vendor');
    await expectCharged(gateway, { prompt: 3, completion: 2 });
    gateway.upstream.respond('compatible/odd-shapes.sse');
    const { chunks, done: ends } = await collectSse(await gateway.chat({ model, stream: true }));
    expect(ends).toBe(1);
    expect(new Set(chunks.map(({ object }) => object))).toEqual(new Set(['chat.completion.chunk']));
    await expectCharged(gateway, { prompt: 3, completion: 2 });
  });

  it('thinking_to_content shows reasoning between think marks', async () => {
    const model = await channelFor({ setting: '{"thinking_to_content":true}' });
    gateway.upstream.respond('compatible/reasoning.sse');
    const { text, done: ends } = await collectSse(await gateway.chat({ model, stream: true }));
    expect(text).toMatch(/^<think>\s*Let me think\.\s*<\/think>\s*42$/);
    expect(ends).toBe(1);
  });

  it('G-060 the organization goes in its header', async () => {
    const model = await channelFor({ openai_organization: 'org-1' });
    await gateway.chat({ model });
    expect(lastCall().headers['openai-organization']).toBe('org-1');
    await gateway.chat();
    expect(lastCall().headers['openai-organization']).toBeUndefined();
  });
});

describe('headers', () => {
  it('R12 of a client stay here, all but the content type', async () => {
    await gateway.chat(
      {},
      {
        headers: {
          cookie: 'session=secret',
          'x-api-key': gateway.key,
          'x-forwarded-for': '10.0.0.1',
          'x-forwarded-host': 'evil.example.com',
          forwarded: 'for=10.0.0.1',
          via: '1.1 x',
          'x-real-ip': '10.0.0.1',
          'openai-organization': 'org-client',
          'openai-project': 'proj-client',
          'new-api-user': '1',
          referer: 'http://inside/',
          origin: 'http://inside',
          'x-request-id': 'chosen-by-client',
          'x-stainless-lang': 'js',
        },
      },
    );
    const { host: _host, ...headers } = lastCall().headers;
    expect(headers).toEqual({
      'accept-encoding': 'identity',
      authorization: 'Bearer upstream-key',
      connection: 'keep-alive',
      'content-length': expect.any(String),
      'content-type': 'application/json',
      'user-agent': `tollgate/${version}`,
    });
  });

  const foreign = {
    'set-cookie': ['a=1; Path=/', 'b=2'],
    location: 'http://evil.example.com/',
    'content-security-policy': 'sandbox',
    'strict-transport-security': 'max-age=1',
    'access-control-allow-origin': 'http://evil.example.com',
    'clear-site-data': '"*"',
    'www-authenticate': 'Basic',
    refresh: '0; url=http://evil.example.com',
    server: 'nginx',
    'x-powered-by': 'php',
    'openai-organization': 'org-ours',
    'x-accel-redirect': '/etc/passwd',
    'x-oneapi-request-id': 'theirs',
    'x-request-id': 'req-theirs',
    'x-ratelimit-remaining-tokens': '99',
    'retry-after': '7',
  };
  const ours = [
    'connection',
    'content-length',
    'content-type',
    'date',
    'keep-alive',
    'retry-after',
    'transfer-encoding',
    'x-content-type-options',
    'x-oneapi-request-id',
    'x-ratelimit-remaining-tokens',
    'x-request-id',
    'x-upstream-request-id',
    'cache-control',
    'x-accel-buffering',
    'content-security-policy',
    'cross-origin-opener-policy',
    'referrer-policy',
    'access-control-allow-origin',
    'access-control-expose-headers',
  ];

  it.each([false, true])('R12, B150 of an upstream stay there, all but a few (streamed: %s)', async (stream) => {
    const reply = stream
      ? streamOf([{ choices: [{ index: 0, delta: { content: 'x' }, finish_reason: 'stop' }] }, done])
      : json(200, chatResponse({ prompt_tokens: 1, completion_tokens: 1 }));
    gateway.upstream.respond({ ...reply, headers: { ...reply.headers, ...foreign } });
    const response = await gateway.chat({ stream });
    const names = [...response.headers.keys()];
    expect(names.filter((name) => !ours.includes(name))).toEqual([]);
    expect(response.headers.get('x-request-id')).not.toContain('theirs');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    expect(response.headers.get('x-upstream-request-id')).toBe('req-theirs');
    expect(response.headers.get('x-ratelimit-remaining-tokens')).toBe('99');
    await response.text();
  });

  it('R12 of an upstream’s refusal stay there too', async () => {
    gateway.upstream.always({ ...failure(400), headers: { 'content-type': 'application/json', ...foreign } });
    const response = await gateway.chat();
    expect(response.status).toBe(400);
    expect([...response.headers.keys()].filter((name) => !ours.includes(name))).toEqual([]);
  });

  it('the request id is ours and is in the log', async () => {
    const response = await gateway.chat({}, { headers: { 'x-request-id': 'mine', 'x-oneapi-request-id': 'mine' } });
    const row = await expectCharged(gateway);
    expect(response.headers.get('x-request-id')).toBe(row.request_id);
    expect(row.request_id).not.toBe('mine');
  });
});
