import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createRealtimeSecretService } from '../../../../core/services/realtime-secret.ts';
import { type FakeRealtime, startFakeRealtime } from '../../../support/fake-realtime.ts';
import { type OpenOptions, openRealtime, openSdkSession } from '../../../support/realtime-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { expectRefused, openHolds, waitFor } from '../relay-checks.ts';

const model = 'gpt-4o-realtime-preview';
const secretsPath = '/v1/realtime/client_secrets';
const settings = {
  instructions: 'Be brief.',
  max_output_tokens: 200,
  audio: { input: { transcription: { model: 'whisper-1' } }, output: { voice: 'marin' } },
};

interface Issued {
  value: string;
  expires_at: number;
  session: Record<string, unknown>;
}

describe.each(['sqlite', 'postgres'] as const)('a client secret of realtime sessions (%s)', (engine) => {
  let gateway: TestGateway;
  let upstream: FakeRealtime;

  beforeAll(async () => {
    upstream = await startFakeRealtime();
    gateway = await startGateway(engine);
    await gateway.addChannel({ name: 'realtime', models: `${model},gpt-realtime`, base_url: upstream.url });
  });
  afterEach(async () => {
    upstream.reset();
    await waitFor('all sessions to end', async () => (await openHolds(gateway)) === 0);
    await gateway.verifyBooks();
  });
  afterAll(async () => {
    await gateway.stop();
    await upstream.close();
  });

  async function issue(body: unknown = { session: { type: 'realtime', model, ...settings } }, key = gateway.key) {
    const response = await gateway.call(secretsPath, body, { key });
    expect(response.status).toBe(200);
    return (await response.json()) as Issued;
  }
  const open = (value: string, options: Partial<OpenOptions> = {}) =>
    openRealtime(gateway.url, { key: '', protocols: ['realtime', `openai-insecure-api-key.${value}`], ...options });

  it('is made and used with the openai package, and pays with its token', async () => {
    const server = new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1` });
    const before = Math.floor(Date.now() / 1000);
    const { value, expires_at, session } = await server.realtime.clientSecrets.create({
      session: { type: 'realtime', model, instructions: 'Be brief.' },
    });
    expect(value).toMatch(/^ek_[\dA-Za-z]{48}$/);
    expect(expires_at - before).toBeGreaterThanOrEqual(600);
    expect(expires_at - before).toBeLessThan(660);
    expect(session).toMatchObject({ object: 'realtime.session', type: 'realtime', model, instructions: 'Be brief.' });
    const quota = await gateway.quotaOf(gateway.userId);
    const browser = openSdkSession(gateway.url, value, model);
    const done = new Promise((resolve) => browser.on('response.done', resolve));
    await new Promise((resolve) => browser.on('session.updated', resolve));
    browser.send({ type: 'response.create' });
    await done;
    browser.close();
    await waitFor('the row', async () => (await gateway.logCount()) === 1);
    await waitFor('the session to end', async () => (await openHolds(gateway)) === 0);
    const row = await gateway.lastLog();
    expect(quota - (await gateway.quotaOf(gateway.userId))).toBe(row?.quota);
    expect(row?.quota).toBeGreaterThan(0);
    // The upstream's key stays here, and the secret does not go there.
    expect(upstream.newest().headers.authorization).toBe('Bearer upstream-key');
    expect(JSON.stringify(upstream.newest().headers)).not.toContain(value);
  });

  it('brings its settings to the upstream before anything of the browser, and its model with it', async () => {
    const { value } = await issue();
    const client = await open(value);
    expect(upstream.newest().url).toBe(`/v1/realtime?model=${model}`);
    client.send({ type: 'input_audio_buffer.clear' });
    await waitFor('both events', async () => upstream.newest().events.length === 2);
    expect(upstream.newest().events).toEqual([
      { type: 'session.update', session: { ...settings, type: 'realtime' } },
      { type: 'input_audio_buffer.clear' },
    ]);
    client.send({ type: 'session.update', session: { model: 'gpt-realtime' } });
    expect(await client.next('error')).toMatchObject({ error: { code: 'model_cannot_change' } });
    client.socket.close();
    await client.closed;
    await expect(open(value, { model: 'gpt-realtime' })).rejects.toMatchObject({
      status: 400,
      body: { error: { code: 'model_cannot_change' } },
    });
    // Several sessions, as a page that is loaded again needs them; also with the secret in the header.
    const second = await openRealtime(gateway.url, { key: value });
    second.socket.close();
    await second.closed;
  });

  it('of the beta comes from the older address, and opens sessions of the beta alone', async () => {
    const body = { model, instructions: 'Be brief.', client_secret: { expires_after: { seconds: 60 } } };
    const response = await gateway.call('/v1/realtime/sessions', body);
    const session = (await response.json()) as { client_secret: Issued };
    expect(session).toMatchObject({ object: 'realtime.session', model, instructions: 'Be brief.' });
    const { value, expires_at } = session.client_secret;
    expect(expires_at - Date.now() / 1000).toBeLessThanOrEqual(60);
    const mismatch = { status: 400, body: { error: { code: 'api_version_mismatch' } } };
    await expect(open(value)).rejects.toMatchObject(mismatch);
    const beta = { headers: { 'openai-beta': 'realtime=v1' } };
    await expect(open((await issue()).value, beta)).rejects.toMatchObject(mismatch);
    const client = await open(value, beta);
    await client.next('session.updated');
    expect(upstream.newest().events).toEqual([{ type: 'session.update', session: { instructions: 'Be brief.' } }]);
    client.socket.close();
    await client.closed;
  });

  it('ends with its token: disabled, used up, expired or deleted', async () => {
    const unlike = { disabled: { status: 2 }, used: { status: 4 }, expired: { expired_time: 1 }, deleted: {} };
    for (const [what, values] of Object.entries(unlike)) {
      const key = await gateway.addToken(gateway.userId, { name: what });
      const { value } = await issue(undefined, key);
      const { tokens } = gateway.app.database;
      const change = what === 'deleted' ? { deleted_at: 1_700_000_000 } : values;
      const running = await open(value);
      await tokens.update(change, { where: { name: what } });
      if (what !== 'used') expect(await running.closed, what).toMatchObject({ code: 1008 });
      running.socket.close();
      await expect(open(value), what).rejects.toMatchObject({ status: 401 });
    }
  });

  it('expires, and is not known when it was never given', async () => {
    const { database, secretBox } = gateway.app;
    let now = 1000;
    const secrets = createRealtimeSecretService({ database, secretBox, now: () => now });
    const caller = { userId: gateway.userId, tokenId: 1, pinnedChannelId: undefined };
    const { value } = await secrets.issue(caller, { model, settings: {}, isBeta: false }, 10);
    now = 1009;
    expect(await secrets.open(value)).toMatchObject({ tokenId: 1, model });
    now = 1010;
    await expect(secrets.open(value)).rejects.toThrow('expired');
    for (const wrong of [`ek_${'x'.repeat(48)}`, 'ek_', value]) {
      await expect(open(wrong)).rejects.toMatchObject({ status: 401, body: { error: { code: 'invalid_api_key' } } });
    }
  });

  it('and its instructions are not stored in clear', async () => {
    const { value } = await issue();
    const rows = await gateway.app.database.select('SELECT * FROM one_time_codes');
    expect(rows.length).toBeGreaterThan(0);
    for (const hidden of [value, value.slice(3), 'Be brief.']) expect(JSON.stringify(rows)).not.toContain(hidden);
  });

  it('opens nothing but sessions', async () => {
    const { value } = await issue();
    const says = 'opens realtime sessions only';
    for (const [path, body] of [
      ['/v1/chat/completions', { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] }],
      [secretsPath, { session: { model } }],
    ] as const) {
      const call = () => gateway.call(path, body, { key: value });
      await expectRefused(gateway, call, { status: 401, code: 'invalid_api_key', says });
    }
    const models = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${value}` } });
    expect(models.status).toBe(401);
  });

  it.each<[string, unknown, { status: number; param?: string; says: string }]>([
    ['no model', { session: { type: 'realtime' } }, { status: 400, param: 'session.model', says: 'session.model' }],
    ['no session', {}, { status: 400, param: 'session.model', says: 'required' }],
    ['a session that is text', { session: 'x' }, { status: 400, param: 'session', says: 'object' }],
    ['an unknown model', { session: { model: 'nothing' } }, { status: 404, says: 'nothing' }],
    ['a transcription session', { session: { type: 'transcription' } }, { status: 400, says: 'realtime' }],
    ...[9, 7201, 1.5, '60'].map((seconds): [string, unknown, { status: number; param: string; says: string }] => [
      `a life of ${seconds} s`,
      { session: { model }, expires_after: { anchor: 'created_at', seconds } },
      { status: 400, param: 'expires_after.seconds', says: '10' },
    ]),
    [
      'another anchor',
      { session: { model }, expires_after: { anchor: 'used_at' } },
      { status: 400, param: 'expires_after.anchor', says: 'created_at' },
    ],
    ['a disguised key', { session: { model, Instructions: 'x' } }, { status: 400, says: 'Instructions' }],
    ['long settings', { session: { model, instructions: 'x'.repeat(70_000) } }, { status: 413, says: '64 KiB' }],
  ])('is not made for %s', async (_what, body, expected) => {
    await expectRefused(gateway, () => gateway.call(secretsPath, body), expected);
  });

  it('keeps to the models of its token, the transcribing one too', async () => {
    const key = await gateway.addToken(gateway.userId, { model_limits_enabled: true, model_limits: model });
    const refused = { status: 403, code: 'model_not_allowed' };
    const ask = (session: unknown) => () => gateway.call(secretsPath, { session }, { key });
    await expectRefused(gateway, ask({ model: 'gpt-realtime' }), refused);
    await expectRefused(gateway, ask({ model, ...settings }), refused);
    await issue({ session: { model } }, key);
  });

  it('keeps to the addresses of its token', async () => {
    const key = await gateway.addToken(gateway.userId, { name: 'far' });
    const { value } = await issue(undefined, key);
    await gateway.app.database.tokens.update({ allow_ips: '192.0.2.1' }, { where: { name: 'far' } });
    await expect(open(value)).rejects.toMatchObject({ status: 403, body: { error: { code: 'ip_not_allowed' } } });
  });

  it('is not made without end', async () => {
    const { database, secretBox } = gateway.app;
    const secrets = createRealtimeSecretService({ database, secretBox });
    const caller = { userId: gateway.userId, tokenId: 99, pinnedChannelId: undefined };
    const make = () => secrets.issue(caller, { model, settings: {}, isBeta: false }, 600);
    const live = { purpose: 'realtime_secret', subject: '99', expires_at: 4_000_000_000 };
    const rows = Array.from({ length: 999 }, (_, at) => ({ ...live, code_hash: `filler ${at}` }));
    await database.oneTimeCodes.bulkCreate(rows, { ignoreDuplicates: true });
    await make();
    await expect(make()).rejects.toMatchObject({ code: 'realtime.tooManySecrets' });
  });
});

describe('a realtime call over WebRTC', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());

  it.each(['', '/rtc_1/accept', '/rtc_1/hangup', '/rtc_1/refer', '/rtc_1/reject'])(
    'is refused in words that name the WebSocket (%s)',
    async (tail) => {
      const call = (key: string) => () =>
        fetch(`${gateway.url}/v1/realtime/calls${tail}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/sdp' },
          body: 'v=0\r\n',
        });
      const refused = { status: 501, code: 'webrtc_not_supported', says: 'WebSocket' };
      await expectRefused(gateway, call(gateway.key), refused);
      await expectRefused(gateway, call('sk-nothing'), { status: 401, code: 'invalid_api_key' });
    },
  );

  it('says the same to a browser with a client secret', async () => {
    await gateway.addChannel({ name: 'realtime', models: model });
    const issued = (await (await gateway.call(secretsPath, { session: { model } })).json()) as Issued;
    const response = await fetch(`${gateway.url}/v1/realtime/calls`, {
      method: 'POST',
      headers: { authorization: `Bearer ${issued.value}`, 'content-type': 'application/sdp', origin: 'https://page' },
      body: 'v=0\r\n',
    });
    expect(response.status).toBe(501);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(JSON.stringify(await response.json())).toContain('/v1/realtime with a WebSocket');
  });
});
