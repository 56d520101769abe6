import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { systemActor } from '../../core/schemas/actor.ts';
import { channelCreateSchema } from '../../core/schemas/channel.ts';
import { startGateway, type TestGateway } from '../support/start-gateway.ts';
import { type ApiMode, type ApiProxy, startApiProxy } from './support/api-proxy.ts';
import { type ConsoleBrowser, openConsoleBrowser, testPassword, type Visit } from './support/console-browser.ts';

interface PageEntry {
  path: string;
  access: 'public' | 'user' | 'admin' | 'root';
}

// Built by Vite's means, which a plain import would drag into the type check of the server.
const pagesFile = new URL('../../dashboard/src/pages.ts', import.meta.url).href;
const { pages } = (await import(pagesFile)) as { pages: PageEntry[] };

/** Where an entry with parameters is looked at. */
const places: Record<string, string> = {
  '/oauth/:provider': '/oauth/github',
  '/chat/:id?': '/chat/0',
  '/channel/:id': '/channel/1',
  '/model/*': '/model/gpt-4o',
};
const placeOf = ({ path }: PageEntry) => places[path] ?? path;

/** Show something of their own when what an operator wrote, or a choice of models, does not come. */
const standing = [
  '/home',
  '/about',
  '/docs',
  '/playground',
  '/explain',
  '/login',
  '/login/code',
  '/register',
  '/reset',
  '/user/reset',
];
/** Reads nothing before it has done something. */
const acting = ['/oauth/:provider', '/docs/:name'];
/** Makes the first API key by itself, which the pages after it would find. */
const making = ['/setup'];
/** The list of that name with its form open. */
const withForm = ['/channel/add', '/channel/edit/:id', '/user/add', '/user/edit/:id'];
const reading = pages
  .map((entry) => ({ ...entry, place: placeOf(entry) }))
  .filter(({ path }) => ![...standing, ...acting, ...making, ...withForm].includes(path));
const lists = ['/token', '/log', '/midjourney', '/task', '/channel', '/redemption', '/user', '/audit', '/pricing'];

describe('every page of the console', { timeout: 120_000 }, () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;
  let visit: Visit;
  let page: Page;
  let proxy: ApiProxy;
  let chat: Awaited<ReturnType<typeof startPage>>;
  let user: string;

  beforeAll(async () => {
    gateway = await startGateway('sqlite', {
      GLOBAL_WEB_RATE_LIMIT_ENABLE: 'false',
      GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
    });
    chat = await startPage('a chat');
    await gateway.app.services.channels.create(
      systemActor,
      channelCreateSchema.parse({ name: 'one', type: 1, key: 'sk-1', models: 'gpt-4o' }),
    );
    await gateway.setOption('Chats', JSON.stringify([{ Lobe: `${chat.url}/#key={key}` }]));
    await gateway.addToken(1);
    proxy = await startApiProxy(gateway.url);
    browser = await openConsoleBrowser(proxy.url);
    const expected = /^answer: \/api\/\S+ (401|403|429|500)$|ERR_(EMPTY_RESPONSE|CONNECTION_RESET)$/;
    visit = await browser.visit({ as: 'root', expected });
    page = visit.page;
    await page.goto('/about');
    user = await page.evaluate(() => localStorage.getItem('user') ?? '');
  });
  afterAll(async () => {
    await browser?.close();
    await proxy?.close();
    await chat?.close();
    await gateway?.stop();
  });

  /** Signed in, whatever the test before has left. */
  async function open(place: string, as: ApiMode): Promise<void> {
    proxy.mode = as;
    // A page before may only now follow a link of its own, which ends this way and no other.
    await vi.waitFor(() => page.goto('/favicon.svg'), { timeout: 30_000, interval: 200 });
    await page.evaluate((value) => localStorage.setItem('user', value), user);
    await page.goto(place);
    await page.locator('h1').first().waitFor({ state: 'attached' });
  }

  const failures = () => page.getByRole('alert').filter({ hasText: '加载失败' });
  const reason = (text: string | RegExp) => failures().filter({ hasText: text }).first().waitFor();

  /** Everything that failed is tried again. */
  async function retryAll(as: ApiMode): Promise<void> {
    proxy.mode = as;
    await page.getByRole('button', { name: '重试' }).evaluateAll((buttons) => {
      for (const button of buttons) (button as HTMLButtonElement).click();
    });
  }

  it.each(reading)('$path says that it loads, why it could not, and reads again when told to', async ({ place }) => {
    await open(place, 'slow');
    await page.getByRole('banner').waitFor();
    await page.locator('main').locator('.fui-Skeleton, .fui-Spinner').first().waitFor();
    // "Too many requests" is not a failure: the page waits as long as it was asked to, and goes on by itself.
    proxy.release('limited');
    await page.getByText('请求过于频繁，控制台稍后会自动继续。').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    proxy.mode = 'gone';
    await reason('无法连接到服务器');
    await retryAll('broken');
    await reason(/服务器内部错误.*broken-1/);
    // A page reads several things, and the last of them may fail only after all that had failed were tried again.
    const failuresAfterRetry = () => retryAll('plain').then(() => failures().count());
    await expect.poll(failuresAfterRetry).toBe(0);
    await expect.poll(() => page.locator('main').locator('.fui-Skeleton, .fui-Spinner').count()).toBe(0);
    visit.expectNoProblems();
  });

  it.each(reading)('$path leads to the sign-in when the session has ended, and back', async ({ place }) => {
    await open(place, 'ended');
    await page.waitForURL(/\/login\?expired=true$/);
    await page.getByText('未登录或登录已过期，请重新登录！').first().waitFor();
    proxy.mode = 'plain';
    await page.locator('input[name=username]').fill('root');
    await page.locator('input[name=password]').fill(testPassword);
    await page.getByRole('button', { name: '登录', exact: true }).click();
    await page.waitForURL((url) => url.pathname === place || url.origin === chat.url);
    visit.expectNoProblems();
  });

  it('stands without the API where it needs nothing of it', async () => {
    for (const place of standing) {
      await open(place, 'broken');
      await page.waitForLoadState('networkidle');
      expect(await page.locator('main').textContent()).not.toBe('');
      expect(await failures().count()).toBe(0);
    }
    visit.expectNoProblems();
  });

  it.each(lists)('%s says why it is empty, and when its rows are not for this account', async (place) => {
    await open(place, 'empty');
    await page.locator('main h2').first().waitFor();
    expect(await page.getByRole('gridcell').count()).toBe(0);
    proxy.mode = 'refused';
    await page.getByRole('button', { name: '刷新' }).first().click();
    const refusal = page.getByRole('alert').filter({ hasText: '没有权限' });
    await refusal.getByText('权限不足').waitFor();
    await refusal.getByRole('link', { name: '返回控制台' }).waitFor();
    visit.expectNoProblems();
  });

  it('tells a user which pages are not for users, with a way back', async () => {
    proxy.mode = 'plain';
    const alice = await browser.visit({ as: 'alice' });
    const closed = pages.filter(({ access }) => access === 'admin' || access === 'root');
    expect(closed.length).toBeGreaterThan(5);
    await alice.open('/token');
    for (const { path } of closed) {
      await alice.page.goto(path.replace(':id', '1'));
      await alice.page.getByRole('heading', { name: '没有权限' }).waitFor();
      await alice.page.getByRole('link', { name: '返回控制台' }).waitFor();
    }
    await alice.page.getByRole('link', { name: '返回控制台' }).click();
    await alice.page.waitForURL(/\/token$/);
    alice.expectNoProblems();
    await alice.close();
  });

  it('G-025 leads guests to the sign-in from every page but the public ones', async () => {
    proxy.mode = 'plain';
    const guest = await browser.visit();
    await guest.open('/about');
    // Without a reload for each.
    const go = (place: string) =>
      guest.page.evaluate((path) => {
        history.pushState({ idx: history.state.idx + 1 }, '', path);
        dispatchEvent(new PopStateEvent('popstate'));
      }, place);
    const open = ['/', '/pricing', '/about', '/login', '/register', '/reset'];
    for (const place of open) {
      await go(place);
      await guest.page.locator('h1').first().waitFor({ state: 'attached' });
      expect(new URL(guest.page.url()).pathname).toBe(place);
    }
    const guarded = pages
      .filter(({ access }) => access !== 'public')
      .map((entry) => placeOf(entry).replace(':id', '1'));
    expect(guarded).toEqual(
      expect.arrayContaining(['/token', '/log', '/detail', '/topup', '/setting', '/channel/add']),
    );
    for (const place of guarded) {
      await go('/about');
      await guest.page.waitForURL(/\/about$/);
      await go(place);
      await guest.page.waitForURL(/\/login$/);
    }
    guest.expectNoProblems();
    await guest.close();
  });
});

/** A server of one page: the program that a chat link leads to. */
async function startPage(text: string) {
  const server = createServer((_call, response) => response.end(text));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  async function close(): Promise<void> {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
