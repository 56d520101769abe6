import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../core/schemas/actor.ts';
import { type FakeSignIn, startFakeSignIn } from '../support/fake-sign-in.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser, testPassword } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

describe('opening an account', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;
  let fake: FakeSignIn;
  let mail: MailServer;

  beforeAll(async () => {
    [fake, mail] = await Promise.all([startFakeSignIn(), startMailServer()]);
    gateway = await startConsoleGateway({ UPSTREAM_PRIVATE: '127.0.0.1' }, { signInEndpoints: fake.endpoints });
    browser = await openConsoleBrowser(gateway.url);
    await set({ SMTPServer: '127.0.0.1', SMTPPort: String(mail.port), SMTPFrom: 'gate@example.com' });
    await set({ TurnstileSiteKey: 'site-key-1', TurnstileSecretKey: fake.secrets.secret });
    await set({ QuotaForInviter: '1000', QuotaForInvitee: '200' });
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
    await Promise.all([fake?.close(), mail?.close()]);
  });

  const set = async (values: Record<string, string>) => {
    const entries = Object.entries(values).map(([key, value]) => ({ key, value }));
    await gateway.app.services.options.setMany(systemActor, entries);
    await gateway.gateway.refresh();
  };
  const rowOf = (username: string) => gateway.app.database.users.findOne({ where: { username }, raw: true });
  const toast = (page: Page, text: string | RegExp) =>
    page.locator('.fui-Toast').filter({ hasText: text }).last().waitFor();
  const submit = (page: Page) => page.locator('main').getByRole('button', { name: '注册', exact: true }).click();

  async function fill(page: Page, username: string): Promise<void> {
    await page.locator('input[name=username]').fill(username);
    await page.locator('input[name=password]').fill(testPassword);
    await page.locator('input[name=password2]').fill(testPassword);
  }

  it('A-013 A-016 A-018 A-029 leads from the sign-in form to registration and reset, and from both back', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit();
    const follow = async (link: string, path: string, fields: string[]) => {
      await page.locator('main').getByRole('link', { name: link, exact: true }).click();
      await page.waitForURL((url) => url.pathname === path);
      await page.locator(`input[name=${fields[0]}]`).waitFor();
      // The page before may still stand when the address is the next one's.
      const names = () => page.locator('main input').evaluateAll((all) => all.map((one) => one.getAttribute('name')));
      await expect.poll(names, { message: path }).toEqual(fields);
    };
    await open('/login');
    await follow('没有账户？注册', '/register', ['username', 'password', 'password2']);
    await follow('已有账户？登录', '/login', ['username', 'password']);
    await follow('忘记密码？', '/reset', ['email']);
    await follow('返回登录', '/login', ['username', 'password']);
    expectNoProblems();
    await close();
  });

  it.each([
    ['/login', 'Ab12'],
    ['/register', '1e23'],
    ['/login', 'true'],
    ['/register', '0012'],
  ])(
    'A-015 A-017 A-204 keeps the code of %s?aff=%s as it is until an account is opened with it',
    async (path, code) => {
      const inviter = await gateway.addUser(`by ${code}`, 0);
      await gateway.app.database.users.update({ aff_code: code }, { where: { id: inviter } });
      const { page, open, expectNoProblems, close } = await browser.visit();
      await open(`${path}?aff=${code}`);
      expect(await page.evaluate(() => localStorage.getItem('aff'))).toBe(code);
      await open('/register');
      await fill(page, `from ${code}`);
      await submit(page);
      await toast(page, '注册成功！');
      expect((await rowOf(`from ${code}`))?.inviter_id).toBe(inviter);
      expect(await page.evaluate(() => localStorage.getItem('aff'))).toBe('');
      expectNoProblems();
      await close();
    },
  );

  it('A-037 A-038 A-158 A-159 asks for an address and its code only while addresses are verified', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit();
    await open('/register');
    expect(await page.locator('input[name=password2]').count()).toBe(1);
    expect(await page.locator('input[name=email], input[name=verification_code]').count()).toBe(0);

    await set({ EmailVerificationEnabled: 'true' });
    await open('/register');
    await page.locator('input[name=email]').waitFor();
    // Everything that is missing at once, and the first of it has the focus.
    await submit(page);
    const wrong = () =>
      page.locator('main input[aria-invalid=true]').evaluateAll((all) => all.map((one) => one.getAttribute('name')));
    await expect.poll(wrong).toEqual(['username', 'password', 'password2', 'email', 'verification_code']);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('username');
    await open('/register');
    await page.getByRole('button', { name: '获取验证码' }).click();
    await page.getByText('请输入邮箱地址').waitFor();
    await fill(page, 'erin');
    await submit(page);
    await page.getByText('请输入验证码').waitFor();
    await page.locator('input[name=email]').fill('erin');
    await page.getByText('应为有效的邮箱地址').waitFor();
    await page.locator('input[name=email]').fill('erin@example.com');
    await page.getByRole('button', { name: '获取验证码' }).click();
    await toast(page, '验证码发送成功');
    await page.getByRole('button', { name: /\d+/ }).waitFor();
    const { text } = await mail.take('erin@example.com');
    const code = /^\s*([0-9A-Za-z]{6,})\s*$/m.exec(text)?.[1] ?? '';
    await page.locator('input[name=verification_code]').fill(code);
    await submit(page);
    await toast(page, '注册成功！');
    expect((await rowOf('erin'))?.email).toBe('erin@example.com');
    expectNoProblems();
    await close();
    await set({ EmailVerificationEnabled: 'false' });
  });

  it('A-036 A-157 sends what the human check gave with each call, and waits for it; without the check there is no widget', async () => {
    const bare = await browser.visit();
    await bare.open('/login');
    expect(await bare.page.locator('script[src*=turnstile]').count()).toBe(0);
    await bare.close();

    await set({ TurnstileCheckEnabled: 'true' });
    const { page, open, close } = await browser.visit();
    await page.route(/^https:\/\/challenges\.cloudflare\.com\//, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: widget }),
    );
    const sent: (string | null)[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/api/user/register' || pathname === '/api/user/login') sent.push(searchParams.get('turnstile'));
    });
    await open('/register');
    await fill(page, 'frank');
    await submit(page);
    await toast(page, '人机验证正在进行');
    expect(sent).toEqual([]);
    expect(await page.evaluate(() => window.asked)).toMatchObject({ sitekey: 'site-key-1' });

    const token = fake.issue('person');
    await page.evaluate((value) => window.asked.callback(value), token);
    await submit(page);
    await toast(page, '注册成功！');
    expect(sent[0]).toBe(token);
    // This browser has shown already that a person uses it.
    await page.getByRole('button', { name: 'frank 的账户菜单' }).waitFor();
    await close();
    await set({ TurnstileCheckEnabled: 'false' });
  });
});

declare global {
  interface Window {
    asked: { sitekey: string; callback(token: string): void };
  }
}

/** The widget as it is: it is told what to do with the token of the visitor it finds to be a person. */
const widget = `window.turnstile = {
  render(place, options) { window.asked = options; return 'widget-1'; },
  reset() {},
  remove() {},
};`;
