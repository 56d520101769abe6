import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { role, systemActor } from '../../../core/schemas/actor.ts';
import { collectSse } from '../../support/sse.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { failure, sse } from '../../support/upstream-script.ts';
import { openRaw } from './raw-client.ts';
import { attemptsOf, expectCharged, expectRefused, requestIdOf } from './relay-checks.ts';

const chatPath = '/v1/chat/completions';
const body = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] });

let gateway: TestGateway;
let names = 0;

beforeAll(async () => {
  gateway = await startGateway('sqlite');
});
afterEach(() => gateway.upstream.reset());
afterAll(() => gateway.stop());

function send(headers: Record<string, string>, path = chatPath): Promise<Response> {
  return fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
}

/** A user of their own, so that no test meets the changes of another. */
async function newUser(quota = 1_000_000): Promise<number> {
  names += 1;
  return gateway.addUser(`user${names}`, quota);
}

async function newAdmin(): Promise<string> {
  const id = await newUser();
  await gateway.app.database.users.update({ role: role.admin }, { where: { id } });
  return gateway.addToken(id);
}

async function change(table: 'users' | 'tokens', id: number, values: Record<string, unknown>): Promise<void> {
  const { database } = gateway.app;
  if (table === 'users') await database.users.update(values, { where: { id } });
  else await database.tokens.update(values, { where: { id } });
  await gateway.gateway.refresh();
}

async function remove(id: number): Promise<void> {
  await gateway.app.services.users.manage(systemActor, { id, action: 'delete' });
  await gateway.gateway.refresh();
}

async function tokenIdOf(userId: number): Promise<number> {
  const row = await gateway.app.database.tokens.findOne({
    where: { user_id: userId },
    order: [['id', 'DESC']],
    raw: true,
  });
  return row?.id ?? 0;
}

describe('an API key', () => {
  const bare = () => gateway.key.replace(/^sk-/, '');
  it.each<[string, () => Record<string, string>]>([
    ['Authorization with Bearer', () => ({ authorization: `Bearer ${gateway.key}` })],
    ['Authorization with bearer and blanks', () => ({ authorization: `bearer   ${gateway.key}` })],
    ['Authorization alone', () => ({ authorization: gateway.key })],
    ['Authorization without sk-', () => ({ authorization: `Bearer ${bare()}` })],
    ['x-api-key', () => ({ 'x-api-key': gateway.key })],
    ['api-key', () => ({ 'api-key': bare() })],
    ['x-goog-api-key', () => ({ 'x-goog-api-key': gateway.key })],
    ['mj-api-secret', () => ({ authorization: 'Bearer midjourney-proxy', 'mj-api-secret': gateway.key })],
    ['a socket protocol', () => ({ 'sec-websocket-protocol': `realtime, openai-insecure-api-key.${gateway.key}, x` })],
    ['two headers that agree', () => ({ authorization: `Bearer ${gateway.key}`, 'x-api-key': gateway.key })],
  ])('is taken from %s', async (_name, headers) => {
    expect((await send(headers())).status).toBe(200);
    expect(gateway.upstream.requests[0]?.headers.authorization).toBe('Bearer upstream-key');
    expect(JSON.stringify(gateway.upstream.requests[0]?.headers)).not.toContain(bare());
    await expectCharged(gateway, { prompt: 20 });
  });

  it.each<[string, () => Record<string, string>]>([
    ['none', () => ({})],
    ['Bearer and nothing', () => ({ authorization: 'Bearer ' })],
    ['an unknown one', () => ({ authorization: 'Bearer sk-doesnotexist0123456789' })],
    ['only the prefix', () => ({ authorization: 'Bearer sk-' })],
    ['one of another scheme', () => ({ authorization: `Basic ${Buffer.from(`x:${gateway.key}`).toString('base64')}` })],
    ['a system prototype', () => ({ authorization: 'Bearer __proto__' })],
  ])('G-240 is missing or wrong with %s: 401', async (_name, headers) => {
    await expectRefused(gateway, () => send(headers()), { status: 401, code: 'invalid_api_key' });
  });

  it('B130 of 10 KiB is unknown, and is not shown', async () => {
    const long = `sk-${'k'.repeat(10_240)}`;
    const error = await expectRefused(gateway, () => send({ authorization: `Bearer ${long}` }), { status: 401 });
    expect(error.message.length).toBeLessThan(300);
  });

  it('B29 of 64 KiB is refused before it is read', async () => {
    const call = await openRaw(gateway.url);
    call.socket.write(`POST ${chatPath} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${'k'.repeat(65_536)}\r\n\r\n`);
    await call.closed;
    expect(call.text()).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('B131 in the query counts for nothing', async () => {
    await expectRefused(gateway, () => send({}, `${chatPath}?key=${gateway.key}`), { status: 401 });
    await expectRefused(gateway, () => send({}, `${chatPath}?api_key=${gateway.key}`), { status: 401 });
  });

  it.each(['authorization', 'x-api-key', 'x-goog-api-key'])(
    'B132 in two headers called %s is refused, unless both say the same',
    async (name) => {
      const other = await gateway.addToken(gateway.userId);
      const say = (key: string) => `${name}: ${name === 'authorization' ? 'Bearer ' : ''}${key}`;
      const ask = async (...keys: string[]) => {
        const call = await openRaw(gateway.url);
        const lines = ['host: x', ...keys.map(say), 'content-type: application/json', `content-length: ${body.length}`];
        call.socket.write(`POST ${chatPath} HTTP/1.1\r\n${lines.join('\r\n')}\r\nconnection: close\r\n\r\n${body}`);
        await call.closed;
        return call.text();
      };
      for (const keys of [
        [gateway.key, other],
        [other, gateway.key],
        [gateway.key, 'sk-unknown000000000000'],
      ]) {
        const text = await ask(...keys);
        expect(text).toMatch(/^HTTP\/1\.1 401 /);
        expect(text).toContain('two different');
      }
      expect(gateway.upstream.requests).toEqual([]);
      expect(await ask(gateway.key, gateway.key)).toMatch(/^HTTP\/1\.1 200 /);
    },
  );

  it('B132 beside another one is refused, whichever is right', async () => {
    const other = await gateway.addToken(gateway.userId);
    const pairs: Record<string, string>[] = [
      { authorization: `Bearer ${gateway.key}`, 'x-api-key': other },
      { 'x-api-key': gateway.key, 'api-key': 'sk-unknown000000000000' },
    ];
    for (const headers of pairs) {
      await expectRefused(gateway, () => send(headers), { status: 401, says: 'two different' });
    }
  });

  it('B30 of the console (an access token) opens nothing here', async () => {
    await expectRefused(gateway, () => send({ authorization: `Bearer ${'a'.repeat(32)}` }), { status: 401 });
  });

  it('is known before the body is read: a wrong one with a broken body is a 401', async () => {
    const response = await fetch(`${gateway.url}${chatPath}`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-wrong0000000000000000' },
      body: '{',
    });
    expect(response.status).toBe(401);
    requestIdOf(response);
  });
});

describe('a key that names a channel', () => {
  it.each(['-1', '-abc', '-0', '-999999', '-1-2', '-'])(
    'G-177 B130 is refused to an ordinary user: %s',
    async (pin) => {
      await expectRefused(gateway, () => gateway.chat({}, { key: gateway.key + pin }), {
        status: 403,
        code: 'channel_pin_not_allowed',
      });
    },
  );

  it.each(['-abc', '-0', '-999999', '-1-2', '-1e0', '- 1', '-+1', '-99999999999999999999'])(
    'G-238 B130 is refused to an administrator when there is no such channel: %s',
    async (pin) => {
      const key = await newAdmin();
      await expectRefused(gateway, () => gateway.chat({}, { key: key + pin }), {
        status: 400,
        code: 'invalid_channel',
      });
    },
  );

  it('goes to that channel and no other, also for a model that the channel does not list', async () => {
    const key = await newAdmin();
    const id = await gateway.addChannel({ name: 'pinned', models: 'gpt-4o', priority: -5 });
    const response = await gateway.chat({}, { key: `${key}-${id}` });
    expect(response.status).toBe(200);
    const row = await expectCharged(gateway, { prompt: 20 });
    expect(row.channel_id).toBe(id);
    gateway.upstream.always(failure(500));
    const failed = await gateway.chat({}, { key: `${key}-${id}` });
    expect(failed.status).toBe(500);
    expect(gateway.upstream.requests).toHaveLength(2);
  });

  it('keeps the limits of the token', async () => {
    const id = await newUser();
    await change('users', id, { role: role.admin });
    const key = await gateway.addToken(id, { model_limits_enabled: true, model_limits: 'gpt-4o' });
    await expectRefused(gateway, () => gateway.chat({}, { key: `${key}-1` }), {
      status: 403,
      code: 'model_not_allowed',
    });
  });

  it('G-238 is refused when the channel is off', async () => {
    const key = await newAdmin();
    const id = await gateway.addChannel({ name: 'off' });
    await gateway.app.services.channels.setStatus(systemActor, [id], 2);
    await gateway.gateway.refresh();
    await expectRefused(gateway, () => gateway.chat({}, { key: `${key}-${id}` }), {
      status: 403,
      code: 'channel_disabled',
    });
  });
});

describe('a token', () => {
  it('B134 is only served from its own addresses, and forwarded headers do not help', async () => {
    const away = await gateway.addToken(gateway.userId, { allow_ips: '10.0.0.0/8\n2001:db8::1' });
    const headers = { 'x-forwarded-for': '10.1.2.3', 'x-real-ip': '10.1.2.3', forwarded: 'for=10.1.2.3' };
    await expectRefused(gateway, () => gateway.chat({}, { key: away, headers }), {
      status: 403,
      code: 'ip_not_allowed',
      says: '127.0.0.1',
    });
    for (const allow_ips of ['127.0.0.1', '127.0.0.0/8', '::ffff:127.0.0.1']) {
      const near = await gateway.addToken(gateway.userId, { allow_ips });
      expect((await gateway.chat({}, { key: near })).status, allow_ips).toBe(200);
    }
  });

  it('G-240 B134 is refused from the second in which it expires', async () => {
    const key = await gateway.addToken(gateway.userId);
    await change('tokens', await tokenIdOf(gateway.userId), { expired_time: Math.floor(Date.now() / 1000) });
    await expectRefused(gateway, () => gateway.chat({}, { key }), { status: 401, says: 'expired' });
    await change('tokens', await tokenIdOf(gateway.userId), { expired_time: Math.floor(Date.now() / 1000) + 3600 });
    expect((await gateway.chat({}, { key })).status).toBe(200);
  });

  it('G-240 B134 is refused when it is used up, without showing its key', async () => {
    const key = await gateway.addToken(gateway.userId, { unlimited_quota: false, remain_quota: 0 });
    const expected = { status: 401, code: 'token_quota_exhausted' };
    const error = await expectRefused(gateway, () => gateway.chat({}, { key }), expected);
    expect(error.message).not.toContain(key.slice(3, 20));
    // As an imported one, whose row says so.
    await change('tokens', await tokenIdOf(gateway.userId), { status: 4, used_quota: 750_000 });
    const known = await expectRefused(gateway, () => gateway.chat({}, { key }), expected);
    expect(known.message).toContain('$1.50 used');
    await change('tokens', await tokenIdOf(gateway.userId), { used_quota: 0 });
  });

  it('G-241 is refused when this call would take more than it has left', async () => {
    const key = await gateway.addToken(gateway.userId, { unlimited_quota: false, remain_quota: 5 });
    const expected = { status: 403, code: 'pre_consume_token_quota_failed' };
    await expectRefused(gateway, () => gateway.chat({ max_tokens: 1000 }, { key }), expected);
    expect((await gateway.chat({ max_tokens: 1 }, { key })).status).toBe(200);
    await expectCharged(gateway);
  });

  it('G-241 is refused when its owner has not enough, and says how much is missing', async () => {
    const id = await newUser(3);
    const key = await gateway.addToken(id);
    const error = await expectRefused(gateway, () => gateway.chat({ max_tokens: 100_000 }, { key }), {
      status: 403,
      code: 'insufficient_user_quota',
    });
    expect(error.message).toMatch(/needs about \$0\.06\S* but the balance is \$0\.000006\. Add credit in Wallet/);
    expect(await gateway.quotaOf(id)).toBe(3);
  });

  it('is refused when it is disabled or deleted, from that moment on', async () => {
    const id = await newUser();
    const key = await gateway.addToken(id);
    expect((await gateway.chat({}, { key })).status).toBe(200);
    await change('tokens', await tokenIdOf(id), { status: 2 });
    gateway.upstream.reset();
    await expectRefused(gateway, () => gateway.chat({}, { key }), { status: 401, says: 'disabled' });
    await change('tokens', await tokenIdOf(id), { status: 1, deleted_at: Math.floor(Date.now() / 1000) });
    await expectRefused(gateway, () => gateway.chat({}, { key }), { status: 401, says: 'not valid' });
  });

  it('B133 is refused when its owner is banned or deleted, from that moment on', async () => {
    const id = await newUser();
    const key = await gateway.addToken(id);
    expect((await gateway.chat({}, { key })).status).toBe(200);
    await change('users', id, { status: 2 });
    gateway.upstream.reset();
    await expectRefused(gateway, () => gateway.chat({}, { key }), { status: 403, code: 'user_banned' });
    await change('users', id, { status: 1 });
    expect((await gateway.chat({}, { key })).status).toBe(200);
    await remove(id);
    gateway.upstream.reset();
    await expectRefused(gateway, () => gateway.chat({}, { key }), { status: 401 });
  });

  it.each<[string, (id: number) => Promise<void>, string]>([
    ['its owner is banned', (id) => change('users', id, { status: 2 }), 'disabled'],
    ['its owner is deleted', (id) => remove(id), 'disabled'],
    ['it is disabled', async (id) => change('tokens', await tokenIdOf(id), { status: 2 }), 'can enable it'],
    ['it is deleted', async (id) => change('tokens', await tokenIdOf(id), { deleted_at: 1 }), 'not valid'],
  ])(
    'B133 ends its running streams within a second or so when %s, and what was delivered is paid',
    async (_name, end, says) => {
      const id = await newUser();
      const key = await gateway.addToken(id);
      const words = Array.from({ length: 200 }, (_, index) => ({
        id: 'x',
        model: 'm',
        choices: [{ index: 0, delta: { content: `word${index} ` }, finish_reason: null }],
      }));
      gateway.upstream.respond(sse([...words, '[DONE]'], { delayMs: 50 }));
      const response = await gateway.chat({ stream: true }, { key });
      expect(response.status).toBe(200);
      const ended = collectSse(response);
      await end(id);
      const { chunks, done } = await ended;
      expect(done).toBe(0);
      expect(chunks.at(-1)).toMatchObject({ error: { type: 'new_api_error', message: expect.stringContaining(says) } });
      expect(chunks.length).toBeLessThan(60);
      const row = await expectCharged(gateway);
      expect(row.user_id).toBe(id);
      expect(row.other.outcome).toBe('stopped');
      expect(row.completion_tokens).toBeGreaterThan(0);
      await gateway.upstream.requests[0]?.closed;
      expect(gateway.upstream.requests[0]?.aborted).toBe(true);
    },
  );

  it('G-110 is limited to its model list', async () => {
    const key = await gateway.addToken(gateway.userId, { model_limits_enabled: true, model_limits: 'gpt-4o,gpt-4.1' });
    await expectRefused(gateway, () => gateway.chat({}, { key }), {
      status: 403,
      code: 'model_not_allowed',
      param: 'model',
      says: 'gpt-4o, gpt-4.1',
    });
    const empty = await gateway.addToken(gateway.userId, { model_limits_enabled: true, model_limits: '' });
    await expectRefused(gateway, () => gateway.chat({}, { key: empty }), { status: 403, says: 'Allowed models: none' });
    const own = await gateway.addToken(gateway.userId, { model_limits_enabled: true, model_limits: 'gpt-4o-mini' });
    expect((await gateway.chat({}, { key: own })).status).toBe(200);
  });
});

describe('a group', () => {
  it('B135 that the user may not choose is refused', async () => {
    const key = await gateway.addToken(gateway.userId);
    await change('tokens', await tokenIdOf(gateway.userId), { group: 'svip' });
    await expectRefused(gateway, () => gateway.chat({}, { key }), { status: 403, code: 'group_not_allowed' });
    await change('tokens', await tokenIdOf(gateway.userId), { group: 'constructor' });
    await expectRefused(gateway, () => gateway.chat({}, { key }), { status: 403, code: 'group_not_allowed' });
  });

  it('B135 without a ratio is refused, the own group of a user too', async () => {
    const id = await newUser();
    await change('users', id, { group: 'nowhere' });
    const key = await gateway.addToken(id);
    await expectRefused(gateway, () => gateway.chat({}, { key }), { status: 403, says: 'has no ratio' });
  });

  it('G-112 routes and prices the calls of its tokens', async () => {
    await gateway.setOption('GroupRatio', '{"default":1,"vip":3,"svip":1}');
    const vip = await gateway.addChannel({ name: 'vip', group: 'vip', models: 'gpt-4o' });
    const key = await gateway.addToken(gateway.userId, { group: 'vip' });
    expect((await gateway.chat({ model: 'gpt-4o' }, { key })).status).toBe(200);
    const row = await expectCharged(gateway, { prompt: 20, completion: 10 });
    expect(row.channel_id).toBe(vip);
    expect(row.other.group_ratio).toBe(3);
    // 20 x 1.25 x 3 + 10 x 4 x 1.25 x 3
    expect(row.quota).toBe(225);
    await expectRefused(gateway, () => gateway.chat({ model: 'gpt-4o-mini' }, { key }), {
      status: 404,
      upstreamCalls: 0,
    });
  });
});

describe('a model', () => {
  it('that no channel serves is a 404 with near names', async () => {
    await expectRefused(gateway, () => gateway.chat({ model: 'gpt4o-mini' }), {
      status: 404,
      code: 'model_not_found',
      param: 'model',
      says: 'Near: gpt-4o-mini',
    });
    const headers = {
      'content-type': 'application/json',
      'accept-language': 'zh',
      authorization: `Bearer ${gateway.key}`,
    };
    const body = JSON.stringify({ model: 'gpt4o-mini', messages: [{ role: 'user', content: 'hi' }] });
    const chinese = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body });
    expect(await chinese.text()).toContain('没有渠道提供模型 gpt4o-mini。相近的模型：gpt-4o-mini');
    const far = await expectRefused(gateway, () => gateway.chat({ model: 'something-else' }), { status: 404 });
    expect(far.message).not.toContain('Near');
  });

  it('G-237 whose channels are all off is a 503 that says when to come back', async () => {
    const id = await gateway.addChannel({ name: 'closed', models: 'gpt-4.1' });
    await gateway.app.services.channels.setStatus(systemActor, [id], 2);
    await gateway.gateway.refresh();
    await expectRefused(gateway, () => gateway.chat({ model: 'gpt-4.1' }), {
      status: 503,
      code: 'no_available_channel',
    });
    const response = await gateway.chat({ model: 'gpt-4.1' });
    expect(response.headers.get('retry-after')).toBe('30');
  });

  it('B135 without a price is refused before any upstream hears of it', async () => {
    await gateway.addChannel({ name: 'odd', models: 'house-model' });
    await expectRefused(gateway, () => gateway.chat({ model: 'house-model' }), {
      status: 400,
      code: 'model_price_error',
    });
    await gateway.setOption('SelfUseModeEnabled', 'true');
    expect((await gateway.chat({ model: 'house-model' })).status).toBe(200);
    await expectCharged(gateway, { prompt: 20, completion: 10 });
    await gateway.setOption('SelfUseModeEnabled', 'false');
  });

  it('that is free is served to someone without a balance', async () => {
    await gateway.setOption('ModelRatio', '{"gpt-4o-mini":0}');
    const key = await gateway.addToken(await newUser(0));
    expect((await gateway.chat({}, { key })).status).toBe(200);
    expect((await expectCharged(gateway)).quota).toBe(0);
    await gateway.setOption('ModelRatio', '{}');
    await expectRefused(gateway, () => gateway.chat({}, { key }), { status: 403, code: 'insufficient_user_quota' });
  });
});

describe('behind a trusted proxy', () => {
  it('the right-most address that is not a proxy counts', async () => {
    const behind = await startGateway('sqlite', { TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' });
    const key = await behind.addToken(behind.userId, { allow_ips: '203.0.113.7' });
    const via = (forwarded: string) => behind.chat({}, { key, headers: { 'x-forwarded-for': forwarded } });
    expect((await via('203.0.113.7')).status).toBe(200);
    expect((await via('198.51.100.9, 203.0.113.7, 10.1.1.1')).status).toBe(200);
    expect((await via('203.0.113.7, 198.51.100.9')).status).toBe(403);
    expect((await via('')).status).toBe(403);
    expect(attemptsOf(await expectCharged(behind))).toMatchObject([{ channel: 1, outcome: 'ok' }]);
    await behind.stop();
  });
});
