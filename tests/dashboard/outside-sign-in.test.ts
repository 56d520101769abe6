import { createHash, createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../core/schemas/actor.ts';
import { type FakeSignIn, type Person, startFakeSignIn } from '../support/fake-sign-in.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import type { TestGateway } from '../support/start-gateway.ts';
import { codeOf } from './support/authenticator.ts';
import { type ConsoleBrowser, openConsoleBrowser, testPassword, type Visit } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

const botToken = '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11';
const personal = '/setting?tab=personal';
const buttons = { github: '使用 GitHub 登录', linuxdo: '使用 LINUX DO 登录', oidc: '使用 OIDC 登录' };
let nextId = 1000;

describe('accounts elsewhere, mail and WeChat', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;
  let fake: FakeSignIn;
  let mail: MailServer;

  beforeAll(async () => {
    [fake, mail] = await Promise.all([startFakeSignIn(), startMailServer()]);
    gateway = await startConsoleGateway({ UPSTREAM_PRIVATE: '127.0.0.1' }, { signInEndpoints: fake.endpoints });
    browser = await openConsoleBrowser(gateway.url);
    const { id, secret } = fake.secrets;
    await set({ ServerAddress: gateway.url });
    await set({ GitHubClientId: id, GitHubClientSecret: secret, GitHubOAuthEnabled: 'true' });
    await set({ LinuxDOClientId: id, LinuxDOClientSecret: secret, LinuxDOOAuthEnabled: 'true' });
    await set({ 'oidc.client_id': id, 'oidc.client_secret': secret, 'oidc.enabled': 'true' });
    await set({ 'oidc.well_known': `${fake.url}/oidc/.well-known/openid-configuration` });
    await set({ WeChatServerAddress: `${fake.url}/wechat`, WeChatServerToken: secret, WeChatAuthEnabled: 'true' });
    await set({ TelegramBotToken: botToken, TelegramBotName: 'gate_bot', TelegramOAuthEnabled: 'true' });
    await set({ SMTPServer: '127.0.0.1', SMTPPort: String(mail.port), SMTPFrom: 'gate@example.com' });
    for (const name of ['bob', 'carol', 'dave']) await gateway.addUser(name, 0);
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
  /** What the authorization pages were opened with. */
  const asked: URLSearchParams[] = [];
  const rowOf = (username: string) => gateway.app.database.users.findOne({ where: { username }, raw: true });
  // The toast of the step before may still be on its way out.
  const toast = (page: Page, text: string | RegExp) =>
    page.locator('.fui-Toast').filter({ hasText: text }).last().waitFor();
  const someone = (values: Person = {}): Person => {
    const id = nextId++;
    return {
      id,
      sub: `sub-${id}`,
      email: `octo-${id}@example.com`,
      login: `octo-${id}`,
      username: `octo-${id}`,
      name: 'Octo',
      trust_level: 2,
      ...values,
    };
  };

  /** A visit in which every provider's page says at once what this person says there. */
  async function visitWith(answer: Person | 'no' | 'too late', options = {}): Promise<Visit> {
    const visit = await browser.visit({ expected: /telegram\.org|answer: .* 40[34]/, ...options });
    const context = visit.page.context();
    await context.route(/^https:\/\/telegram\.org\//, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: widget }),
    );
    await context.route(/\/authorize\?/, async (route) => {
      const address = route.request().url();
      const provider = /\/(github|linuxdo|oidc)\//.exec(address)?.[1];
      asked.push(new URL(address).searchParams);
      const { code, state } = fake.authorize(address, typeof answer === 'string' ? {} : answer);
      if (answer === 'too late')
        await gateway.app.database.sequelize.query(
          "UPDATE one_time_codes SET expires_at = 1 WHERE purpose = 'oauth_state'",
        );
      const query = answer === 'no' ? `error=access_denied&state=${state}` : `code=${code}&state=${state}`;
      await route.fulfill({ status: 302, headers: { location: `${gateway.url}/oauth/${provider}?${query}` } });
    });
    return visit;
  }
  /** The button opens the provider's page in a window of its own, which comes back. */
  async function follow(page: Page, button: string): Promise<Page> {
    const [popup] = await Promise.all([page.waitForEvent('popup'), page.getByRole('button', { name: button }).click()]);
    return popup;
  }

  /** The widget as it is: an element that leads to the address it was given, with what Telegram signed. */
  const widget = `{
    const { dataset, parentNode } = document.currentScript;
    const button = document.createElement('button');
    button.textContent = 'Log in with Telegram ' + dataset.telegramLogin;
    button.onclick = () => { location.href = dataset.authUrl + '?' + window.signedByTelegram; };
    parentNode.append(button);
  }`;
  function signedByTelegram(id: string): string {
    const fields = { id, first_name: 'Ann', auth_date: String(Math.floor(Date.now() / 1000) - 5) };
    const lines = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
    const secret = createHash('sha256').update(botToken).digest();
    const hash = createHmac('sha256', secret).update(lines.sort().join('\n')).digest('hex');
    return new URLSearchParams({ ...fields, hash }).toString();
  }

  it('A-026 A-030 A-031 A-034 A-035 G-015 G-097 G-099 signs in with each provider, in a window of its own', async () => {
    for (const provider of ['github', 'linuxdo', 'oidc'] as const) {
      const { page, open, expectNoProblems, close } = await visitWith(someone());
      await open('/login');
      asked.length = 0;
      const popup = await follow(page, buttons[provider]);
      await toast(popup, '登录成功！');
      await popup.waitForURL(`${gateway.url}/`);
      expect(asked).toHaveLength(1);
      expect(asked[0]?.get('client_id')).toBe(fake.secrets.id);
      expect(asked[0]?.get('state')).toMatch(/^\w{12}$/);
      await popup.getByRole('button', { name: 'Octo 的账户菜单' }).waitFor();
      expectNoProblems();
      await close();
    }
  });

  it('A-025 G-100 S6 says why when the user refused there, or came back too late, and leads to the sign-in', async () => {
    for (const [answer, words] of [
      ['no', /GitHub.*access_denied/],
      ['too late', /登录请求|过期|state|重新/],
    ] as const) {
      const { page, open, close } = await visitWith(answer);
      await open('/login');
      const popup = await follow(page, buttons.github);
      await toast(popup, words);
      await popup.waitForURL(/\/login/);
      await popup.getByRole('button', { name: buttons.github }).waitFor();
      // Signed in by password then, the user comes to where that leads at any time.
      await popup.locator('input[name=username]').fill('bob');
      await popup.locator('input[name=password]').fill(testPassword);
      await popup.keyboard.press('Enter');
      await popup.waitForURL(/\/token$/);
      await close();
    }
  });

  it('A-030 A-031 A-032 A-033 offers no way in that the operator has not turned on', async () => {
    const switches = [
      'GitHubOAuthEnabled',
      'LinuxDOOAuthEnabled',
      'oidc.enabled',
      'WeChatAuthEnabled',
      'TelegramOAuthEnabled',
    ];
    const turn = (value: string) => set(Object.fromEntries(switches.map((key) => [key, value])));
    await turn('false');
    const { page, open, close } = await visitWith(someone());
    await open('/login');
    expect(await page.locator('main').getByRole('button').allTextContents()).toEqual(['', '登录']);
    expect(await page.locator('script[src*=telegram]').count()).toBe(0);
    await turn('true');
    await close();
  });

  it('A-236 G-015 G-098 G-100 G-253 links an external account to the signed-in user, and a linked one to no other user', async () => {
    const person = someone();
    const bob = await visitWith(person, { as: 'bob' });
    await bob.open(personal);
    const popup = await follow(bob.page, '绑定 GitHub');
    await toast(popup, '绑定成功！');
    await popup.waitForURL(/\/setting/);
    await popup.getByText(String(person.id), { exact: true }).waitFor();
    expect((await rowOf('bob'))?.github_id).toBe(String(person.id));
    // Back in the first tab, which the browser of a test does not notice by itself.
    await bob.page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await bob.page.getByText(String(person.id), { exact: true }).waitFor();
    bob.expectNoProblems();
    await bob.close();

    const carol = await visitWith(person, { as: 'carol' });
    await carol.open(personal);
    const other = await follow(carol.page, '绑定 GitHub');
    await toast(other, '已被');
    await other.waitForURL(/\/setting/);
    expect((await rowOf('carol'))?.github_id).toBe('');
    await carol.close();
  });

  it('asks for the password before it links an account elsewhere to a session that was left open', async () => {
    const person = someone();
    const { page, open, inspect, expectNoProblems, close } = await visitWith(person, { as: 'dave' });
    const dave = await rowOf('dave');
    await gateway.app.database.sequelize.query(
      `UPDATE sessions SET created_at = created_at - 601 WHERE user_id = ${dave?.id}`,
    );
    await open(personal);
    await page.getByRole('button', { name: '绑定 GitHub' }).click();
    const dialog = page.getByRole('dialog', { name: '验证身份' });
    await inspect('bind-confirm');
    await dialog.getByLabel('当前密码').fill(testPassword);
    const [popup] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')]);
    await toast(popup, '绑定成功！');
    expect((await rowOf('dave'))?.github_id).toBe(String(person.id));
    await gateway.app.database.users.update({ github_id: '' }, { where: { username: 'dave' } });
    expectNoProblems();
    await close();
  });

  it('asks for the second step after a sign-in elsewhere too', async () => {
    const person = someone();
    const dave = await rowOf('dave');
    await gateway.app.database.users.update({ github_id: String(person.id) }, { where: { username: 'dave' } });
    const actor = { ...systemActor, id: dave?.id ?? 0, address: '127.0.0.1' };
    const { secret } = await gateway.app.services.twoFactors.setUp(actor, testPassword);
    await gateway.app.services.twoFactors.enable(actor, codeOf(secret));
    const { page, open, expectNoProblems, close } = await visitWith(person);
    await open('/login');
    const popup = await follow(page, buttons.github);
    await popup.waitForURL(/\/login\/code$/);
    await popup.locator('input[name=code]').fill(codeOf(secret, 1));
    await popup.keyboard.press('Enter');
    await toast(popup, '登录成功！');
    await popup.getByRole('button', { name: 'dave 的账户菜单' }).waitFor();
    expectNoProblems();
    await close();
  });

  it('A-032 A-210 A-242 binds WeChat with the code its account sent', async () => {
    const { page, open, inspect, close } = await visitWith(someone(), { as: 'carol' });
    await open(personal);
    await page.getByRole('button', { name: '绑定 微信' }).click();
    const dialog = page.getByRole('dialog', { name: '微信扫码登录' });
    await dialog.getByText('三分钟内有效').waitFor();
    await dialog.getByRole('button', { name: '绑定' }).click();
    await toast(page, '请输入验证码');
    await dialog.getByLabel('验证码').fill('nonsense');
    await dialog.getByRole('button', { name: '绑定' }).click();
    await toast(page, /验证码.*(错误|无效|过期)/);
    await inspect('wechat-bind');
    await dialog.getByLabel('验证码').fill(fake.issue('open-id-of-carol'));
    await dialog.getByRole('button', { name: '绑定' }).click();
    await toast(page, '绑定成功！');
    await page.getByText('open-id-of-carol').waitFor();
    expect((await rowOf('carol'))?.wechat_id).toBe('open-id-of-carol');
    await close();
  });

  it('A-026 A-032 shows the picture of the installation to scan, and signs in with the code that WeChat sends', async () => {
    await set({ WeChatAccountQRCodeImageURL: '/favicon.svg?wechat' });
    const { page, open, inspect, expectNoProblems, close } = await visitWith(someone());
    await open('/login');
    await page.getByRole('button', { name: '使用微信登录' }).click();
    const dialog = page.getByRole('dialog', { name: '微信扫码登录' });
    const picture = dialog.getByRole('img', { name: '微信公众号二维码' });
    expect(await picture.getAttribute('src')).toBe('/favicon.svg?wechat');
    await inspect('wechat-sign-in');
    await dialog.getByLabel('验证码').fill(fake.issue('open-id-of-a-guest'));
    await dialog.getByRole('button', { name: '登录' }).click();
    await toast(page, '登录成功！');
    await page.waitForURL(`${gateway.url}/`);
    await page.getByRole('button', { name: /的账户菜单$/ }).waitFor();
    expectNoProblems();
    await close();
  });

  it('A-033 A-211 binds Telegram, says when the account is taken, and signs in with it', async () => {
    const press = async ({ page }: Visit, id: string) => {
      await page.evaluate((signed) => Object.assign(window, { signedByTelegram: signed }), signedByTelegram(id));
      await page.getByRole('button', { name: 'Log in with Telegram gate_bot' }).click();
    };
    const carol = await visitWith(someone(), { as: 'carol' });
    await carol.open(personal);
    await press(carol, '4242');
    await toast(carol.page, '绑定成功！');
    await carol.page.waitForURL(/\/setting$/);
    await carol.page.getByText('4242', { exact: true }).waitFor();
    carol.expectNoProblems();
    await carol.close();

    const bob = await visitWith(someone(), { as: 'bob' });
    await bob.open(personal);
    await press(bob, '4242');
    await toast(bob.page, '已被');
    await bob.page.waitForURL(/\/setting$/);
    expect((await rowOf('bob'))?.telegram_id).toBe('');
    await bob.close();

    const guest = await visitWith(someone());
    await guest.open('/login');
    await press(guest, '4242');
    await toast(guest.page, '登录成功！');
    await guest.page.waitForURL(`${gateway.url}/`);
    await guest.page.getByRole('button', { name: 'carol 的账户菜单' }).waitFor();
    await guest.close();
  });

  it('A-160 links an address with the code that was mailed to it, and changes it the same way', async () => {
    const { page, open, expectNoProblems, close } = await visitWith(someone(), { as: 'bob' });
    await open(personal);
    for (const [button, address] of [
      ['绑定 邮箱', 'bob@example.com'],
      ['修改绑定 邮箱', 'bob@example.org'],
    ] as const) {
      await page.getByRole('button', { name: button }).click();
      const dialog = page.getByRole('dialog', { name: '绑定邮箱地址' });
      await dialog.getByLabel('邮箱地址').fill(address);
      await dialog.getByRole('button', { name: '获取验证码' }).click();
      await toast(page, '验证码发送成功');
      await dialog.getByRole('button', { name: /\d+/ }).waitFor();
      const { text } = await mail.take(address);
      const code = /^\s*([0-9A-Za-z]{6,})\s*$/m.exec(text)?.[1] ?? '';
      await dialog.getByRole('textbox', { name: '验证码' }).fill(code);
      await dialog.getByLabel('当前密码').fill(testPassword);
      await dialog.getByRole('button', { name: '绑定', exact: true }).click();
      await toast(page, '邮箱账户绑定成功！');
      await page.getByText(address, { exact: true }).waitFor();
    }
    expect((await rowOf('bob'))?.email).toBe('bob@example.org');
    expectNoProblems();
    await close();
  });

  it('says when the button of Telegram could not be loaded', async () => {
    const { page, open, close } = await browser.visit({ expected: /telegram\.org/ });
    await page.route(/^https:\/\/telegram\.org\//, (route) => route.abort());
    await open('/login');
    await page.getByRole('status').filter({ hasText: '无法加载 Telegram 登录按钮' }).waitFor();
    await close();
  });

  it('A-018 A-019 A-208 leads from a forgotten password over the mail to a new one that opens the account, once', async () => {
    await gateway.app.database.users.update({ email: 'carol@example.com' }, { where: { username: 'carol' } });
    const { page, open, close } = await browser.visit({ expected: /telegram|answer: / });
    await open('/login');
    await page.getByRole('link', { name: '忘记密码？' }).click();
    await page.locator('input[name=email]').fill('carol@example.com');
    await page.getByRole('button', { name: '发送重置邮件' }).click();
    await toast(page, '重置邮件发送成功');
    const { text } = await mail.take('carol@example.com');
    const link = /https?:\/\/\S*\/user\/reset\?\S+/.exec(text)?.[0] ?? '';
    await open(link);
    expect(await page.getByLabel('邮箱').inputValue()).toBe('carol@example.com');
    await page.getByRole('button', { name: '重置密码' }).click();
    await toast(page, '密码已重置并已复制到剪贴板');
    const password = await page.getByRole('textbox', { name: '新密码' }).inputValue();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(password);
    await page.getByRole('link', { name: '登录', exact: true }).last().click();
    await page.locator('input[name=username]').fill('carol');
    await page.locator('input[name=password]').fill(password);
    await page.keyboard.press('Enter');
    await toast(page, '登录成功！');
    await open(link);
    await page.getByRole('button', { name: '重置密码' }).click();
    await toast(page, /过期|失效/);
    // A link that was cut short asks for nothing that it cannot do.
    await open('/user/reset?email=carol@example.com');
    await page.getByText('无效的重置链接').waitFor();
    expect(await page.getByRole('button', { name: '重置密码' }).getAttribute('aria-disabled')).toBe('true');
    expect(await page.getByText('点击下方按钮').count()).toBe(0);
    await close();
  });
});
