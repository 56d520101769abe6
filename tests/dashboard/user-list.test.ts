import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

/** The machine may be busy. */
const patience = { timeout: 60_000 };

describe('the list of users', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    gateway = await startConsoleGateway();
    const { users } = gateway.app.database;
    const inviter = await gateway.addUser('inviter', 2_500_000);
    const figures = { used_quota: 750_000, request_count: 12, aff_count: 3, aff_history: 1_000_000 };
    await users.update(figures, { where: { id: inviter } });
    await users.update({ inviter_id: inviter }, { where: { id: await gateway.addUser('invited', 0) } });
    for (let n = 1; n <= 60; n++) await gateway.addUser(`user-${n}`, 0);
    browser = await openConsoleBrowser(gateway.url);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  it('A-043 A-044 shows what is left, used and called, and who invited whom', async () => {
    const inviter = await gateway.app.database.users.findOne({ where: { username: 'inviter' }, raw: true });
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/user?keyword=invite');
    const cells = async (name: string) => {
      const row = page.getByRole('row').filter({ has: page.locator(`[title="${name}"]`) });
      const texts = await row.getByRole('gridcell').allTextContents();
      return texts.filter((text) => /剩余|收益/.test(text)).map((text) => text.replaceAll(/\s/g, ''));
    };
    await expect.poll(() => cells('inviter'), patience).toEqual(['剩余$5.00已用$1.50调用12', '邀请3收益$2.00邀请人无']);
    expect(await cells('invited')).toEqual(['剩余$0.00已用$0.00调用0', `邀请0收益$0.00邀请人${inviter?.id}`]);
    expectNoProblems();
    await close();
  });

  it('A-047 A-136 has ten rows on a page until 20, 50 or 100 are chosen, which this browser keeps for every list', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    const size = page.getByRole('combobox', { name: '每页条数' });
    const rows = () => page.getByRole('row').count();
    await open('/user');
    await expect.poll(rows, patience).toBe(11);
    await size.waitFor();
    expect(await size.locator('option').allTextContents()).toEqual(['10 条/页', '20 条/页', '50 条/页', '100 条/页']);
    await open('/user?p=7');
    await page.getByText('第 61–64 条，共 64 条').waitFor();
    // Of a link from a user with shorter pages, at once and not page by page.
    const asked: string[] = [];
    page.on('request', (request) => request.url().includes('/api/user/?') && asked.push(request.url()));
    await open('/user?p=900');
    await page.getByText('第 61–64 条，共 64 条').waitFor();
    expect(asked.length).toBeLessThan(5);
    // The row that was read stays in view.
    await size.selectOption('50 条/页');
    await page.getByText('第 51–64 条，共 64 条').waitFor();
    await size.selectOption('100 条/页');
    await expect.poll(rows, patience).toBe(65);
    await size.selectOption('50 条/页');
    await expect.poll(rows, patience).toBe(51);
    expect(await page.evaluate(() => localStorage.getItem('page-size'))).toBe('50');
    await open('/redemption');
    await open('/user?p=2');
    await page.getByText('第 51–64 条，共 64 条').waitFor();
    await page.evaluate(() => localStorage.setItem('page-size', '7'));
    await open('/user');
    await page.getByText('第 1–10 条，共 64 条').waitFor();
    expectNoProblems();
    await close();
  });

  it('shows a name on one line, hyphens in it or not', async () => {
    const id = await gateway.addUser('well-spelled', 0);
    await gateway.app.database.users.update({ display_name: 'Name With Several Words' }, { where: { id } });
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/user?keyword=well-spelled');
    const name = page.locator('[title="well-spelled"]');
    await name.waitFor();
    const heights = await name.evaluate((element) => [
      element.getClientRects().length,
      element.parentElement?.clientHeight,
    ]);
    expect(heights).toEqual([1, 20]);
    expectNoProblems();
    await close();
    await gateway.app.database.users.destroy({ where: { id } });
  });

  it.each(['%', '_', '*', '\\', "'"])('A-040 takes %s in a search for what it is', async (sign) => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open(`/user?keyword=${encodeURIComponent(sign)}`);
    await page.getByText('没有符合条件的内容').waitFor();
    expectNoProblems();
    await close();
  });
});
