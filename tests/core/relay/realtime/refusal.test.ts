import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { type FakeRealtime, startFakeRealtime } from '../../../support/fake-realtime.ts';
import { sendRaw } from '../../../support/raw-request.ts';
import { type HttpRefusal, type OpenOptions, openRealtime } from '../../../support/realtime-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { expectErrorShape, openHolds, waitFor } from '../relay-checks.ts';

const model = 'gpt-4o-realtime-preview';
let gateway: TestGateway;
let upstream: FakeRealtime;

const open = (options: Partial<OpenOptions> = {}) => openRealtime(gateway.url, { key: gateway.key, model, ...options });

/** HTTP in OpenAI's shape; nothing was asked of the upstream, and nothing is held. */
async function refusalOf(options: Partial<OpenOptions>): Promise<HttpRefusal['body'] & Record<string, unknown>> {
  const sessions = upstream.sessions.length;
  const refusal = await open(options).then(
    () => Promise.reject(new Error('a session was opened')),
    (error: HttpRefusal) => error,
  );
  if (refusal instanceof Error) throw refusal;
  const error = expectErrorShape(refusal.body, String(refusal.headers['x-request-id']));
  expect(refusal.headers['access-control-allow-origin']).toBe('*');
  expect(upstream.sessions.length).toBe(sessions);
  return { status: refusal.status, ...error, headers: refusal.headers };
}

/** The first line of the response to a handshake written by hand. */
function shakeHands(lines: string[]): Promise<string> {
  const { hostname, port } = new URL(gateway.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`GET /v1/realtime?model=${model} HTTP/1.1\r\nhost: x\r\n${lines.join('\r\n')}\r\n\r\n`);
    });
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString();
      if (text.includes('\r\n\r\n')) socket.end();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

const handshake = () => [
  'connection: Upgrade',
  'upgrade: websocket',
  'sec-websocket-version: 13',
  `sec-websocket-key: ${randomBytes(16).toString('base64')}`,
  `authorization: Bearer ${gateway.key}`,
];

describe('a realtime session is refused', () => {
  beforeAll(async () => {
    upstream = await startFakeRealtime();
    gateway = await startGateway('sqlite', {}, { realtime: { socketsPerToken: 3 } });
    await gateway.addChannel({ name: 'realtime', models: `${model},unpriced-realtime`, base_url: upstream.url });
  });
  afterEach(async () => {
    upstream.reset();
    await waitFor('all sessions to end', async () => (await openHolds(gateway)) === 0);
  });
  afterAll(async () => {
    await gateway.stop();
    await upstream.close();
  });

  it('B138 without an upgrade, and says what to use', async () => {
    for (const path of ['/v1/realtime', `/v1/realtime?model=${model}`]) {
      const headers = { authorization: `Bearer ${gateway.key}` };
      const { status, text, headers: given } = await sendRaw(gateway.url, { method: 'GET', path, headers });
      expect(status).toBe(426);
      expect(given.upgrade).toBe('websocket');
      expectErrorShape(JSON.parse(text), String(given['x-request-id']));
    }
    const { status } = await sendRaw(gateway.url, { method: 'GET', path: '/v1/realtime' });
    expect(status).toBe(401);
  });

  it.each([
    ['a list of protocols with a hole', ['sec-websocket-protocol: realtime,,x']],
    ['a protocol twice', ['sec-websocket-protocol: realtime, realtime']],
    ['a protocol that is not a name', ['sec-websocket-protocol: real time']],
  ])('B138 for %s', async (_name, lines) => {
    const response = await shakeHands([...handshake(), ...lines]);
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expect(response).toContain('"code":"invalid_request"');
    expect(upstream.sessions).toEqual([]);
  });

  it.each([
    ['no key of the handshake', (line: string) => !line.startsWith('sec-websocket-key')],
    ['no version', (line: string) => !line.startsWith('sec-websocket-version')],
  ])('B138 for %s', async (_name, keep) => {
    expect(await shakeHands(handshake().filter(keep))).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('leaves other addresses and other protocols to HTTP', async () => {
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket' };
    const status = await sendRaw(gateway.url, { method: 'GET', path: '/api/status', headers: upgrade });
    expect(status.status).toBe(200);
    const unknown = await sendRaw(gateway.url, { method: 'GET', path: '/v1/nowhere', headers: upgrade });
    expect(unknown.status).toBe(404);
    // Java's client offers HTTP/2 with every call.
    const body = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] });
    const chat = await sendRaw(gateway.url, {
      method: 'POST',
      path: '/v1/chat/completions',
      body,
      headers: {
        connection: 'Upgrade, HTTP2-Settings',
        upgrade: 'h2c',
        'http2-settings': 'AAMAAABkAAQCAAAAAAIAAAAA',
        authorization: `Bearer ${gateway.key}`,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
      },
    });
    expect(chat.status).toBe(200);
  });

  it('with a wrong key, no key, two keys, a key of a banned user, from a foreign address, beyond its models', async () => {
    expect(await refusalOf({ key: 'sk-wrong' })).toMatchObject({ status: 401, code: 'invalid_api_key' });
    expect(await refusalOf({ key: '' })).toMatchObject({ status: 401 });
    const protocols = ['realtime', 'openai-insecure-api-key.sk-other'];
    expect(await refusalOf({ protocols })).toMatchObject({ status: 401 });
    const banned = await gateway.addUser('banned', 1_000_000);
    const bannedKey = await gateway.addToken(banned);
    await gateway.app.services.users.manage(systemActor, { id: banned, action: 'disable' });
    await gateway.gateway.refresh();
    expect(await refusalOf({ key: bannedKey })).toMatchObject({ status: 403 });
    const far = await gateway.addToken(gateway.userId, { name: 'far', allow_ips: '10.9.8.7' });
    expect(await refusalOf({ key: far })).toMatchObject({ status: 403 });
    const limited = { name: 'limited', model_limits_enabled: true, model_limits: 'gpt-4o-mini' };
    expect(await refusalOf({ key: await gateway.addToken(gateway.userId, limited) })).toMatchObject({ status: 403 });
  });

  it('without a model, for an unserved or unpriced one, and on a channel without realtime', async () => {
    expect(await refusalOf({ model: '' })).toMatchObject({ status: 400, param: 'model' });
    expect(await refusalOf({ model: '../x\n' })).toMatchObject({ status: 400 });
    expect(await refusalOf({ model: 'no-such-model' })).toMatchObject({ status: 404, code: 'model_not_found' });
    expect(await refusalOf({ model: 'unpriced-realtime' })).toMatchObject({ status: 400, code: 'model_price_error' });
    await gateway.addChannel({
      type: 25,
      name: 'other',
      models: 'gpt-4o-mini-realtime-preview',
      base_url: upstream.url,
    });
    const unfit = await refusalOf({ model: 'gpt-4o-mini-realtime-preview' });
    expect(unfit).toMatchObject({ status: 400 });
    expect(unfit.message).toContain('/v1/realtime');
  });

  it('M1 without enough balance, of the user or of the token', async () => {
    const poor = await gateway.addUser('poor', 10);
    expect(await refusalOf({ key: await gateway.addToken(poor) })).toMatchObject({
      status: 403,
      code: 'insufficient_user_quota',
    });
    const small = { name: 'small', unlimited_quota: false, remain_quota: 10 };
    expect(await refusalOf({ key: await gateway.addToken(gateway.userId, small) })).toMatchObject({ status: 403 });
  });

  it('R9 beyond the sockets of one token and the calls of one user', async () => {
    const key = await gateway.addToken(gateway.userId, { name: 'crowd' });
    const clients = await Promise.all([open({ key }), open({ key }), open({ key })]);
    expect(await refusalOf({ key })).toMatchObject({ status: 429, code: 'concurrency_limit_exceeded' });
    for (const { socket } of clients) socket.close();
    await Promise.all(clients.map(({ closed }) => closed));
    await gateway.setOption('TokenConcurrencyLimit', '1');
    await waitFor('the sessions to end', async () => (await openHolds(gateway)) === 0);
    const only = await open({ key });
    expect(await refusalOf({ key })).toMatchObject({ status: 429 });
    only.socket.close();
    await only.closed;
    await gateway.setOption('TokenConcurrencyLimit', '0');
  });

  it.each([
    [
      'HTTP 401',
      { refusal: { status: 401, body: { error: { message: 'bad key upstream-key', code: 'invalid_api_key' } } } },
      502,
    ],
    ['HTTP 200', { refusal: { status: 200, body: {} } }, 502],
    [
      'an error in place of a session',
      {
        greeting: {
          type: 'error',
          error: { type: 'invalid_request_error', code: 'model_not_found', message: 'The model `x` does not exist' },
        },
      },
      404,
    ],
  ])('when the upstream refuses it by %s, with nothing held', async (_name, behavior, status) => {
    Object.assign(upstream, behavior);
    await gateway.setOption('AutomaticDisableChannelEnabled', 'false');
    const refusal = (await open().catch((error: HttpRefusal) => error)) as HttpRefusal;
    expect(refusal.status).toBe(status);
    expect(JSON.stringify(refusal.body)).not.toContain('upstream-key');
    expect(await gateway.quotaOf(gateway.userId)).toBe(10_000_000 - (await spent()));
  });
});

async function spent(): Promise<number> {
  const rows = await gateway.logs();
  return rows.filter((row) => row.user_id === gateway.userId).reduce((sum, { quota }) => sum + quota, 0);
}
