import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { openRaw } from '../../relay/raw-client.ts';
import { expectCharged, expectErrorShape, expectRefused, requestIdOf } from '../../relay/relay-checks.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway('sqlite');
  await gateway.addChannel({ name: 'more', models: 'gpt-4o,meta/llama-3.1', group: 'default,vip' });
});
afterEach(() => gateway.upstream.reset());
afterAll(() => gateway.stop());

function get(path: string, key = gateway.key, method = 'GET'): Promise<Response> {
  return fetch(`${gateway.url}${path}`, { method, headers: key ? { authorization: `Bearer ${key}` } : {} });
}

const idsOf = async (response: Response) =>
  ((await response.json()) as { data: { id: string }[] }).data.map(({ id }) => id);

describe('the model list', () => {
  it('shows what the group of the token is served, as OpenAI does and as older consoles expect', async () => {
    const response = await get('/v1/models');
    requestIdOf(response);
    const list = (await response.json()) as { data: unknown[] };
    expect(list).toMatchObject({ success: true, object: 'list' });
    expect(list.data[0]).toMatchObject({
      id: 'gpt-4o',
      object: 'model',
      created: expect.any(Number),
      owned_by: 'openai',
    });
    const client = new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1` });
    const ids = [];
    for await (const model of client.models.list()) ids.push(model.id);
    expect(ids).toEqual(['gpt-4o', 'gpt-4o-mini', 'meta/llama-3.1']);
    expect((await client.models.retrieve('meta/llama-3.1')).owned_by).toBe('custom');
  });

  it('is that of the token’s group, or the token’s own limits', async () => {
    const vip = await gateway.addToken(gateway.userId, { group: 'vip' });
    expect(await idsOf(await get('/v1/models', vip))).toEqual(['gpt-4o', 'meta/llama-3.1']);
    const limited = await gateway.addToken(gateway.userId, {
      model_limits_enabled: true,
      model_limits: 'gpt-4o,not-served',
    });
    expect(await idsOf(await get('/v1/models', limited))).toEqual(['gpt-4o', 'not-served']);
    expect((await get('/v1/models/gpt-4o-mini', limited)).status).toBe(404);
  });

  it('knows no model that is not in it', async () => {
    const says = "The model 'nothing' does not exist";
    await expectRefused(gateway, () => get('/v1/models/nothing'), {
      status: 404,
      code: 'model_not_found',
      param: 'model',
      says,
    });
    for (const name of ['__proto__', 'constructor', '%2e%2e']) {
      await expectRefused(gateway, () => get(`/v1/models/${name}`), { status: 404 });
    }
    await expectRefused(gateway, () => get('/v1/models/a%00b'), { status: 400 });
  });

  it('needs a key', async () => {
    await expectRefused(gateway, () => get('/v1/models', ''), { status: 401 });
    await expectRefused(gateway, () => get('/v1/models/gpt-4o', 'sk-wrong00000000000000'), { status: 401 });
  });
});

describe('the balance routes', () => {
  const subscription = async (key?: string) => (await get('/v1/dashboard/billing/subscription', key)).json();
  const usage = async (key?: string) => (await get('/dashboard/billing/usage', key)).json();

  it('tell the token’s figures in US dollars', async () => {
    const key = await gateway.addToken(gateway.userId, {
      unlimited_quota: false,
      remain_quota: 1_000_000,
      expired_time: 4_000_000_000,
    });
    gateway.upstream.defaults.usage.prompt = 2_000_000;
    await gateway.chat({}, { key });
    const { quota } = await expectCharged(gateway, { prompt: 2_000_000 });
    expect(await subscription(key)).toEqual({
      object: 'billing_subscription',
      has_payment_method: true,
      soft_limit_usd: 2,
      hard_limit_usd: 2,
      system_hard_limit_usd: 2,
      access_until: 4_000_000_000,
    });
    expect(await usage(key)).toEqual({ object: 'list', total_usage: quota / 5000 });
  });

  it('A-063 A-064 tell the user’s figures, or plain quota, when the options say so', async () => {
    expect(await subscription()).toMatchObject({ hard_limit_usd: 100_000_000, access_until: 0 });
    await gateway.setOption('DisplayTokenStatEnabled', 'false');
    expect(await subscription()).toMatchObject({ hard_limit_usd: 20 });
    await gateway.setOption('DisplayInCurrencyEnabled', 'false');
    expect(await subscription()).toMatchObject({ hard_limit_usd: 10_000_000 });
    await gateway.setOption('DisplayInCurrencyEnabled', 'true');
    await gateway.setOption('DisplayTokenStatEnabled', 'true');
  });

  it('need a key, on both paths', async () => {
    for (const path of ['/dashboard/billing/subscription', '/v1/dashboard/billing/usage']) {
      await expectRefused(gateway, () => get(path, ''), { status: 401 });
    }
  });
});

describe('what is not offered', () => {
  it.each([
    ['POST', '/v1/edits'],
    ['POST', '/v1/images/variations'],
    ['GET', '/v1/files'],
    ['POST', '/v1/files'],
    ['DELETE', '/v1/files/file-1'],
    ['GET', '/v1/files/file-1/content'],
    ['POST', '/v1/fine-tunes'],
    ['POST', '/v1/fine_tuning/jobs'],
    ['DELETE', '/v1/models/gpt-4o'],
    ['POST', '/v1/assistants'],
    ['POST', '/v1/threads/thread_1/runs'],
    ['POST', '/v1/videos/video_1/remix'],
  ])('%s %s is a 501 at once, with or without a key', async (method, path) => {
    for (const key of [gateway.key, '']) {
      const expected = { status: 501, code: 'api_not_implemented', says: 'API not implemented' };
      await expectRefused(gateway, () => get(path, key, method), expected);
    }
  });

  it.each([
    ['GET', '/v1/chat/completions'],
    ['PUT', '/v1/chat/completions'],
    ['POST', '/v1/nothing'],
    ['POST', '/v1/chat/completions/'],
    ['POST', '/V1/chat/completions'],
    ['POST', '//v1/chat/completions'],
    ['POST', '/v1/chat/completions;x=1'],
    ['POST', '/v1/chat%2fcompletions'],
    ['POST', '/v1/%zz'],
    ['POST', `/v1/models/${'m'.repeat(400)}`],
  ])('B39 %s %s is a 4xx that reaches no upstream', async (method, path) => {
    const call = await openRaw(gateway.url);
    const head = `authorization: Bearer ${gateway.key}\r\ncontent-type: application/json\r\ncontent-length: 2`;
    call.socket.write(`${method} ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${head}\r\n\r\n{}`);
    await call.closed;
    expect(call.text()).toMatch(/^HTTP\/1\.1 4\d\d /);
    if (path.startsWith('/v1/')) {
      const body = JSON.parse(call.text().slice(call.text().indexOf('\r\n\r\n') + 4));
      expectErrorShape(body, /x-request-id: (\S+)/i.exec(call.text())?.[1] ?? '-');
    }
    expect(gateway.upstream.requests).toHaveLength(0);
  });

  it('B35 a header cannot change the method', async () => {
    const headers = { authorization: `Bearer ${gateway.key}`, 'x-http-method-override': 'POST' };
    const response = await fetch(`${gateway.url}/v1/chat/completions`, { headers });
    expect(response.status).toBe(404);
  });

  it.each([
    ['two lengths', 'content-length: 5\r\ncontent-length: 6'],
    ['a length and chunks', 'content-length: 5\r\ntransfer-encoding: chunked'],
    ['a folded header', 'content-length: 5\r\nx-a: 1\r\n b'],
    ['an unknown transfer encoding', 'transfer-encoding: gzip, chunked, identity'],
  ])('B33 %s is a 400, and the connection closes', async (_name, headers) => {
    const call = await openRaw(gateway.url);
    const start = `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${gateway.key}`;
    call.socket.write(
      `${start}\r\ncontent-type: application/json\r\n${headers}\r\n\r\n0\r\n\r\nGET /v1/models HTTP/1.1\r\n\r\n`,
    );
    await call.closed;
    expect(call.text().match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(call.text()).toMatch(/^HTTP\/1\.1 (400|501) /);
    expect(gateway.upstream.requests).toHaveLength(0);
  });
});

describe('the playground', () => {
  const path = '/pg/chat/completions';
  let cookie = '';
  let user = '';

  beforeAll(async () => {
    const response = await fetch(`${gateway.url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'alice', password: 'correct horse battery' }),
    });
    cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    user = String(gateway.userId);
    expect(response.status).toBe(200);
  });

  function play(body: Record<string, unknown>, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie, 'new-api-user': user, ...headers },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], ...body }),
    });
  }

  it('serves a signed-in user, and charges the user alone', async () => {
    const before = await gateway.quotaOf(gateway.userId);
    const response = await play({ group: '' });
    expect(response.status).toBe(200);
    requestIdOf(response);
    const row = await expectCharged(gateway, { prompt: 20, completion: 10 });
    expect(row).toMatchObject({ token_id: 0, token_name: 'playground-default', user_id: gateway.userId });
    expect(before - (await gateway.quotaOf(gateway.userId))).toBe(row.quota);
  });

  it('routes and prices by the group that the body names, which the upstream never sees', async () => {
    await gateway.setOption('GroupRatio', '{"default":1,"vip":2,"svip":1}');
    const response = await play({ group: 'vip', stream: true });
    expect(await response.text()).toContain('[DONE]');
    expect(gateway.upstream.requests[0]?.json).not.toHaveProperty('group');
    const row = await expectCharged(gateway);
    expect(row.other.group_ratio).toBe(2);
    expect(row).toMatchObject({ token_name: 'playground-vip' });
  });

  it('B140 refuses a group the user may not use', async () => {
    await expectRefused(gateway, () => play({ group: 'svip' }), { status: 403, code: 'group_not_allowed' });
    await expectRefused(gateway, () => play({ group: '__proto__' }), { status: 403 });
    await expectRefused(gateway, () => play({ group: 5 }), { status: 400, param: 'group' });
  });

  it('B140 refuses access tokens and API keys', async () => {
    for (const authorization of ['Bearer 0123456789abcdef', `Bearer ${gateway.key}`]) {
      await expectRefused(gateway, () => play({}, { cookie: '', authorization }), {
        status: 400,
        code: 'access_token_not_supported',
      });
    }
  });

  it('refuses callers who are not signed in, or claim to be another user', async () => {
    await expectRefused(gateway, () => play({}, { cookie: '' }), { status: 401 });
    await expectRefused(gateway, () => play({}, { cookie: `${cookie}x` }), { status: 401 });
    for (const id of ['', '1', `0${user}`, `${user}.0`, `${user},${user}`]) {
      await expectRefused(gateway, () => play({}, { 'new-api-user': id }), { status: 401 });
    }
  });

  it.each<Record<string, string>>([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'null' },
    { origin: 'http://evil.example.com' },
  ])('B37, B38 refuses calls of foreign pages: %j', async (headers) => {
    await expectRefused(gateway, () => play({}, headers), { status: 403 });
  });

  it('refuses bad bodies and unknown models in the shape of the protocol', async () => {
    await expectRefused(gateway, () => play({ n: 0 }), { status: 400, param: 'n' });
    await expectRefused(gateway, () => play({ model: 'nothing-like-it' }), { status: 404, code: 'model_not_found' });
    await expectRefused(gateway, () => play({}, { 'content-type': 'text/plain' }), { status: 415 });
  });

  it('ends with the session', async () => {
    await fetch(`${gateway.url}/api/user/logout`, { headers: { cookie } });
    await expectRefused(gateway, () => play({}), { status: 401 });
  });
});
