import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../core/schemas/actor.ts';
import { tokenCreateSchema } from '../../core/schemas/token.ts';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

describe('chat links', () => {
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

  it('G-023 without one, the page says whom to ask; signed out it leads to the sign-in page', async () => {
    const { page, open, inspect, close } = await browser.visit({ as: 'alice' });
    await open('/chat');
    await page.getByText('请联系管理员配置聊天链接').waitFor();
    await inspect('chat-unset');
    await close();
    const guest = await browser.visit();
    await guest.open('/chat/0');
    expect(new URL(guest.page.url()).pathname).toBe('/login');
    await guest.close();
  });

  it('G-023 G-024 G-033 G-038 G-256 opens the program of that number with a key that works and the address of the server', async () => {
    const links = [
      { First: 'https://first.example/#/?key={key}&url={address}' },
      { Second: 'https://second.example/?k={key}' },
      { App: 'cherry://open?key={key}' },
    ];
    await gateway.setOption('Chats', JSON.stringify(links));
    const { page, open, close } = await browser.visit({ as: 'alice', language: 'en', expected: /\.example|ERR_/ });
    await page
      .context()
      .route(/\.example\//, (route) => route.fulfill({ body: '<h1>chat</h1>', contentType: 'text/html' }));
    await open('/token');
    await page.getByRole('link', { name: 'Second' }).click();
    await page.locator('iframe[title="Second"]').waitFor();
    expect(await page.locator('iframe').getAttribute('src')).toBe(`https://second.example/?k=${gateway.key}`);
    expect(await page.getByRole('link', { name: 'Tokens' }).count()).toBe(0);
    await open('/chat');
    const address = encodeURIComponent(gateway.url);
    await expect
      .poll(() => page.locator('iframe').getAttribute('src'))
      .toBe(`https://first.example/#/?key=${gateway.key}&url=${address}`);
    await open('/chat/2');
    expect(await page.getByRole('link', { name: 'Open App' }).getAttribute('href')).toBe(
      `cherry://open?key=${gateway.key}`,
    );
    await page.goto('/chat2link');
    await page.waitForURL(/^https:\/\/first\.example\//);
    await close();
  });

  it('G-256 passes over newer tokens that are used up or limited to some models or addresses', async () => {
    await gateway.setOption('Chats', JSON.stringify([{ First: 'https://first.example/?k={key}' }]));
    const { tokens } = gateway.app.services;
    const owner = { ...systemActor, id: gateway.userId };
    const create = (limits: object) =>
      tokens.create(owner, tokenCreateSchema.parse({ name: 'limited', unlimited_quota: true, ...limits }));
    await create({ model_limits_enabled: true, model_limits: 'gpt-4o-mini' });
    await create({ allow_ips: '203.0.113.7' });
    await create({ unlimited_quota: false, remain_quota: 0 });
    const { page, open, close } = await browser.visit({ as: 'alice', expected: /\.example|ERR_/ });
    await page.context().route(/\.example\//, (route) => route.fulfill({ body: 'chat', contentType: 'text/html' }));
    await open('/chat/0');
    await page.locator('iframe').waitFor();
    expect(await page.locator('iframe').getAttribute('src')).toBe(`https://first.example/?k=${gateway.key}`);
    await close();
  });

  it.each([['broken'], [[null]], [[{ Chat: 5 }]], [{ a: 'b' }]])(
    'G-231 says of chats that are %j that they cannot be read',
    async (chats) => {
      const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice' });
      await page.route('**/api/status', async (route) => {
        const response = await route.fetch();
        const body = (await response.json()) as { data: object };
        await route.fulfill({ json: { ...body, data: { ...body.data, chats } } });
      });
      await open('/chat');
      await page.getByText('聊天数据解析失败').waitFor();
      await open('/token');
      await page.getByRole('button', { name: '“test”的更多操作' }).click();
      await page.getByRole('menuitem', { name: '聊天' }).click();
      await page.getByText('聊天数据解析失败').waitFor();
      expectNoProblems();
      await close();
    },
  );

  it('G-229 a number without a link is a wrong configuration, in words', async () => {
    const { page, open, close } = await browser.visit({ as: 'alice' });
    await open('/chat/9');
    await page.getByText('聊天链接配置错误，请联系管理员').waitFor();
    await close();
  });

  it('G-233 without an enabled token it says so and goes to the tokens', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/chat/0');
    await page.getByText('当前没有可用的启用令牌，请确认是否有令牌处于启用状态！').first().waitFor();
    await page.waitForURL(/\/token$/);
    expectNoProblems();
    await close();
  });
});
