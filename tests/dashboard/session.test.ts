import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../core/schemas/actor.ts';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser, testPassword } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

const addresses = (links: Locator) =>
  links.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href')));

describe('signing in and out', () => {
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

  it('A-023 A-025 A-028 A-240 G-030 G-254 G-255 leads from a guarded page over the sign-in back to it, and out again', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit();
    await open('/token?keyword=te');
    expect(new URL(page.url()).pathname).toBe('/login');
    await page.locator('input[name=username]').fill('alice');
    await page.locator('input[name=password]').fill(testPassword);
    await page.getByRole('button', { name: '登录', exact: true }).click();
    await page.getByText('登录成功！').waitFor();
    await page.waitForURL(/\/token\?keyword=te$/);
    await page.getByRole('gridcell', { name: 'test', exact: true }).waitFor();

    await page.getByRole('button', { name: 'alice 的账户菜单' }).click();
    await page.getByRole('menuitem', { name: '退出登录' }).click();
    await page.getByText('注销成功!').waitFor();
    await page.waitForURL(/\/login$/);
    expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull();
    expectNoProblems();
    await close();
  });

  it('G-027 G-030 G-031 G-032 G-039 has the entries of the reader around every page, and none beside a page that needs the width', async () => {
    const admin = { channel: '渠道', user: '用户管理', redemption: '兑换码' };
    const all = { playground: '操练场', token: '令牌', topup: '钱包', log: '请求', setting: '设置' };
    const guest = await browser.visit();
    await guest.open('/about');
    const top = guest.page.getByRole('navigation', { name: '站点' });
    expect(await addresses(top)).toEqual(['/', '/detail', '/pricing', '/docs', '/about']);
    await guest.page.getByRole('banner').getByRole('link', { name: '登录', exact: true }).waitFor();
    await guest.page.getByRole('banner').getByRole('link', { name: '注册', exact: true }).waitFor();
    expect(await guest.page.getByRole('navigation', { name: '主菜单' }).count()).toBe(0);
    await guest.close();
    for (const [as, shown, hidden] of [
      ['alice', all, admin],
      ['root', { ...all, ...admin }, {}],
    ] as const) {
      const { page, open, expectNoProblems, close } = await browser.visit({ as });
      await open('/token');
      const menu = page.getByRole('navigation', { name: '主菜单' });
      for (const name of Object.values(shown)) await menu.getByRole('link', { name, exact: true }).waitFor();
      for (const name of Object.values(hidden))
        expect(await menu.getByRole('link', { name, exact: true }).count()).toBe(0);
      const content = page.locator('main > *').first();
      expect(await content.evaluate((element) => getComputedStyle(element).padding)).toBe('24px');
      for (const part of [page.getByRole('banner'), page.getByRole('main'), page.getByRole('contentinfo')])
        await part.waitFor();
      await open('/about');
      expect(await menu.count()).toBe(0);
      expectNoProblems();
      await close();
    }
  });

  it('A-025 leads a user who signs in after a sign-out to their own first page, not to where the last user was', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/log');
    await page.getByRole('button', { name: /的账户菜单$/ }).click();
    await page.getByRole('menuitem', { name: '退出登录' }).click();
    await page.waitForURL(/\/login$/);
    await page.reload();
    await page.locator('input[name=username]').fill('alice');
    await page.locator('input[name=password]').fill(testPassword);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/token$/);
    expectNoProblems();
    await close();
  });

  it('A-144 shows a tab nothing of the user before when another tab signs in as someone else, and saves nothing for them', async () => {
    await gateway.addUser('nora', 0);
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice', language: 'en' });
    await open('/setting?tab=personal');
    const name = (tab: Page) => tab.locator('input[name=username]').inputValue();
    await expect.poll(() => name(page)).toBe('alice');
    await page.locator('input[name=display_name]').fill('typed by alice');
    const other = await page.context().newPage();
    await other.goto('/login');
    await other.locator('input[name=username]').fill('nora');
    await other.locator('input[name=password]').fill(testPassword);
    await other.keyboard.press('Enter');
    await other.waitForURL(/\/token$/);
    await expect.poll(() => name(page)).toBe('nora');
    await expect.poll(() => page.locator('input[name=display_name]').inputValue()).toBe('nora');
    // Read again by this tab, and not taken from what it knew.
    await page.getByRole('link', { name: 'Tokens', exact: true }).click();
    await page.getByRole('heading', { name: 'Tokens', exact: true }).waitFor();
    expect(await page.getByRole('gridcell', { name: 'test', exact: true }).count()).toBe(0);
    // What Back brings out of the browser's memory has heard of no sign-out.
    await page.evaluate(() => {
      localStorage.removeItem('user');
      window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    });
    await page.waitForURL(/\/login$/);
    expectNoProblems();
    await other.close();
    await close();
  });

  it('A-178 follows a role and a group that an admin changed meanwhile', async () => {
    const id = await gateway.addUser('olga', 0);
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'olga', language: 'en' });
    await open('/setting?tab=personal');
    const users = page.getByRole('link', { name: 'Users', exact: true });
    expect(await users.count()).toBe(0);
    const { services } = gateway.app;
    await services.users.update(systemActor, { id, group: 'vip' });
    await services.users.manage(systemActor, { id, action: 'promote' });
    await page.reload();
    await page.getByText('Group vip').waitFor();
    await users.waitFor();
    expectNoProblems();
    await close();
  });

  it('opens sign-in and registration by a link without a complaint, with the cursor in the field', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ language: 'en' });
    await open('/');
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name'));
    for (const [link, path] of [
      ['Sign in', '/login'],
      ['Register', '/register'],
    ] as const) {
      await page.getByRole('link', { name: link, exact: true }).first().click();
      await page.waitForURL((url) => url.pathname === path);
      await expect.poll(focused).toBe('username');
      expect(await page.getByText('Enter ').count()).toBe(0);
      expect(await page.locator('[aria-invalid=true]').count()).toBe(0);
    }
    expectNoProblems();
    await close();
  });

  it('stands in a browser that is told to keep nothing', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit();
    await page.addInitScript(() => {
      const get = () => {
        throw new DOMException('refused', 'SecurityError');
      };
      Object.defineProperty(window, 'localStorage', { configurable: true, get });
    });
    await open('/login');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expectNoProblems();
    await close();
  });

  it('leads from the tokens to the sign-in form and on to the form for a new one, the cursor in the first field', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ language: 'en' });
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name'));
    for (const address of ['/token', '/token?add=true']) {
      await open(address);
      await page.waitForURL((url) => url.pathname === '/login');
      await expect.poll(focused).toBe('username');
      expect(await page.getByText('Enter ').count()).toBe(0);
      expect(await page.locator('[aria-invalid=true]').count()).toBe(0);
      expect(await page.getByRole('alert').count()).toBe(0);
    }
    await page.keyboard.type('alice');
    await page.locator('input[name=password]').fill(testPassword);
    await page.keyboard.press('Enter');
    const form = page.getByRole('dialog');
    await form.waitFor();
    await expect.poll(focused).toBe('name');
    expect(await form.locator('[aria-invalid=true]').count()).toBe(0);
    expect(new URL(page.url()).search).toBe('');
    expectNoProblems();
    await close();
  });

  it.each([
    [['de-DE', 'de'], 'zh'],
    [['fr-FR', 'zh-CN', 'en'], 'zh'],
    [['en-GB'], 'en'],
    [['zh-Hant-TW'], 'zh'],
    [[], 'zh'],
  ] as const)('speaks to a browser that asks for %j in %s', async (languages, shown) => {
    const { page, open, close } = await browser.visit({});
    await page.addInitScript((list) => {
      localStorage.removeItem('language');
      Object.defineProperty(navigator, 'languages', { get: () => list });
    }, languages);
    await open('/login');
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(shown);
    await close();
  });

  it('A-147 locks the button of a reset mail also when it is asked for by Enter', async () => {
    await gateway.setOption('SMTPServer', '127.0.0.1');
    await gateway.setOption('SMTPFrom', 'gate@example.com');
    await gateway.setOption('ServerAddress', gateway.url);
    const { page, open, close } = await browser.visit({ language: 'en', expected: /reset_password/ });
    await open('/reset');
    await page.locator('input[name=email]').fill('somebody@example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /\d+ s/ }).waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.keyboard.press('Enter');
    await page.waitForTimeout(200);
    expect(asked.filter((url) => url.includes('reset_password'))).toEqual([]);
    await close();
  });

  it('says in plain words that a part of a page is gone, as after an upgrade, and loads it again', async () => {
    const { page, open, close } = await browser.visit({ as: 'root', expected: /./ });
    await open('/token');
    await page.route('**/assets/redemption-page*', (route) => route.fulfill({ status: 404 }));
    await page.getByRole('link', { name: '兑换码' }).click();
    const failure = page.getByRole('alert').filter({ hasText: '页面出现错误' });
    await failure.getByText('服务器刚刚升级').waitFor();
    expect(await failure.textContent()).not.toContain('module');
    await page.unroute('**/assets/redemption-page*');
    await failure.getByRole('button', { name: '重新加载' }).click();
    await page.getByRole('heading', { level: 1, name: '兑换码' }).waitFor();
    await close();
  });

  it('A-135 G-234 keeps what it knows of the installation while its status cannot be read', async () => {
    const { page, open, close } = await browser.visit({ language: 'en', expected: /status/ });
    await gateway.setOption('SystemName', 'Gate of ours');
    await open('/');
    await expect.poll(() => page.title()).toContain('Gate of ours');
    await page.route('**/api/status', (route) => route.fulfill({ status: 503, body: '{}' }));
    await page.reload();
    await page.getByText('Failed to load status').first().waitFor();
    expect(await page.title()).toContain('Gate of ours');
    await page.unroute('**/api/status');
    await page.route('**/api/status', (route) => route.abort());
    await page.reload();
    await page.getByText('Unable to connect to server').first().waitFor();
    await close();
  });

  it('G-234 says once that its status cannot be read, until it can', async () => {
    const { page, open, close } = await browser.visit({ language: 'en', expected: /status/ });
    let reads = 0;
    await page.route('**/api/status', (route) => {
      reads += 1;
      return route.fulfill({ status: 503, body: '{}' });
    });
    await open('/');
    const notices = page.locator('.fui-Toast').filter({ hasText: 'Failed to load status' });
    await notices.first().waitFor();
    // Parts of the page that come later read it once more.
    await expect.poll(() => reads).toBeGreaterThan(1);
    await page.waitForLoadState('networkidle');
    await expect.poll(() => notices.count()).toBe(1);
    await page.unroute('**/api/status');
    await page.getByRole('link', { name: 'Pricing' }).first().click();
    await expect.poll(() => notices.count()).toBe(0);
    await close();
  });

  it('A-014 A-146 a session that has ended leads to the sign-in page, which says so, and back', async () => {
    const { page, open, close } = await browser.visit({ as: 'alice', expected: /401/ });
    await open('/token');
    await page.context().clearCookies();
    await page.getByRole('button', { name: '刷新' }).click();
    await page.getByText('未登录或登录已过期，请重新登录！').first().waitFor();
    expect(page.url()).toContain('/login?expired=true');
    await page.locator('input[name=username]').fill('alice');
    await page.locator('input[name=password]').fill(testPassword);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/token$/);
    await close();
  });

  it('A-152 a sign-in without name or password says what is missing and sends no request', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit();
    await open('/login');
    await page.getByRole('button', { name: '登录', exact: true }).click();
    await expect.poll(() => page.getByText('请输入用户名和密码').count()).toBe(2);
    expect(await page.locator('input[name=username]').evaluate((field) => field === document.activeElement)).toBe(true);
    expectNoProblems();
    await close();
  });

  it('hears a click on a button that an error moves away from under the mouse', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit();
    await open('/login');
    await page.locator('input[name=username]').fill('x');
    await page.locator('input[name=username]').fill('');
    const button = await page.getByRole('button', { name: '登录', exact: true }).boundingBox();
    if (!button) throw new Error('there is no button');
    // Low in the button: as far as one line of words moves it.
    await page.mouse.move(button.x + button.width / 2, button.y + 3);
    await page.mouse.down();
    await page.waitForTimeout(400);
    await page.mouse.up();
    await expect.poll(() => page.getByText('请输入用户名和密码').count()).toBe(2);
    expectNoProblems();
    await close();
  });

  it('A-220 a wrong password shows the words of the server and keeps the name', async () => {
    const { page, open, close } = await browser.visit({ language: 'en' });
    await open('/login');
    await page.locator('input[name=username]').fill('alice');
    await page.locator('input[name=password]').fill('not the password');
    await page.keyboard.press('Enter');
    const refused = page.locator('.fui-Toast').filter({ hasText: /request [0-9a-f-]{36}/ });
    await refused.waitFor();
    expect(await page.locator('input[name=username]').inputValue()).toBe('alice');
    await page.locator('input[name=password]').fill(testPassword);
    await page.keyboard.press('Enter');
    await page.getByText('Signed in.').waitFor();
    // What was wrong before is not any more; an error does not leave by itself.
    await expect.poll(() => refused.count()).toBe(0);
    await close();
  });

  it('A-017 A-027 A-153 A-154 A-155 A-156 A-204 opens an account, with the rules told under the fields, and signs it in', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit();
    const { users } = gateway.app.database;
    // A code that reads as a number is kept as it is.
    await users.update({ aff_code: '1e25' }, { where: { id: gateway.userId } });
    await open('/register?aff=1e25');
    await open('/register');
    await page.locator('input[name=username]').fill('bob');
    await page.locator('input[name=password]').fill('short');
    await page.locator('input[name=password2], input[name=confirmPassword]').fill('other');
    await page.getByRole('button', { name: '注册', exact: true }).last().click();
    await page.getByText('不能少于 8 个字符').first().waitFor();
    await page.locator('input[name=password]').fill(testPassword);
    await page.getByText('两次输入的密码不一致').first().waitFor();
    await page.locator('input[name=password2], input[name=confirmPassword]').fill(testPassword);
    expect(await page.getByPlaceholder('8 至 20 位').count()).toBe(1);
    await page.getByRole('button', { name: '注册', exact: true }).last().click();
    await page.getByText('注册成功！').waitFor();
    // Over the sign-in page, signed in already.
    await page.waitForURL(/\/token$/);
    await page.getByRole('button', { name: 'bob 的账户菜单' }).waitFor();
    const bob = await users.findOne({ where: { username: 'bob' }, raw: true });
    expect(bob).toMatchObject({ role: 1, inviter_id: gateway.userId });
    expect(await page.evaluate(() => localStorage.getItem('aff'))).toBe('');
    expectNoProblems();
    await close();
  });

  it('centers the words under a title, and has one height for the main buttons of all sign-in pages', async () => {
    const { page, open, close } = await browser.visit({ language: 'en', width: 390 });
    const aligned = (text: string | RegExp) =>
      page
        .locator('main')
        .getByText(text)
        .evaluate((element) => getComputedStyle(element).textAlign);
    await open('/reset');
    expect(await aligned(/^Enter the e-mail address/)).toBe('center');
    const sent = await page.getByRole('button', { name: 'Send reset e-mail' }).boundingBox();
    await open('/no/such/page');
    expect(await aligned(/does not exist/)).toBe('center');
    await open('/login');
    const signedIn = await page.locator('main').getByRole('button', { name: 'Sign in', exact: true }).boundingBox();
    expect(sent?.height).toBe(signedIn?.height);
    // With the wide letters that some browsers count with.
    await page.locator('input').evaluateAll((inputs: HTMLInputElement[]) => {
      for (const input of inputs) input.size = 60;
    });
    expect(await page.evaluate(() => document.querySelector('main')?.scrollWidth)).toBe(390);
    await close();
  });

  it('A-022 G-026 says of an address without a page, and of one that is not for this role, what it is', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice', language: 'en' });
    await open('/no/such/page');
    expect(await page.locator('h1').textContent()).toBe('Page not found');
    await page.getByRole('link', { name: 'Back to the console' }).click();
    await page.waitForURL(/\/token$/);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Tokens');
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
    expect(await page.evaluate(() => [document.activeElement?.tagName, location.hash])).toEqual(['MAIN', '']);
    await page.getByRole('button', { name: 'More actions for “test”' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    // What the page asked does not stand over another one.
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    expectNoProblems();
    await close();
  });

  it('A-009 A-010 A-011 A-136 G-004 G-028 G-029 changes language and theme at once, in every tab, and keeps both', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit();
    await open('/login');
    const otherTab = await page.context().newPage();
    await otherTab.goto('/login');
    await otherTab.getByRole('heading', { name: '登录' }).waitFor();
    await page.getByRole('button', { name: '语言' }).click();
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await otherTab.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await otherTab.locator('html[data-theme=dark][lang=en]').waitFor();
    await otherTab.close();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dataset.theme])).toEqual([
      'en',
      'dark',
    ]);
    expect(await page.evaluate(() => localStorage.getItem('theme-mode'))).toBe('dark');
    await page.evaluate(() => localStorage.setItem('language', 'xx'));
    await page.reload();
    await page.getByRole('heading', { name: '登录' }).waitFor();
    expectNoProblems();
    await close();
  });

  it('does what can be done from anywhere with Ctrl-K: a new token, the address of the API, another theme', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/log');
    const run = async (words: string) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: '搜索页面、操作、名称或请求 ID' }).fill(words);
      await page.keyboard.press('Enter');
    };
    await run('复制 API');
    await page.getByText('已复制到剪贴板').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^http:.*\/v1$/);
    await run('深色');
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    await run('新建令牌');
    await page.getByRole('dialog').locator('input[name=remain_quota]').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.url()).not.toContain('add');
    await run('新建渠道');
    await page.waitForURL(/\/channel\/add$/);
    expectNoProblems();
    await close();
  });

  it('finds pages by name with Ctrl-K', async () => {
    const { page, open, inspect, close } = await browser.visit({ as: 'alice', language: 'en' });
    await open('/no/such/page');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('tok');
    await inspect('palette');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/token$/);
    await close();
  });

  it.each(['login', 'register', 'reset', 'user/reset?email=a@example.com&token=x', 'no-such-page'])(
    'looks right and is accessible: /%s',
    { timeout: 180_000 },
    async (path) => {
      const visit = await browser.visit();
      await visit.inspectAll(`/${path}`, path.replace(/\W+/g, '-'));
      await visit.close();
    },
  );
});

describe('the first minute', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    gateway = await startConsoleGateway({ TOLLGATE_ROOT_PASSWORD: '' });
    browser = await openConsoleBrowser(gateway.url, { isDirect: true });
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  it('A-039 warns root of the default password and leads to a new one', { timeout: 180_000 }, async () => {
    const { page, open, inspect, inspectAll, setLook, expectNoProblems, close } = await browser.visit();
    await inspectAll('/setup', 'setup');
    await setLook({ language: 'zh', theme: 'light', width: 1440 });
    await open('/login');
    await page.getByRole('link', { name: '立即设置' }).waitFor();
    await page.locator('input[name=username]').fill('root');
    await page.locator('input[name=password]').fill('123456');
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog', { name: '您正在使用默认密码' }).waitFor();
    await inspect('default-password');
    await page.getByRole('button', { name: '修改密码' }).click();
    await page.locator('input[name=password]').fill(testPassword);
    await page.locator('input[name=password2], input[name=confirmPassword]').fill(testPassword);
    await page.getByRole('button', { name: '保存并继续' }).click();
    await page.getByText('已以 root 登录').waitFor();
    await open('/token');
    await page.getByRole('heading', { name: '令牌管理' }).waitFor();
    expectNoProblems();
    await close();
  });
});
