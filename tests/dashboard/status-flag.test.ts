import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../core/schemas/actor.ts';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

const menu = (page: Page) => page.getByRole('navigation', { name: '主菜单' });

describe('the console follows the status of its installation', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;
  const changed = new Set<string>();

  beforeAll(async () => {
    gateway = await startConsoleGateway();
    browser = await openConsoleBrowser(gateway.url);
    for (const [name, quota] of [
      ['small', 10_000],
      ['thousands', 12_345],
      ['millions', 1_550_000],
      ['billions', 12_340_000_000],
    ] as const)
      await gateway.addUser(name, quota);
    await gateway.addUser('helper', 0);
    const helper = await gateway.app.database.users.findOne({ where: { username: 'helper' }, raw: true });
    await gateway.app.services.users.manage(systemActor, { id: helper?.id ?? 0, action: 'promote' });
  });
  afterEach(async () => {
    await gateway.app.services.options.resetMany(systemActor, [...changed]);
    changed.clear();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  async function set(key: string, value: string): Promise<void> {
    changed.add(key);
    await gateway.setOption(key, value);
  }

  it('A-005 A-006 A-007 A-008 A-063 shows quota in dollars with two decimals, or in short units', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    const balance = async (name: string) => {
      const row = page.getByRole('row').filter({ hasText: name });
      return /剩余\s*(\S+?)(?=已用)/.exec((await row.textContent()) ?? '')?.[1];
    };
    const names = ['small', 'thousands', 'millions', 'billions'];
    await open('/user');
    await page.getByRole('row').filter({ hasText: 'billions' }).waitFor();
    expect(await Promise.all(names.map(balance))).toEqual(['$0.02', '$0.02', '$3.10', '$24,680.00']);
    await set('DisplayInCurrencyEnabled', 'false');
    await open('/user');
    await page.getByRole('row').filter({ hasText: 'billions' }).waitFor();
    expect(await Promise.all(names.map(balance))).toEqual(['10000', '12.3k', '1.6M', '12.3B']);
    expectNoProblems();
    await close();
  });

  it('A-012 is the phone view up to 600 pixels, and the desktop from 601 on', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', width: 601 });
    await open('/user');
    await menu(page).waitFor();
    await page.setViewportSize({ width: 600, height: 900 });
    await menu(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: '菜单', exact: true }).click();
    await menu(page).getByRole('link', { name: '令牌', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 601, height: 900 });
    await menu(page).waitFor();
    expectNoProblems();
    await close();
  });

  it('A-065 G-037 begins with a closed navigation where the installation says so, until the visitor opens it', async () => {
    await set('DefaultCollapseSidebar', 'true');
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice' });
    await open('/token');
    expect(await menu(page).count()).toBe(0);
    await page.locator('header').getByRole('button').first().click();
    await menu(page).waitFor();
    await page.reload();
    await menu(page).waitFor();
    expectNoProblems();
    await close();
  });

  it.each([
    ['A-066 G-035', 'DrawingEnabled', '绘图'],
    ['A-133 G-036', 'TaskEnabled', '异步任务'],
    ['A-074 G-034', 'DataExportEnabled', '数据看板'],
  ])('%s leads to a page only while %s is on: %s', async (_line, key, name) => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice' });
    await open('/token');
    await menu(page).getByRole('link', { name, exact: true }).waitFor();
    await set(key, 'false');
    await open('/token');
    await menu(page).getByRole('link', { name: '令牌', exact: true }).waitFor();
    await menu(page).getByRole('link', { name, exact: true }).waitFor({ state: 'detached' });
    expectNoProblems();
    await close();
  });

  it('A-076 shows usage by the hour, day or week that is set', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice' });
    for (const [value, words] of [
      ['hour', '按小时'],
      ['week', '按周'],
      ['day', '按天'],
    ] as const) {
      await set('DataExportDefaultTime', value);
      await open('/detail');
      const chosen = page.getByRole('combobox', { name: '时间粒度' }).locator('option:checked');
      await expect.poll(() => chosen.textContent()).toBe(words);
      const all = await page.getByRole('combobox', { name: '时间粒度' }).locator('option').allTextContents();
      expect(all).toEqual(['按小时', '按天', '按周']);
    }
    expectNoProblems();
    await close();
  });

  it('A-060 offers the older chat links while there are no others', async () => {
    await set('ChatLink', 'https://chat.example.com/');
    await set('ChatLink2', 'https://draw.example.com/');
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice' });
    await open('/token');
    await menu(page).getByRole('link', { name: '聊天', exact: true }).waitFor();
    await set('Chats', '[{"Desk":"https://desk.example/?k={key}"}]');
    await open('/token');
    await menu(page).getByRole('link', { name: 'Desk', exact: true }).waitFor();
    expectNoProblems();
    await close();
  });

  it.each([
    ['root', '超级管理员'],
    ['helper', '管理员'],
    ['alice', undefined],
  ])('A-057 names the role of %s on the own page: %s', async (as, tag) => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as });
    await open('/setting?tab=personal');
    const account = page.getByRole('region', { name: '我的账户' });
    await account.getByText('当前余额').waitFor();
    const shown = await account.getByText(/^(超级)?管理员$/).allTextContents();
    expect(shown).toEqual(tag ? [tag] : []);
    expectNoProblems();
    await close();
  });
});
