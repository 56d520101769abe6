import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { createConsoleClient } from '../../../support/console-client.ts';
import { type FakeSignIn, startFakeSignIn } from '../../../support/fake-sign-in.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';

const botToken = '123456:bot token';

describe('with Turnstile and Telegram', () => {
  let gateway: TestGateway;
  let fake: FakeSignIn;
  beforeAll(async () => {
    fake = await startFakeSignIn();
    const environment = { UPSTREAM_PRIVATE: '127.0.0.1', TRUSTED_PROXIES: '127.0.0.1' };
    gateway = await startGateway('sqlite', environment, { signInEndpoints: fake.endpoints });
    await set({ TurnstileSiteKey: 'site key', TurnstileSecretKey: fake.secrets.secret, TurnstileCheckEnabled: 'true' });
    await set({ TelegramBotToken: botToken, TelegramBotName: 'tollgate_bot', TelegramOAuthEnabled: 'true' });
  });
  afterAll(async () => {
    await gateway.stop();
    await fake.close();
  });
  const set = (values: Record<string, string>) =>
    gateway.app.services.options.setMany(
      systemActor,
      Object.entries(values).map(([key, value]) => ({ key, value })),
    );
  const login = (turnstile: string) => `/api/user/login?turnstile=${turnstile}`;
  const alice = { username: 'alice', password: 'correct horse battery' };

  it('A-203 A-237 signing in needs a person, whose token counts once', async () => {
    const browser = createConsoleClient(gateway.url);
    expect(await browser.post(login(''), alice)).toMatchObject({ status: 200, success: false });
    expect(await browser.post(login('made-up'), alice)).toMatchObject({ success: false });
    const token = fake.issue('person');
    expect(await browser.post(login(token), alice)).toMatchObject({ success: true });
    expect(await createConsoleClient(gateway.url).post(login(token), alice)).toMatchObject({ success: false });
  });

  it.each(['/api/verification?email=a@example.com', '/api/reset_password?email=a@example.com'])(
    'A-205 A-206 %s needs one too',
    async (path) => {
      const refused = await createConsoleClient(gateway.url).get(path);
      expect(refused).toMatchObject({ status: 200, success: false });
      expect(refused.message).toContain('人机验证');
    },
  );

  it('S5 the pass of a person goes over https alone where the public address says so', async () => {
    const cookies = async () => {
      const { headers } = await createConsoleClient(gateway.url).post(login(fake.issue('person')), alice);
      return headers.getSetCookie();
    };
    for (const [address, isSecure] of [['https://gate.example.com', true] as const, ['', false] as const]) {
      await set({ ServerAddress: address });
      const sent = await cookies();
      expect(sent.map((cookie) => cookie.split('=')[0]).sort()).toEqual(['device', 'human', 'session']);
      for (const cookie of sent) expect(/; Secure/i.test(cookie), cookie).toBe(isSecure);
      for (const cookie of sent) expect(cookie).toMatch(/; HttpOnly.*; SameSite=Strict/i);
    }
  });

  it('a person is remembered for a while, at the same place only', async () => {
    const browser = createConsoleClient(gateway.url);
    const home = { 'x-forwarded-for': '198.51.100.7' };
    await browser.data(browser.post(login(fake.issue('person')), alice, home));
    expect(browser.cookie).toContain('human=');
    expect(await browser.post(login(''), alice, home)).toMatchObject({ success: true });
    expect(await browser.post(login(''), alice, { 'x-forwarded-for': '203.0.113.9' })).toMatchObject({
      success: false,
    });
    const forged = browser.cookie.replace(/human=\d+/, `human=${Math.floor(Date.now() / 1000) + 1000}`);
    expect(await browser.post(login(''), alice, { ...home, cookie: forged })).toMatchObject({ success: false });
  });

  it('sign-in is refused while the check itself cannot be reached', async () => {
    fake.isSilent = true;
    const response = await createConsoleClient(gateway.url).post(login('token'), alice);
    fake.isSilent = false;
    expect(response).toMatchObject({ status: 200, success: false });
  });

  function widget(fields: Record<string, string>): string {
    const signed = { auth_date: String(Math.floor(Date.now() / 1000)), ...fields };
    const lines = Object.entries(signed).map(([name, value]) => `${name}=${value}`);
    const secret = createHash('sha256').update(botToken).digest();
    const hash = createHmac('sha256', secret).update(lines.sort().join('\n')).digest('hex');
    return new URLSearchParams({ ...signed, hash, lang: 'zh' }).toString();
  }

  it('A-174 A-211 Telegram signs in accounts that were bound before, and no others', async () => {
    const person = { id: '4711', first_name: 'Ann', username: 'ann & co' };
    const stranger = createConsoleClient(gateway.url);
    expect(await stranger.get(`/api/oauth/telegram/login?${widget(person)}`)).toMatchObject({ success: false });
    expect((await stranger.get(`/api/oauth/telegram/bind?${widget(person)}`)).status).toBe(401);

    const browser = createConsoleClient(gateway.url);
    browser.userId = (await browser.data(browser.post(login(fake.issue('person')), alice))).id;
    const bound = await browser.get(`/api/oauth/telegram/bind?${widget(person)}`);
    expect({ status: bound.status, location: bound.headers.get('location') }).toEqual({
      status: 302,
      location: '/setting',
    });
    const known = await stranger.get(`/api/oauth/telegram/login?${widget(person)}`);
    expect(known).toMatchObject({ success: true, data: { username: 'alice', telegram_id: '4711' } });
    expect(await browser.data(browser.get('/api/user/self'))).toMatchObject({ telegram_id: '4711' });
  });

  it('B23 Telegram data that is old, forged or sent twice over is refused', async () => {
    const guest = createConsoleClient(gateway.url);
    const old = widget({ id: '4711', auth_date: String(Math.floor(Date.now() / 1000) - 400) });
    expect(await guest.get(`/api/oauth/telegram/login?${old}`)).toMatchObject({ status: 200, success: false });
    const forged = widget({ id: '4711' }).replace('id=4711', 'id=4712');
    expect(await guest.get(`/api/oauth/telegram/login?${forged}`)).toMatchObject({ success: false });
    expect(await guest.get(`/api/oauth/telegram/login?${widget({ id: '4711' })}&id=4711`)).toMatchObject({
      success: false,
    });
  });
});
