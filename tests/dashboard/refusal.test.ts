import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser, testPassword } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

describe('what the console sends, and what it says when it gets no plain response', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;
  beforeAll(async () => {
    gateway = await startConsoleGateway();
    browser = await openConsoleBrowser(gateway.url);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  const toast = (page: Page, text: string) => page.locator('.fui-Toast').filter({ hasText: text }).last().waitFor();

  it('A-144 A-145 A-188 sends the id of the user from the sign-in on, and no-store with every call', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit();
    const sent: { path: string; user: string | undefined; cache: string | undefined }[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      const headers = request.headers();
      if (pathname.startsWith('/api/'))
        sent.push({ path: pathname, user: headers['new-api-user'], cache: headers['cache-control'] });
    });
    await open('/login');
    await page.locator('input[name=username]').fill('alice');
    await page.locator('input[name=password]').fill(testPassword);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/token$/);
    await page.getByRole('gridcell', { name: 'test', exact: true }).waitFor();
    await open('/setting?tab=personal');
    await page.getByText('$20.00').waitFor();
    const before = sent.findIndex(({ path }) => path.startsWith('/api/user/login'));
    expect(before).toBeGreaterThan(0);
    expect(sent.length).toBeGreaterThan(before + 5);
    for (const [index, { path, user, cache }] of sent.entries()) {
      expect(cache, path).toBe('no-store');
      expect(user, path).toBe(index <= before ? undefined : String(gateway.userId));
    }
    const kept = () => page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? 'null'));
    expect(await kept()).toMatchObject({ id: gateway.userId, username: 'alice', role: 1 });
    expectNoProblems();
    await close();
  });

  it.each([
    ['A-221', 429, '请求次数过多，请稍后再试！', 'Too many requests. Try again later.'],
    ['A-222', 500, '服务器内部错误，请联系管理员！', 'Internal server error. Contact the administrator.'],
    ['A-223', 405, '本站仅作演示之用，无服务端！', 'This site is a demo without a backend.'],
    [
      'A-224',
      418,
      '错误：收到的并非本站的响应（HTTP 418）',
      'Error: the response did not come from this server (HTTP 418).',
    ],
  ])('%s says what a response with status %i means, in both languages', async (_id, status, chinese, english) => {
    const { page, open, setLook, close } = await browser.visit({ as: 'alice', expected: /./ });
    await open('/setting?tab=personal');
    await page.route('**/api/user/self', (route) =>
      route.request().method() === 'PUT' ? route.fulfill({ status, body: '<html>' }) : route.continue(),
    );
    for (const [language, words] of [
      ['zh', chinese],
      ['en', english],
    ] as const) {
      await setLook({ language });
      await page.locator('input[name=display_name]').fill(`alice ${language}`);
      await page.keyboard.press('Enter');
      await toast(page, words);
    }
    await close();
  });

  it.each([
    ['never came', undefined],
    ['came from a proxy', 502],
  ])('a form whose response %s keeps what was typed, and warns of sending it twice', async (_case, status) => {
    const { page, open, close } = await browser.visit({ as: 'alice', expected: /./ });
    await open('/token');
    await page.getByRole('button', { name: '添加令牌' }).first().click();
    const name = page.locator('input[name=name]');
    await name.fill(`sent ${status}`);
    const create = page.getByRole('button', { name: '创建', exact: true });
    await page.route('**/api/token/', (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      return status === undefined ? route.abort() : route.fulfill({ status, body: '<html>' });
    });
    await create.click();
    await toast(page, '请先确认，以免重复');
    expect(await name.inputValue()).toBe(`sent ${status}`);
    await page.unroute('**/api/token/');
    await create.click();
    await page.getByRole('dialog', { name: /sent/ }).getByRole('button', { name: '关闭' }).click();
    await page.getByRole('link', { name: `sent ${status}`, exact: true }).waitFor();
    expect(await page.locator('.fui-Toast').filter({ hasText: '以免重复' }).count()).toBe(0);
    await close();
  });

  it('A-225 offers the text to copy by hand where the clipboard is out of reach', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice' });
    await page.addInitScript(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
    });
    await open('/setting?tab=personal');
    const shown = () => page.getByLabel('邀请链接', { exact: true }).inputValue();
    await expect.poll(shown).toContain('/register?aff=');
    const link = await shown();
    await page.getByRole('button', { name: '复制邀请链接' }).click();
    const dialog = page.getByRole('dialog', { name: '无法复制到剪贴板，请手动复制' });
    expect(await dialog.getByRole('textbox').inputValue()).toBe(link);
    expect(await page.getByText('已复制').count()).toBe(0);
    expectNoProblems();
    await close();
  });

  it('A-157 waits for the human check, and sends its token', async () => {
    const on = { TurnstileSiteKey: 'site key', TurnstileSecretKey: 'secret', TurnstileCheckEnabled: 'true' };
    for (const [key, value] of Object.entries(on)) await gateway.setOption(key as 'TurnstileSiteKey', value);
    const { page, open, close } = await browser.visit({ expected: /./ });
    await page.route('https://challenges.cloudflare.com/**', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: widget }),
    );
    const sent: string[] = [];
    await page.route('**/api/user/register?*', (route) => {
      sent.push(new URL(route.request().url()).searchParams.get('turnstile') ?? '');
      return route.fulfill({ json: { success: true, message: '' } });
    });
    await open('/register');
    await page.locator('input[name=username]').fill('human');
    for (const name of ['password', 'password2']) await page.locator(`input[name=${name}]`).fill(testPassword);
    await page.keyboard.press('Enter');
    await toast(page, '人机验证正在进行，请稍后几秒重试');
    expect(sent).toEqual([]);
    await page.evaluate('window.passCheck("a person")');
    await page.keyboard.press('Enter');
    await expect.poll(() => sent).toEqual(['a person']);
    await close();
    await gateway.setOption('TurnstileCheckEnabled', 'false');
  });

  it('A-245 colors a group by its ratio: above 5 red, above 3 orange, above 1 blue, else green', async () => {
    const colors = {
      DarkOrange: { three: 3.01, five: 5 },
      Green: { half: 0.5, one: 1 },
      Blue: { more: 1.01, just: 3 },
      Red: { above: 5.01 },
    };
    const ratios = Object.assign({}, ...Object.values(colors));
    const names = Object.keys(ratios);
    await gateway.setOption('GroupRatio', JSON.stringify({ default: 1, ...ratios }));
    await gateway.setOption('UserUsableGroups', JSON.stringify(Object.fromEntries(names.map((name) => [name, name]))));
    await gateway.addChannel({ models: 'gpt-4o', groups: names });
    const { page, open, close } = await browser.visit({ language: 'en' });
    await open('/pricing');
    const colorOf = (name: string) =>
      page
        .getByRole('gridcell')
        .getByText(name, { exact: true })
        .first()
        .evaluate((badge) => getComputedStyle(badge).backgroundColor);
    const color = (name: string) =>
      page.locator('main').evaluate((main, token) => {
        const probe = document.createElement('i');
        probe.style.backgroundColor = `var(--colorPalette${token}Background2)`;
        main.append(probe);
        const { backgroundColor } = getComputedStyle(probe);
        probe.remove();
        return backgroundColor;
      }, name);
    for (const [token, groups] of Object.entries(colors))
      for (const name of Object.keys(groups)) expect(await colorOf(name), name).toBe(await color(token));
    await close();
  });
});

/** The script of Turnstile, whose check ends when the test says so. */
const widget = `window.turnstile = {
  render: (place, options) => { window.passCheck = options.callback; return 'widget'; },
  reset: () => {},
  remove: () => {},
};`;
