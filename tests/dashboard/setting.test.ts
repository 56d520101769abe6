import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { optionTabKeys, optionTabs } from '../../core/schemas/option/card.ts';
import { optionsOfCard } from '../../core/schemas/option.ts';
import { optionText, optionTexts } from '../../core/text/option.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser, testPassword } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

/** The bar at the bottom of the page. */
const saveChanges = (page: Page) => page.getByRole('button', { name: /^(保存 \d+ 项修改|Save \d+ changes?)$/ }).click();
/** The list of sections at the left. */
const place = (page: Page, name: string | RegExp) =>
  page.getByRole('navigation', { name: /^(设置分区|Sections)$/ }).getByRole('link', { name });

describe('the settings page', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;
  let mails: MailServer;

  beforeAll(async () => {
    gateway = await startConsoleGateway();
    mails = await startMailServer();
    browser = await openConsoleBrowser(gateway.url);
  });
  afterAll(async () => {
    await browser?.close();
    await mails?.close();
    await gateway?.stop();
  });

  const stored = (key: string) => gateway.app.services.options.get(key as 'SystemName');

  it('brings the texts of the settings of the installation to root only, also when root signs in after a user', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice', language: 'en' });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await open('/setting');
    await page.getByRole('button', { name: 'Change password' }).first().waitFor();
    expect(asked.filter((path) => /\/option-[^/]*\.js$/.test(path))).toEqual([]);
    await page.getByRole('button', { name: 'Account menu of alice' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(/\/login$/);
    await page.locator('input[name=username]').fill('root');
    await page.locator('input[name=password]').fill(testPassword);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/token$/);
    await page.getByRole('link', { name: 'Settings' }).first().click();
    await place(page, optionTexts.en.tab.system).waitFor();
    expect(asked.filter((path) => /\/option-[^/]*\.js$/.test(path))).toHaveLength(1);
    expectNoProblems();
    await close();
  });

  it('A-058 A-059 shows every card on its tabs, with the label of each of its settings', async () => {
    const { page, open, close } = await browser.visit({ as: 'root' });
    for (const tab of optionTabKeys) {
      await open(`/setting?tab=${tab}`);
      for (const card of optionTabs[tab]) {
        const region = page.getByRole('region', { name: optionTexts.zh.card[card].title, exact: true });
        const text = (await region.textContent()) ?? '';
        const missing = optionsOfCard(card).filter((key) => !text.includes(optionText('zh', key).label));
        expect(missing, `${tab} ${card}`).toEqual([]);
      }
    }
    await close();
  });

  it('A-021 A-148 A-149 saves only what was changed, marks it until then, and keeps it over tabs', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    const sent: unknown[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT') sent.push(request.postDataJSON());
    });
    await open('/setting?tab=operation');
    expect(await page.getByRole('button', { name: /^保存/ }).count()).toBe(0);
    await page.locator('input[name=RetryTimes]').press('Enter');
    await page.getByText('没有任何修改！').waitFor();
    expect(sent).toEqual([]);

    await page.locator('input[name=RetryTimes]').fill('5');
    await place(page, /^运营设置\s*1 项未保存的修改$/).waitFor();
    await place(page, /^通用设置\s*1 项未保存的修改$/).waitFor();
    await place(page, '系统设置').click();
    await page.locator('input[name=SMTPServer]').waitFor();
    expect(page.url()).toContain('tab=system');
    await place(page, /^运营设置/).click();
    await page.getByText('已修改', { exact: true }).waitFor();
    expect(await page.locator('input[name=RetryTimes]').inputValue()).toBe('5');

    // Somewhere else in the page: it asks, and stays.
    await page.getByRole('link', { name: '令牌', exact: true }).click();
    await page.getByRole('alertdialog', { name: '放弃修改？' }).getByRole('button', { name: '继续编辑' }).click();
    await page.getByRole('button', { name: '保存 1 项修改' }).click();
    await page.getByText('保存成功').waitFor();
    await expect.poll(() => page.getByText('已修改', { exact: true }).count()).toBe(0);
    expect(await page.getByRole('region', { name: '未保存的修改' }).count()).toBe(0);
    const options = [{ key: 'RetryTimes', value: '5', version: '' }];
    expect(sent).toEqual([{ options, confirmKeepSecret: false }]);
    await page.reload();
    await expect.poll(() => page.locator('input[name=RetryTimes]').inputValue()).toBe('5');
    expectNoProblems();
    await close();
  });

  it('keeps what was typed into the own profile while another tab is looked at, and asks before it is lost', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/setting');
    await page.locator('input[name=display_name]').fill('Half typed');
    await place(page, '运营设置').click();
    await page.locator('input[name=RetryTimes]').waitFor();
    await expect.poll(() => page.locator('input[name=display_name]').isVisible()).toBe(false);
    await place(page, '个人设置').click();
    expect(await page.locator('input[name=display_name]').inputValue()).toBe('Half typed');
    await place(page, '运营设置').click();
    await page.getByRole('link', { name: '令牌', exact: true }).click();
    await page.getByRole('alertdialog', { name: '放弃修改？' }).getByRole('button', { name: '放弃修改' }).click();
    await page.waitForURL(/\/token$/);
    expectNoProblems();
    await close();
  });

  it('saves the changes of several tabs at once, and leads to the one that is wrong', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/setting?section=monitoring');
    const inView = (name: string) =>
      expect.poll(() => page.getByRole('region', { name, exact: true }).evaluate(isInView)).toBe(true);
    await inView('Monitoring');
    await page.locator('input[name=RetryTimes]').fill('6');
    await place(page, 'System').click();
    await place(page, /^Mail/).click();
    expect(page.url()).toContain('section=mail');
    await inView('Mail (SMTP)');
    await page.locator('input[name=SMTPPort]').fill('99999999');
    await place(page, 'Other').click();
    await page.locator('input[name=SystemName]').fill('Two at once');
    await page.getByRole('button', { name: 'Save 3 changes' }).click();
    await page.getByText('Enter a whole number from 1 to 65535').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('SMTPPort');
    expect(stored('SystemName')).not.toBe('Two at once');
    await page.locator('input[name=SMTPPort]').fill('2525');
    await page.getByRole('button', { name: 'Save 3 changes' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect([stored('RetryTimes'), stored('SMTPPort' as 'SystemName'), stored('SystemName')]).toEqual([
      6,
      2525,
      'Two at once',
    ]);
    expectNoProblems();
    await close();
  });

  it('takes quota in dollars, and says how many units they are', async () => {
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/setting?section=quota');
    const field = page.getByRole('spinbutton', { name: 'New user quota' });
    await field.fill('');
    await field.pressSequentially('1.50');
    await page.getByText('750,000 units').waitFor();
    expect(await field.inputValue()).toBe('1.50');
    await page.getByRole('button', { name: 'Save 1 change' }).click();
    await expect.poll(() => stored('QuotaForNewUser')).toBe(750_000);
    await page.getByText('Saved', { exact: true }).waitFor();
    await field.fill('-1');
    await page.getByRole('button', { name: 'Save 1 change' }).click();
    await page.getByText('Enter an amount of $0 or more').waitFor();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    expect(await field.inputValue()).toBe('1.5');
    await page.getByRole('button', { name: 'Language: English' }).waitFor();
    await page.setViewportSize({ width: 800, height: 700 });
    await inspect('setting-money-800');
    await page.setViewportSize({ width: 1440, height: 900 });
    await inspect('setting-money-1440');
    expectNoProblems();
    await close();
    await gateway.app.services.options.reset({ id: 1, role: 100, name: 'root', address: '' }, 'QuotaForNewUser');
  });

  it('A-075 A-167 A-168 says what is wrong under the field, and sends nothing', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/setting?tab=operation');
    await page.locator('input[name=DataExportInterval]').fill('1.5');
    expect(await page.locator('input[name=FirstTokenTimeout]').inputValue()).toBe('auto');
    await page.locator('input[name=FirstTokenTimeout]').fill('soon');
    await saveChanges(page);
    await page.getByText('请检查输入').waitFor();
    await page.getByText('请输入 1 到 1440 的整数').waitFor();
    await page.getByText('请输入 auto 或 0 到 3600 的整数').waitFor();
    await page.locator('input[name=FirstTokenTimeout]').fill('auto');
    expect(stored('DataExportInterval')).toBe(5);
    await place(page, '分组与倍率').click();
    const group = page.getByRole('region', { name: '分组设置' });
    await group.getByRole('tab', { name: 'JSON 编辑' }).click();
    await group.locator('textarea[name=GroupRatio]').fill('{"default": 1,\n"vip": }');
    await group.locator('textarea[name=GroupRatio]').blur();
    await group.getByText('不是合法的 JSON 字符串（第 2 行第 8 列）').waitFor();
    expectNoProblems();
    await close();
  });

  it.each([
    ['ratio', ['GroupRatio', 'UserUsableGroups', 'ModelPrice', 'ModelRatio', 'CompletionRatio']],
    ['operation', ['Chats']],
    ['system', ['TopupGroupRatio']],
  ])(
    'A-166 A-167 A-168 says of each JSON field of the tab %s, when it is left, that it is none, and sends nothing',
    async (tab, keys) => {
      const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
      const sent: string[] = [];
      page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()));
      await open(`/setting?tab=${tab}`);
      const closedEditors = page.getByRole('tab', { name: 'JSON 编辑', selected: false });
      for (const [index, key] of keys.entries()) {
        const field = page.locator(`textarea[name=${key}]`);
        // Cards come one after the other.
        await expect
          .poll(async () => {
            while ((await closedEditors.count()) > 0) await closedEditors.first().click();
            return field.count();
          })
          .toBe(1);
        await field.fill('{"a":');
        await field.blur();
        await expect.poll(() => page.getByText(/不是合法的 JSON 字符串（第 1 行第 6 列）$/).count()).toBe(index + 1);
      }
      await saveChanges(page);
      await page.getByText('请检查输入').waitFor();
      expect(sent).toEqual([]);
      expectNoProblems();
      await close();
    },
  );

  it('A-050 A-084 A-085 A-086 edits groups and chat links as rows', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/setting?tab=ratio');
    const group = page.getByRole('region', { name: '分组设置' });
    await group.getByLabel('分组倍率：新条目').fill('team');
    await group.getByLabel('分组倍率：新条目').press('Enter');
    await group.getByLabel('team 倍率').fill('abc');
    await group.getByText('请输入数字').waitFor();
    await group.getByLabel('team 倍率').fill('0.5');
    await group.getByRole('button', { name: '移除 svip' }).first().click();
    await group.getByLabel('各分组的路由策略：新条目').fill('vip');
    await group.getByLabel('各分组的路由策略：新条目').press('Enter');
    await group.getByLabel('vip 路由策略').selectOption('成本最低优先');
    await saveChanges(page);
    await page.getByText('保存成功').waitFor();
    expect(stored('GroupRatio')).toEqual({ default: 1, vip: 1, team: 0.5 });
    expect(stored('GroupRoutingStrategy')).toEqual({ vip: 'price' });
    await place(page, '运营设置').click();
    const chat = page.getByRole('region', { name: '聊天设置' });
    await chat.getByLabel('聊天链接：新条目').fill('Studio');
    await chat.getByRole('button', { name: '添加到“聊天链接”' }).click();
    await chat.getByLabel('Studio 链接模板').fill('https://chat.example.com/?key={key}');
    await saveChanges(page);
    await expect.poll(() => stored('Chats')).toEqual([{ Studio: 'https://chat.example.com/?key={key}' }]);
    expectNoProblems();
    await close();
  });

  it('fits rows of many values onto a phone', async () => {
    await gateway.setOption('LongPromptRatio', '{"long-model":{"above":200000,"prompt":2,"completion":1.5}}');
    const { page, open, inspect, close } = await browser.visit({ as: 'root', width: 390 });
    await open('/setting?tab=ratio');
    for (const name of ['移除 vip', '移除 long-model']) {
      const box = await page.getByRole('button', { name, exact: true }).first().boundingBox();
      expect(box && box.x + box.width).toBeLessThan(390);
    }
    await page.getByRole('region', { name: '长提示计价' }).scrollIntoViewIfNeeded();
    await inspect('setting-long-prompt-390');
    await close();
  });

  it('A-087 A-088 A-089 A-131 A-169 A-170 A-171 edits prices in a table, ten rows at a time', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/setting?tab=ratio');
    const card = page.getByRole('region', { name: '模型价格与倍率' });
    await card.getByRole('tab', { name: '可视化编辑' }).click();
    await expect.poll(() => card.getByRole('row').count()).toBe(11);
    await card.getByRole('button', { name: '添加模型' }).click();
    const dialog = page.getByRole('dialog', { name: '添加模型' });
    await dialog.getByLabel('模型名称').fill('gpt-4o');
    await dialog.getByLabel('固定价格').fill('x');
    await dialog.getByRole('button', { name: '添加' }).click();
    await dialog.getByText('模型名称已存在').waitFor();
    await dialog.getByText('请输入数字').waitFor();
    await dialog.getByLabel('模型名称').fill('our-model');
    await dialog.getByLabel('固定价格').fill('0.02');
    expect(await dialog.getByLabel('模型倍率').isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: '添加' }).click();
    await card.getByLabel('our-model 固定价格').waitFor();
    expect(await card.getByLabel('our-model 模型倍率').isDisabled()).toBe(true);
    await card.getByLabel('搜索模型名称').fill('gpt-4o');
    await card.getByLabel('gpt-4o 模型倍率').fill('1.');
    await card.getByLabel('gpt-4o 模型倍率').pressSequentially('5');
    await card.getByText('$3.00 / 1M').first().waitFor();
    // Another input price leaves the output price alone, whatever is typed on the way.
    await card.getByLabel('搜索模型名称').fill('gpt-4o-mini');
    await card.getByLabel('gpt-4o-mini 模型倍率', { exact: true }).pressSequentially('0');
    await card.getByLabel('gpt-4o-mini 模型倍率', { exact: true }).fill('0.2');
    await expect.poll(() => card.getByLabel(/^gpt-4o-mini .*补全/).inputValue()).toBe('1.5');
    await card.getByText('$0.60 / 1M').first().waitFor();
    // Also where no channel serves the model, and only a rule of its family says what its output costs.
    await card.getByLabel('搜索模型名称').fill('gpt-4');
    expect(await card.getByLabel(/^gpt-4 补全/).inputValue()).toBe('');
    await card.getByLabel('gpt-4 模型倍率', { exact: true }).fill('20');
    await expect.poll(() => card.getByLabel(/^gpt-4 补全/).inputValue()).toBe('1.5');
    await card.getByText('$60.00 / 1M').first().waitFor();
    await saveChanges(page);
    await page.getByText('保存成功').waitFor();
    expect(stored('ModelPrice')).toEqual({ 'our-model': 0.02 });
    expect(stored('ModelRatio')).toEqual({ 'gpt-4': 20, 'gpt-4o': 1.5, 'gpt-4o-mini': 0.2 });
    expect(stored('CompletionRatio')).toMatchObject({ 'gpt-4': 1.5, 'gpt-4o-mini': 1.5 });
    await card.getByRole('button', { name: '添加模型' }).click();
    await dialog.getByLabel('模型名称').fill('other-model');
    await dialog.getByLabel('模型倍率').fill('much');
    await dialog.getByRole('button', { name: '添加' }).click();
    await dialog.getByText('请输入数字').waitFor();
    await dialog.getByLabel('固定价格').fill('0.03');
    await dialog.getByRole('button', { name: '添加' }).click();
    await card.getByLabel('other-model 固定价格').waitFor();
    await page.goto('/setting?tab=operation');
    await page.getByRole('region', { name: '模型价格与倍率' }).waitFor();
    await page.getByRole('region', { name: '分组设置' }).waitFor();
    expectNoProblems();
    await close();
  });

  it('says when the costs of the last week cannot be read, and reads them again', async () => {
    const { page, open, close } = await browser.visit({ as: 'root', language: 'en', expected: /api\/data/ });
    await page.route('**/api/data/?*', (route) =>
      route.fulfill({ status: 429, json: { success: false, message: 'slow down' } }),
    );
    await open('/setting?tab=ratio');
    const card = page.getByRole('region', { name: 'Model prices' });
    await card.getByText('Failed to load the cost of the last 7 days').waitFor();
    await page.unroute('**/api/data/?*');
    await card.getByRole('button', { name: 'Retry' }).click();
    await card.getByText('Failed to load the cost of the last 7 days').waitFor({ state: 'detached' });
    await expect.poll(() => card.getByRole('row').nth(1).getByRole('cell').nth(5).textContent()).toContain('$');
    await close();
  });

  it('edits prices in US dollars, one figure at a time, and rehearses them before they are saved', async () => {
    for (const key of ['ModelRatio', 'CompletionRatio', 'CacheRatio', 'ModelPrice']) await gateway.setOption(key, '{}');
    await gateway.addChannel({ models: 'gpt-4o-mini,house-model' });
    const bill = {
      rates: { modelRatio: 0.075, completionRatio: 4, groupRatio: 1, quotaPerUnit: 500_000, source: 'builtin' },
      usage: { prompt: 1_000_000, completion: 0 },
    };
    const seconds = Math.floor(Date.now() / 1000) - 60;
    const call = { type: 2, created_at: seconds, user_id: gateway.userId, username: 'alice', group: 'default' };
    const row = { ...call, model_name: 'gpt-4o-mini', quota: 75_000, other: JSON.stringify({ bill }) };
    await gateway.app.database.logs.destroy({ where: {} });
    await gateway.app.database.logs.bulkCreate([row, row]);
    const { page, open, expectNoProblems, inspect, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/setting?tab=ratio');
    const card = page.getByRole('region', { name: 'Model prices' });
    const cell = (name: string) => card.getByLabel(name, { exact: true });
    // What channels serve comes first, and of that what is refused for want of a price.
    await expect.poll(() => card.getByRole('row').nth(1).textContent()).toContain('house-model');
    expect(await card.getByRole('row').nth(1).textContent()).toContain('No price');
    expect(await cell('gpt-4o-mini Input / 1M').inputValue()).toBe('0.15');
    expect(await cell('gpt-4o-mini Cached / 1M').inputValue()).toBe('0.075');
    await cell('gpt-4o-mini Input / 1M').fill('');
    await cell('gpt-4o-mini Input / 1M').pressSequentially('0.40');
    await card.getByText('was $0.15').waitFor();
    // Three settings hold it: ratio, output ratio and cache ratio.
    await page.getByText('1 unsaved change:').waitFor();
    expect(await cell('gpt-4o-mini Output / 1M').inputValue()).toBe('0.6');
    expect(await cell('gpt-4o-mini Cached / 1M').inputValue()).toBe('0.075');
    expect(await cell('house-model Output / 1M').isDisabled()).toBe(true);
    await cell('house-model Input / 1M').fill('1');
    await cell('house-model Output / 1M').fill('3');
    await page.getByRole('button', { name: 'Save 2 changes' }).waitFor();
    // Counted by itself: twice a million tokens, at 0.40 instead of 0.15 dollars.
    await card.getByText('The requests of the last 7 days: $0.30 charged, $0.80 at the prices above.').waitFor();
    const line = card.getByRole('row').filter({ hasText: 'gpt-4o-mini' });
    const costs = async () => (await line.getByRole('cell').allTextContents()).slice(5, 7);
    await expect.poll(costs).toEqual(['$0.30', '$0.80']);
    await inspect('setting-dollars');

    await card.getByRole('button', { name: 'Rehearse' }).click();
    const dialog = page.getByRole('dialog', { name: 'Price rehearsal' });
    // Twice a million tokens, at 0.40 instead of 0.15 dollars.
    await dialog.getByRole('row', { name: 'gpt-4o-mini 2 $0.30 $0.80 +$0.50 (+166.7%)' }).waitFor();
    await dialog.getByRole('tab', { name: 'By user (1)' }).click();
    await dialog.getByRole('row', { name: /^alice 2/ }).waitFor();
    await dialog.getByRole('tab', { name: 'Last 30 days' }).click();
    await dialog.getByRole('row', { name: /^gpt-4o-mini 2/ }).waitFor();
    await inspect('setting-rehearsal');
    expect(stored('ModelRatio')).toEqual({});
    // Of the words on its tabs nothing is cut off, and on a phone the new sums stand, too.
    const tab = await dialog
      .getByRole('tab', { name: 'Last 7 days' })
      .locator('.fui-Tab__content')
      .first()
      .boundingBox();
    const title = await dialog.getByRole('heading').boundingBox();
    // The box of the words has two pixels of its own before them.
    expect((tab?.x ?? 0) + 2).toBeGreaterThanOrEqual(title?.x ?? Number.NaN);
    await page.setViewportSize({ width: 390, height: 900 });
    const onPhone = dialog.getByRole('row', { name: 'gpt-4o-mini $0.30 $0.80 +$0.50 (+166.7%)' });
    await onPhone.waitFor();
    const end = await onPhone.boundingBox();
    expect((end?.x ?? 0) + (end?.width ?? Number.NaN)).toBeLessThanOrEqual(390);
    await page.setViewportSize({ width: 1440, height: 900 });
    await dialog.getByRole('button', { name: 'Close' }).click();

    await saveChanges(page);
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(stored('ModelRatio')).toEqual({ 'gpt-4o-mini': 0.2, 'house-model': 0.5 });
    expect(stored('CompletionRatio')).toEqual({ 'gpt-4o-mini': 1.5, 'house-model': 3 });
    expect(stored('CacheRatio')).toMatchObject({ 'gpt-4o-mini': 0.1875 });
    await expect.poll(() => card.getByText('No price', { exact: true }).count()).toBe(0);
    expectNoProblems();
    await close();
  });

  it('A-090 puts model ratios back only when the word is typed', async () => {
    await gateway.setOption('ModelRatio', '{"gpt-4o":9}');
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/setting?tab=ratio');
    await page.getByRole('button', { name: 'Reset model ratios' }).click();
    const dialog = page.getByRole('alertdialog');
    expect(await dialog.getByRole('button', { name: 'Reset model ratios' }).isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('reset');
    await dialog.getByRole('button', { name: 'Reset model ratios' }).click();
    await page.getByText('Model ratios reset').waitFor();
    expect(stored('ModelRatio')).toEqual({});
    expectNoProblems();
    await close();
  });

  it('A-109 A-111 S11 sets secrets without ever reading them, asks before one goes to a new address, and tests the mail', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/setting?tab=system');
    const mail = page.getByRole('region', { name: 'SMTP 邮件设置' });
    await mail.getByRole('button', { name: '发送测试邮件' }).click();
    await page.getByText('请输入邮箱地址！').waitFor();
    await mail.locator('input[name=SMTPServer]').fill('127.0.0.1');
    await mail.locator('input[name=SMTPPort]').fill(String(mails.port));
    await mail.locator('input[name=SMTPFrom]').fill('gateway@example.com');
    await mail.locator('input[name=SMTPToken]').fill('a secret');
    await saveChanges(page);
    await mail.getByText('已设置').waitFor();
    expect(await page.content()).not.toContain('a secret');
    await mail.getByLabel(/^收件人/).fill('ops@example.com');
    await mail.getByRole('button', { name: '发送测试邮件' }).click();
    expect((await mails.take('ops@example.com')).subject).toContain('测试邮件');
    await page.getByText('测试邮件已发送至 ops@example.com').waitFor();

    await mail.locator('input[name=SMTPServer]').fill('localhost');
    await saveChanges(page);
    await page.getByRole('alertdialog').getByRole('button', { name: '保留密钥并保存' }).click();
    await expect.poll(() => stored('SMTPServer' as 'SystemName')).toBe('localhost');
    expect(stored('SMTPToken')).toBe('a secret');
    await mail.getByRole('button', { name: '替换“SMTP 密码”' }).click();
    await mail.locator('input[name=SMTPToken]').fill('another');
    await saveChanges(page);
    await expect.poll(() => stored('SMTPToken')).toBe('another');
    expectNoProblems();
    await close();
  });

  it('A-108 A-150 A-165 A-173 warns before password sign-in goes, wants a server address before payment, edits domains as tags', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/setting?tab=system');
    const signIn = page.getByRole('region', { name: '登录与注册' });
    await signIn.getByRole('switch', { name: '密码登录' }).click();
    await saveChanges(page);
    const dialog = page.getByRole('alertdialog', { name: '确定要关闭密码登录吗？' });
    await dialog.getByRole('button', { name: '取消' }).click();
    expect(stored('PasswordLoginEnabled')).toBe(true);
    await page.getByRole('button', { name: '撤销修改' }).click();
    expect(await signIn.getByRole('switch', { name: '密码登录' }).isChecked()).toBe(true);

    const payment = page.getByRole('region', { name: '支付设置' });
    await payment.locator('input[name=EpayId]').fill('1000');
    await saveChanges(page);
    await page.getByText('请先填写服务器地址').waitFor();
    await payment.locator('textarea[name=TopupGroupRatio]').fill('{');
    await saveChanges(page);
    await page.getByText(/充值分组倍率不是合法的 JSON 字符串/).waitFor();
    await page.getByRole('button', { name: '撤销修改' }).click();
    await page.getByRole('alertdialog', { name: '撤销全部修改？' }).getByRole('button', { name: '撤销修改' }).click();
    await expect.poll(() => payment.locator('input[name=EpayId]').inputValue()).toBe('');

    // Both in one go: the address is set when the payment is.
    await page.locator('input[name=ServerAddress]').fill('https://gate.example.com/');
    await payment.locator('input[name=EpayId]').fill('1000');
    await saveChanges(page);
    await expect.poll(() => stored('EpayId' as 'SystemName')).toBe('1000');
    expect(stored('ServerAddress')).toBe('https://gate.example.com');
    await expect.poll(() => page.locator('input[name=ServerAddress]').inputValue()).toBe('https://gate.example.com');
    for (const name of ['ServerAddress', 'EpayId']) await page.locator(`input[name=${name}]`).fill('');
    await saveChanges(page);
    await expect.poll(() => stored('ServerAddress')).toBe('');

    const email = page.getByRole('region', { name: '邮箱限制' });
    const domain = email.getByLabel('邮箱域名白名单', { exact: true }).first();
    await domain.fill('example.com');
    await domain.press('Enter');
    for (const known of ['gmail.com', 'GMail.com']) {
      await domain.fill(known);
      await domain.press('Enter');
    }
    await saveChanges(page);
    await expect.poll(() => stored('EmailDomainWhitelist').at(-1)).toBe('example.com');
    expect(new Set(stored('EmailDomainWhitelist')).size).toBe(stored('EmailDomainWhitelist').length);
    expectNoProblems();
    await close();
  });

  it('A-122 A-123 A-124 A-125 A-126 A-127 S16 saves each text alone with words of its own, and shows what becomes of it', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/setting?tab=other');
    await page.locator('input[name=SystemName]').fill('我的网关');
    await page.getByRole('button', { name: '保存“系统名称”' }).click();
    await page.getByText('系统名称已更新').waitFor();
    await page.waitForFunction(() => document.title.includes('我的网关'));
    await page.locator('textarea[name=Notice]').fill('# 维护\n<script>window.hacked = 1</script>');
    await page.getByLabel('预览“公告”').click();
    await page.getByRole('heading', { name: '维护' }).waitFor();
    await page.getByRole('button', { name: '保存“公告”' }).click();
    await page.getByText('公告已更新').waitFor();
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    for (const [key, text, save, done] of [
      ['Logo', '/favicon.svg?ours', '保存“Logo”', 'Logo 已更新'],
      ['HomePageContent', '# Ours', '保存“首页内容”', '首页内容已更新'],
      ['About', '# Us', '保存“关于页面”', '关于已更新'],
      ['Footer', '<b>Below</b>', '保存“页脚”', '页脚内容已更新'],
    ] as const) {
      await page.locator(`[name=${key}]`).fill(text);
      await page.getByRole('button', { name: save }).click();
      await page.getByText(done).waitFor();
      expect(stored(key as 'SystemName')).toBe(text);
    }
    await page.locator('header img[src="/favicon.svg?ours"]').waitFor();
    await page.locator('footer').getByText('Below').waitFor();
    expectNoProblems();
    await close();
  });

  it('A-073 A-172 clears old log rows after a time and a word', async () => {
    await gateway.addChannel();
    await gateway.chat();
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/setting?tab=operation');
    const log = page.getByRole('region', { name: '日志设置' });
    await log.getByRole('button', { name: '清理日志' }).click();
    await page.getByText('请选择日志记录时间！').waitFor();
    await log.getByLabel('清理此时间之前的日志').fill('2020-01-01T00:00');
    await log.getByRole('button', { name: '清理日志' }).click();
    const dialog = page.getByRole('alertdialog', { name: '清理历史日志' });
    await dialog.getByRole('textbox').fill('清理');
    await dialog.getByRole('button', { name: '清理日志' }).click();
    await page.getByText('0 条日志已清理！').waitFor();
    expectNoProblems();
    await close();
  });

  it('finds settings of every tab by name, and keeps what was typed when a save fails', async () => {
    const { page, open, inspect, close } = await browser.visit({ as: 'root', language: 'en', expected: /429/ });
    await open('/setting?tab=operation');
    await page.getByRole('searchbox', { name: 'Search settings' }).fill('smtpport');
    await page.getByRole('heading', { name: 'System', exact: true }).waitFor();
    await expect.poll(() => page.locator('form input[name]').count()).toBe(1);
    await inspect('setting-search');
    await page.route('**/api/option/batch', (route) =>
      route.fulfill({ status: 429, json: { success: false, message: '' }, headers: { 'retry-after': '1' } }),
    );
    await page.locator('input[name=SMTPPort]').fill('465');
    await saveChanges(page);
    await page.getByText('Too many requests. Try again in 1 s.').waitFor();
    expect(await page.locator('input[name=SMTPPort]').inputValue()).toBe('465');
    await page.getByRole('searchbox', { name: 'Search settings' }).fill('no such thing');
    await page.getByText('No matches').waitFor();
    await close();
  });

  it('says who changed a setting meanwhile, shows the difference, and keeps both edits or takes the other one over', async () => {
    const { options } = gateway.app.services;
    const alice = { id: 2, role: 100, name: 'alice', address: '' };
    await options.set(alice, 'GroupRatio', '{"default":1,"vip":1}');
    const { page, open, close } = await browser.visit({ as: 'root', language: 'en' });
    const card = page.getByRole('region', { name: 'Groups', exact: true });
    const edit = async (change: object, theirs: object) => {
      await open('/setting?tab=ratio');
      await card.getByRole('tab', { name: 'JSON' }).click();
      await options.set(alice, 'GroupRatio', JSON.stringify(theirs));
      await card.locator('textarea[name=GroupRatio]').fill(JSON.stringify(change));
      await saveChanges(page);
    };
    const dialog = page.getByRole('alertdialog', { name: 'Another user changed this' });

    await edit({ default: 1, vip: 1, mine: 2 }, { default: 1, vip: 1, gold: 3 });
    await dialog.getByText(/changed by alice/).waitFor();
    expect(stored('GroupRatio')).not.toHaveProperty('mine');
    await dialog.getByRole('button', { name: 'See the difference' }).click();
    await dialog.getByRole('rowheader', { name: 'gold' }).waitFor();
    await dialog.getByRole('button', { name: 'Save mine on top' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => stored('GroupRatio')).toEqual({ default: 1, vip: 1, gold: 3, mine: 2 });

    await edit({ default: 9 }, { default: 5 });
    await dialog.getByRole('button', { name: 'Load theirs' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(JSON.parse(await card.locator('textarea[name=GroupRatio]').inputValue())).toEqual({ default: 5 });
    expect(stored('GroupRatio')).toEqual({ default: 5 });
    await close();
    await options.reset(alice, 'GroupRatio');
  });

  it('A-048 A-049 a user sees the own tab alone', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice' });
    await open('/setting?tab=system');
    expect(await place(page, '系统设置').count()).toBe(0);
    expect(await page.locator('input[name=SMTPServer]').count()).toBe(0);
    expectNoProblems();
    await close();
  });

  it.each(['operation', 'ratio', 'system', 'other'])('looks right and is accessible: %s', async (tab) => {
    const visit = await browser.visit({ as: 'root' });
    const scroll = async (page: Page) => {
      await page.locator('h2').nth(1).scrollIntoViewIfNeeded();
      await page.mouse.wheel(0, 500);
    };
    await visit.inspectAll(`/setting?tab=${tab}`, `setting-${tab}`, tab === 'ratio' ? scroll : undefined);
    await visit.close();
  });

  it('the audit log shows who changed what, to root', async () => {
    await gateway.app.services.options.set({ id: 1, role: 100, name: 'root' } as never, 'RetryTimes', '3');
    const visit = await browser.visit({ as: 'root' });
    await visit.inspectAll('/audit?action=option.set', 'audit');
    const { page } = visit;
    // The last look was English, which the server's sentences follow.
    await page.getByText('root changed the setting RetryTimes').first().waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Show change' }).first().click();
    await page.getByRole('dialog').getByText('"value": "3"').waitFor();
    await visit.inspect('audit-change');
    await visit.close();
  });
});

/** In the upper half, where one reads. */
const isInView = (element: Element): boolean => {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 100 && top < innerHeight / 2;
};
