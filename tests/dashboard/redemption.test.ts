import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../core/schemas/actor.ts';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

/** The machine may be busy. */
const patience = { timeout: 60_000 };

describe('the redemption page', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;
  const codes = () => gateway.app.database.redemptions.findAll({ where: { deleted_at: null }, raw: true });
  const line = (page: Page, name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('gridcell', { name, exact: true }) });

  beforeAll(async () => {
    gateway = await startConsoleGateway();
    await gateway.app.database.users.update({ display_name: 'root' }, { where: { username: 'root' } });
    browser = await openConsoleBrowser(gateway.url);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  it('G-012 G-079 G-164 G-166 G-167 G-210 G-251 G-259 makes codes, shows them and hands them out as a file', async () => {
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/redemption');
    await page.getByText('还没有兑换码').waitFor();
    await page.getByRole('button', { name: '添加兑换码' }).first().click();
    const drawer = page.getByRole('dialog');
    expect(await page.locator('input[name=quota]').inputValue()).toBe('0.2');
    expect(await page.locator('input[name=count]').inputValue()).toBe('1');
    await page.getByText('100,000 单位').waitFor();
    await page.locator('input[name=count]').fill('101');
    await page.locator('input[name=quota]').fill('0');
    await page.locator('input[name=name]').fill('一个比二十个字符还要长得多的兑换码的名称');
    await page.locator('input[name=expires]').fill('2031-02-31 00:00:00');
    await drawer.getByRole('button', { name: '生成', exact: true }).click();
    for (const text of ['一次最多生成 100 个', '额度须大于 0', '过期时间格式错误！'])
      await page.getByText(text).first().waitFor();
    expect(await codes()).toEqual([]);
    await inspect('redemption-editor-errors');
    await page.locator('input[name=count]').fill('3');
    await page.locator('input[name=quota]').fill('1');
    await page.locator('input[name=name]').fill('');
    await page.locator('input[name=expires]').fill('');
    await drawer.getByRole('button', { name: '生成', exact: true }).click();
    await page.getByText('兑换码创建成功！').waitFor();
    const result = page.getByRole('alertdialog', { name: '已生成 3 个兑换码“$1.00”' });
    const shown = (await result.getByRole('textbox').inputValue()).split('\n');
    expect(shown).toHaveLength(3);
    await inspect('redemption-batch');
    const download = page.waitForEvent('download');
    await result.getByRole('button', { name: '下载为文本' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('$1.00.txt');
    expect((await readFile(await file.path(), 'utf8')).trim().split('\n')).toEqual(shown);
    await result.getByRole('button', { name: '复制全部' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText()), patience).toBe(shown.join('\n'));
    await result.getByRole('button', { name: '关闭' }).click();
    await expect.poll(() => line(page, '$1.00').count(), patience).toBe(3);
    expectNoProblems();
    await close();
  });

  it('lists a code whose end is on no calendar, as another gateway may have stored it', async () => {
    const { redemptions } = gateway.app.database;
    const code = { name: 'endless', quota: 1000, count: 1, expired_time: 0 };
    await gateway.app.services.redemptions.create(systemActor, code);
    await redemptions.update({ expired_time: Number.MAX_SAFE_INTEGER }, { where: { name: 'endless' } });
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/redemption?keyword=endless');
    await line(page, 'endless').waitFor();
    expectNoProblems();
    await close();
    await redemptions.destroy({ where: { name: 'endless' } });
  });

  it('saves only what was changed: another admin may have changed the rest', async () => {
    const { redemptions } = gateway.app.services;
    await redemptions.create(systemActor, { name: 'shared', quota: 1000, count: 1, expired_time: 0 });
    const stored = async () => (await codes()).find(({ name }) => name === 'shared' || name === 'renamed');
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/redemption?keyword=shared');
    await line(page, 'shared').getByRole('button', { name: '编辑' }).click();
    await redemptions.update(systemActor, { id: (await stored())?.id ?? 0, quota: 700_000 });
    await page.locator('input[name=name]').fill('renamed');
    await page.getByRole('button', { name: '保存' }).click();
    await page.getByText('兑换码更新成功！').waitFor();
    expect(await stored()).toMatchObject({ name: 'renamed', quota: 700_000 });
    expectNoProblems();
    await close();
    await gateway.app.database.redemptions.destroy({ where: { name: 'renamed' } });
  });

  it('G-080 G-081 G-115 G-135 G-136 changes, disables and enables unused codes', async () => {
    const [used = '', mine = ''] = await gateway.app.services.redemptions.create(systemActor, {
      name: 'spring',
      quota: 1000,
      count: 2,
      expired_time: 0,
    });
    const alice = { id: gateway.userId, name: 'alice', role: 1, address: '' };
    await gateway.app.services.redemptions.redeem(alice, used);
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/redemption?keyword=spring');
    const done = line(page, 'spring').filter({ hasText: '已使用' });
    const free = line(page, 'spring').filter({ hasNotText: '已使用' });
    const user = done.getByRole('link', { name: `#${gateway.userId}`, exact: true });
    expect(await user.getAttribute('href')).toBe(`/user/${gateway.userId}`);
    expect(await done.getByRole('button', { name: '编辑' }).getAttribute('aria-disabled')).toBe('true');
    await done.getByRole('button', { name: '更多操作' }).click();
    expect(await page.getByRole('menuitem', { name: '启用' }).getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('menuitem', { name: '查看' }).click();
    const view = page.getByRole('dialog', { name: '兑换码“spring”' });
    await view.getByRole('link', { name: `#${gateway.userId}`, exact: true }).waitFor();
    await inspect('redemption-view');
    await page.keyboard.press('Escape');

    await free.getByRole('button', { name: '更多操作' }).click();
    await page.getByRole('menuitem', { name: '禁用' }).click();
    await free.getByText('已禁用').waitFor();
    await page.getByRole('button', { name: '撤销' }).click();
    await free.getByText('未使用').waitFor();
    await free.getByRole('button', { name: '编辑' }).click();
    await page.locator('input[name=quota]').fill('0.004');
    await page.getByRole('button', { name: '保存' }).click();
    await page.getByText('兑换码更新成功！').waitFor();
    await page.getByRole('checkbox', { name: '选择“spring”' }).first().click();
    await page.getByRole('checkbox', { name: '选择“spring”' }).last().click();
    await page.getByText('已选 2 项').waitFor();
    await page.getByRole('button', { name: '复制所选兑换码' }).click();
    const copied = async () => (await page.evaluate(() => navigator.clipboard.readText())).split('\n').sort();
    await expect.poll(copied, patience).toEqual([`spring\t${used}`, `spring\t${mine}`].sort());
    expect((await codes()).find(({ name, status }) => name === 'spring' && status === 1)).toMatchObject({
      quota: 2000,
    });
    expectNoProblems();
    await close();
  });

  it('G-078 G-168 finds codes, and copies nothing when nothing is marked', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/redemption');
    await page.getByRole('button', { name: '复制所选兑换码' }).click();
    await page.getByText('请至少选择一个兑换码！').waitFor();
    await page.getByRole('searchbox').fill('spr');
    await expect.poll(() => line(page, '$1.00').count(), patience).toBe(0);
    expect(await line(page, 'spring').count()).toBe(2);
    expectNoProblems();
    await close();
  });

  it('switches the marked codes off and back on, and deletes them', async () => {
    const make = { name: 'bulk', quota: 100, count: 3, expired_time: 0 };
    await gateway.app.services.redemptions.create(systemActor, make);
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/redemption?keyword=bulk');
    const statuses = async () =>
      (await codes())
        .filter(({ name, deleted_at }) => name === 'bulk' && deleted_at === null)
        .map(({ status }) => status);
    await page.getByLabel('Select all on this page').click();
    await page.getByRole('button', { name: 'Disable selected codes' }).click();
    const toast = page.locator('.fui-Toast').filter({ hasText: 'Codes disabled: 3' });
    await toast.waitFor();
    expect(await statuses()).toEqual([2, 2, 2]);
    await toast.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(statuses, patience).toEqual([1, 1, 1]);
    await page.getByRole('button', { name: 'Delete selected codes' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByRole('textbox').fill('delete');
    await question.getByRole('button', { name: 'Delete selected codes' }).click();
    await page.getByText('Codes deleted: 3').waitFor();
    expect(await statuses()).toEqual([]);
    expectNoProblems();
    await close();
  });

  it('looks right in every look and is accessible', async () => {
    const soon = Math.floor(Date.now() / 1000) + 86_400;
    const make = { name: '新年活动', quota: 25_000_000, count: 1, expired_time: soon };
    await gateway.app.services.redemptions.create(systemActor, make);
    const visit = await browser.visit({ as: 'root' });
    await visit.inspectAll('/redemption', 'redemption');
    await visit.close();
  });

  it('deletes one after a question that names it, and all that are done with after a word', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/redemption');
    await line(page, '新年活动').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page
      .getByRole('alertdialog', { name: 'Delete code “新年活动”' })
      .getByRole('button', { name: 'Delete' })
      .click();
    await expect.poll(() => line(page, '新年活动').count(), patience).toBe(0);
    await page.getByRole('button', { name: 'Clear invalid codes' }).click();
    const question = page.getByRole('alertdialog');
    expect(await question.getByRole('button', { name: 'Clear invalid codes' }).isDisabled()).toBe(true);
    await question.getByRole('textbox').fill('clear');
    await question.getByRole('button', { name: 'Clear invalid codes' }).click();
    await page.getByText('Codes cleared: 1').waitFor();
    expect((await codes()).every(({ status }) => status === 1)).toBe(true);
    expectNoProblems();
    await close();
  });

  it('G-026 is for admins only', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice' });
    await open('/redemption');
    expect(await page.locator('h1').textContent()).toBe('没有权限');
    expectNoProblems();
    await close();
  });
});
