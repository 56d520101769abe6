import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConsoleClient } from '../../support/console-client.ts';
import { sendRaw } from '../../support/raw-request.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { engines } from '../../support/temporary-database.ts';

const input = { username: 'owner', password: 'my own secret 7', confirmPassword: 'my own secret 7' };

describe.each(engines)('setting up on %s', (engine) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway(engine, { TOLLGATE_ROOT_PASSWORD: '123456' });
  });
  afterAll(() => gateway.stop());

  const named = (host: string, method: string, path: string, body?: string) =>
    sendRaw(gateway.url, {
      method,
      path,
      body,
      headers: { host, 'accept-language': 'en', ...(body && { 'content-type': 'application/json' }) },
    });
  const signIn = JSON.stringify({ username: 'root', password: '123456' });
  const foreign = [
    'rebound.example.com',
    'localhost.example.com',
    '127.0.0.1.example.com',
    'user@localhost',
    '0.0.0.0',
  ];

  it.each(foreign)('S7 serves no page that reached this machine by the name %s', async (host) => {
    const responses = [
      await named(`${host}:3000`, 'POST', '/api/user/login', signIn),
      await named(host, 'POST', '/api/setup', JSON.stringify(input)),
      await named(host, 'GET', '/api/status'),
    ];
    for (const { status, text } of responses) {
      expect(status).toBe(403);
      expect(JSON.parse(text)).toMatchObject({ success: false, message: expect.stringContaining('localhost') });
    }
    expect((await named(host, 'GET', '/healthz')).status).toBe(200);
  });

  it.each(['localhost', 'LOCALHOST:3000', '127.0.0.1', '127.1.2.3:80', '[::1]:3000'])(
    'S7 responds to the local name %s',
    async (host) => {
      expect((await named(host, 'GET', '/api/status')).status).toBe(200);
      expect(JSON.parse((await named(host, 'POST', '/api/user/login', signIn)).text)).toMatchObject({ success: true });
    },
  );

  it.each([
    ['x-forwarded-for', '203.0.113.9'],
    ['forwarded', 'for=203.0.113.9'],
    ['via', '1.1 proxy'],
    ['x-real-ip', '203.0.113.9'],
  ])('S7 refuses calls through a proxy on this machine that shows itself by %s', async (header, value) => {
    for (const [method, path, body] of [
      ['POST', '/api/user/login', signIn],
      ['POST', '/api/setup', JSON.stringify(input)],
      ['GET', '/api/status', undefined],
    ] as const) {
      const headers = { host: '127.0.0.1:3000', [header]: value, 'accept-language': 'en' };
      const sent = { ...headers, ...(body && { 'content-type': 'application/json' }) };
      const { status, text } = await sendRaw(gateway.url, { method, path, body, headers: sent });
      expect(status).toBe(403);
      const { message } = JSON.parse(text) as { message: string };
      expect(message).toContain(header);
      expect(message).toContain('tollgate user reset-password root');
    }
  });

  it('gives root a name and a password of its own, once', async () => {
    const guest = createConsoleClient(gateway.url);
    expect(await guest.data(guest.get('/api/setup'))).toEqual({
      status: false,
      root_init: true,
      database_type: engine,
    });
    expect((await guest.get('/api/status')).data.setup).toBe(false);
    expect(await guest.post('/api/setup', { ...input, confirmPassword: 'another' })).toMatchObject({ success: false });
    expect(await guest.post('/api/setup', { ...input, password: 'short' })).toMatchObject({ success: false });
    const foreign = await guest.post('/api/setup', input, { 'sec-fetch-site': 'cross-site' });
    expect(foreign.status).toBe(403);

    const names = [input.username, 'second'];
    const both = names.map((username) => guest.post('/api/setup', { ...input, username, SelfUseModeEnabled: true }));
    const won = (await Promise.all(both)).map(({ success }) => success);
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(await guest.data(guest.get('/api/setup'))).toEqual({ status: true, root_init: false, database_type: '' });
    expect((await guest.get('/api/status')).data).toMatchObject({ setup: true, self_use_mode_enabled: true });
    const late = await guest.post('/api/setup', input);
    expect(late).toMatchObject({ status: 200, success: false, message: '系统已完成初始化，请直接登录' });

    expect((await named('rebound.example.com', 'GET', '/api/status')).status, 'open no longer').toBe(200);
    const proxied = { host: '127.0.0.1:3000', 'x-forwarded-for': '203.0.113.9' };
    const status = await sendRaw(gateway.url, { method: 'GET', path: '/api/status', headers: proxied });
    expect(status.status, 'open no longer').toBe(200);
    expect((await createConsoleClient(gateway.url).signIn('root', '123456')).success).toBe(false);
    const owner = createConsoleClient(gateway.url);
    const user = await owner.data(owner.signIn(names[won.indexOf(true)] ?? '', input.password));
    expect(user).toMatchObject({ role: 100 });
    expect(await owner.data(owner.get('/api/status/test'))).toBeUndefined();

    const steps = () => owner.data(owner.get('/api/setup/steps'));
    const { tokens, channels } = gateway.app.database;
    expect(await steps()).toEqual({ password: true, channel: true, token: false, call: false });
    expect(await owner.post('/api/token/', { name: 'first', unlimited_quota: true })).toMatchObject({ success: true });
    const token = await tokens.findOne({ where: { name: 'first' }, raw: true });
    expect(await owner.delete(`/api/token/${token?.id}`)).toMatchObject({ success: true });
    expect(await steps()).toEqual({ password: true, channel: true, token: true, call: false });
    expect((await gateway.chat()).status).toBe(200);
    await channels.destroy({ where: {} });
    expect(await steps(), 'what was done stays done').toEqual({
      password: true,
      channel: true,
      token: true,
      call: true,
    });
  });
});

describe('what is public', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());

  it('is notice, about and home page as the operator wrote them', async () => {
    const guest = createConsoleClient(gateway.url);
    const texts = { Notice: '# Hello', About: '<b>us</b>', HomePageContent: 'https://example.com' };
    for (const [key, value] of Object.entries(texts)) await gateway.setOption(key, value);
    expect(await guest.data(guest.get('/api/notice'))).toBe(texts.Notice);
    expect(await guest.data(guest.get('/api/about/'))).toBe(texts.About);
    expect(await guest.data(guest.get('/api/home_page_content'))).toBe(texts.HomePageContent);
  });

  it('A-132 A-133 A-134 is the status with every switch a console asks for, and no secret', async () => {
    await gateway.setOption('general_setting.docs_link', 'https://docs.example.com');
    await gateway.setOption('ServerAddress', 'https://gate.example.com');
    await gateway.setOption('EpayKey', 'a very secret key');
    const { data } = await createConsoleClient(gateway.url).get('/api/status');
    expect(data).toMatchObject({
      oidc_enabled: false,
      oidc_client_id: '',
      oidc_authorization_endpoint: '',
      setup: true,
      docs_link: 'https://docs.example.com',
      demo_site_enabled: false,
      self_use_mode_enabled: false,
      enable_online_topup: false,
      chat_link: '',
      chats: [],
      quota_per_unit: 500_000,
      price: 7.3,
      min_topup: 1,
    });
    expect(JSON.stringify(data)).not.toContain('very secret');
  });

  it('tells only admins that the server runs', async () => {
    const root = createConsoleClient(gateway.url);
    expect((await root.get('/api/status/test')).status).toBe(401);
    await root.data(root.signIn('root', 'correct horse battery'));
    expect((await root.get('/api/status/test')).body).toEqual({ success: true, message: 'Server is running' });
    const alice = createConsoleClient(gateway.url);
    await alice.data(alice.signIn('alice', 'correct horse battery'));
    expect((await alice.get('/api/status/test')).status).toBe(403);
  });
});
