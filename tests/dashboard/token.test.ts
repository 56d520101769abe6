import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

describe('the token page', () => {
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

  const tokensOf = (userId: number) =>
    gateway.app.database.tokens.findAll({
      where: { user_id: userId, deleted_at: null },
      order: [['id', 'ASC']],
      raw: true,
    });

  const focused = (place: Locator) =>
    expect.poll(() => place.evaluate((element) => element === document.activeElement)).toBe(true);

  it('is in the order of the column whose header is pressed, up, down and as before, and the address keeps it', async () => {
    const owner = await gateway.addUser('sorter', 1_000_000);
    for (const name of ['beta', 'alpha', 'gamma']) await gateway.addToken(owner, { name });
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'sorter' });
    await open('/token');
    const names = () => page.locator('[role=gridcell] > [title]:has(a)').allTextContents();
    const header = page.getByRole('columnheader', { name: '名称' });
    await expect.poll(names).toEqual(['gamma', 'alpha', 'beta']);
    await header.getByRole('button').click();
    await expect.poll(names).toEqual(['alpha', 'beta', 'gamma']);
    expect(await header.getAttribute('aria-sort')).toBe('ascending');
    await header.getByRole('button').click();
    await expect.poll(names).toEqual(['gamma', 'beta', 'alpha']);
    expect(await header.getAttribute('aria-sort')).toBe('descending');
    expect(new URL(page.url()).searchParams.get('sort')).toBe('-name');
    await page.reload();
    await expect.poll(names).toEqual(['gamma', 'beta', 'alpha']);
    await header.getByRole('button').click();
    await expect.poll(names).toEqual(['gamma', 'alpha', 'beta']);
    expect(page.url()).not.toContain('sort');
    expect(await page.getByRole('columnheader', { name: '密钥' }).getByRole('button').count()).toBe(0);
    expectNoProblems();
    await close();
  });

  it('G-010 G-073 G-074 G-075 G-076 G-077 G-132 G-157 G-245 G-249 G-250 makes, changes, disables, takes back and deletes a token', async () => {
    const owner = await gateway.addUser('maker', 1_000_000);
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'maker' });
    await open('/token');
    await page.getByText('还没有令牌').waitFor();
    await page.getByText(/您的余额，请勿泄露密钥。令牌额度用尽时，.*可能会略微超出/).waitFor();
    await page.getByRole('button', { name: '添加令牌' }).first().click();
    const models = page.getByRole('combobox', { name: '可用模型' });
    expect(await models.isDisabled()).toBe(true);
    await page.getByText('限制可用模型').click();
    await expect.poll(() => models.isEnabled()).toBe(true);
    await page.getByText('限制可用模型').click();
    await page.getByRole('button', { name: '创建', exact: true }).click();
    await page.getByText('此项必填').first().waitFor();
    await page.locator('input[name=name]').fill('ci');
    await page.getByRole('button', { name: '$10.00', exact: true }).click();
    await page.getByText('5,000,000 单位').waitFor();
    await page.locator('input[name=expires]').fill('tomorrow');
    await page.locator('input[name=count]').fill('2');
    await page.getByText('过期时间格式错误！').first().waitFor();
    await page.getByRole('button', { name: '1 天', exact: true }).click();
    await page.getByRole('button', { name: '创建', exact: true }).click();
    await page.getByText('令牌创建成功，请在列表页面点击复制获取令牌！').waitFor();
    // The key is there at once.
    const shown = page.getByRole('dialog', { name: '令牌“ci”的密钥' });
    await shown.getByRole('button', { name: '复制密钥' }).click();
    await page.getByText('已复制到剪贴板').first().waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/^sk-[0-9A-Za-z]{48}$/);
    expect(await shown.getByLabel('密钥', { exact: true }).inputValue()).toBe(copied);
    await shown.getByRole('button', { name: '关闭' }).click();
    // The keyboard goes on where it was.
    await focused(page.getByRole('button', { name: '添加令牌' }));
    const made = await tokensOf(owner);
    expect(made.map(({ name }) => name)).toEqual(['ci', expect.stringMatching(/^ci-[0-9A-Za-z]{6}$/)]);
    expect(made.map(({ remain_quota }) => remain_quota)).toEqual([5_000_000, 5_000_000]);

    const row = page.getByRole('row').filter({ has: page.getByRole('gridcell', { name: 'ci', exact: true }) });
    await row.getByRole('button', { name: '复制密钥' }).click();
    await page.getByText('已复制到剪贴板').first().waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(copied);

    await row.getByRole('button', { name: '编辑' }).click();
    await page.getByRole('button', { name: '保存' }).click();
    await page.getByText('没有任何修改！').waitFor();
    await page.getByText('无限额度').click();
    expect(await page.locator('input[name=remain_quota]').isDisabled()).toBe(true);
    await page.getByRole('button', { name: '保存' }).click();
    await page.getByText('令牌更新成功！').waitFor();
    await row.getByText('不限额').waitFor();
    await focused(row.getByRole('button', { name: '编辑' }));

    await row.getByRole('button', { name: '更多操作' }).click();
    await page.getByRole('menuitem', { name: '禁用' }).click();
    await row.getByText('已禁用').waitFor();
    await page.getByText('撤销').click();
    await row.getByText('已启用').waitFor();
    await focused(row.getByRole('button', { name: '更多操作' }));

    await row.getByRole('button', { name: '更多操作' }).click();
    await page.getByRole('menuitem', { name: '删除' }).click();
    await page.getByRole('button', { name: '删除令牌“ci”' }).click();
    await page.getByText('操作成功完成！').waitFor();
    await expect.poll(() => row.count()).toBe(0);
    const [left] = await tokensOf(owner);
    await focused(page.getByRole('button', { name: `“${left?.name}”的更多操作` }));
    expect((await tokensOf(owner)).length).toBe(1);
    expectNoProblems();
    await close();
  });

  it('G-160 G-235 G-257 G-258 G-260 G-261 offers the usual quotas, times and counts, those of quota and count while there is a limit', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice', setsClock: true });
    const at = new Date(2027, 0, 31, 12, 0, 0);
    await page.clock.setFixedTime(at);
    await page.route('**/api/user/self/groups', (route) =>
      route.fulfill({ json: { success: true, message: '', data: {} } }),
    );
    await open('/token');
    await page.getByRole('button', { name: '添加令牌' }).first().click();
    const [quota, count] = [page.locator('input[name=remain_quota]'), page.locator('input[name=count]')];
    expect(await quota.inputValue()).toBe('1');
    await page.getByText('500,000 单位').waitFor();
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    for (const dollars of [1, 10, 50, 100, 500, 1000]) {
      await press(`$${dollars.toLocaleString('en')}.00`);
      await page.getByText(`${(dollars * 500_000).toLocaleString('en')} 单位`).waitFor();
    }
    for (const number of [10, 20, 30, 100]) {
      await press(`${number} 个`);
      expect(await count.inputValue()).toBe(String(number));
    }
    const times = { '1 小时': '2027-01-31 13', '1 天': '2027-02-01 12', '1 个月': '2027-03-02 12' };
    for (const [name, time] of Object.entries(times)) {
      await press(name);
      expect(await page.locator('input[name=expires]').inputValue()).toBe(`${time}:00:00`);
    }
    await press('永不过期');
    expect(await page.locator('input[name=expires]').inputValue()).toBe('');
    await page.getByText('管理员未设置用户可选分组').waitFor();
    await quota.fill('');
    await count.fill('');
    await page.getByText('无限额度').click();
    for (const field of [quota, count]) expect(await field.isDisabled()).toBe(true);
    for (const name of ['$10.00', '20 个'])
      expect(await page.getByRole('button', { name, exact: true }).isDisabled()).toBe(true);
    await page.locator('input[name=name]').fill('endless');
    await press('创建');
    await page.getByText('令牌创建成功，请在列表页面点击复制获取令牌！').waitFor();
    expectNoProblems();
    await close();
  });

  it('G-163 G-230 says what is missing: a selection, a chat link; search and page are in the address', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice' });
    await open('/token');
    await page.getByText('可能会略微超出').waitFor();
    await page.getByRole('button', { name: '复制所选令牌' }).click();
    await page.getByText('请至少选择一个令牌！').waitFor();
    await page.getByRole('button', { name: '“test”的更多操作' }).click();
    await page.getByRole('menuitem', { name: '聊天' }).click();
    await page.getByText('请联系管理员配置聊天链接').waitFor();
    await page.getByPlaceholder('按名称搜索').fill('no such name');
    await page.getByText('没有符合条件的内容').waitFor();
    expect(new URL(page.url()).searchParams.get('keyword')).toBe('no such name');
    await page.getByRole('button', { name: '清除筛选' }).click();
    await page.getByRole('gridcell', { name: 'test', exact: true }).waitFor();
    expectNoProblems();
    await close();
  });

  it('switches the marked tokens off and back on, and deletes them', async () => {
    const id = await gateway.addUser('bulky', 0);
    for (const name of ['one', 'two', 'old']) await gateway.addToken(id, { name });
    await gateway.app.database.tokens.update({ status: 3, expired_time: 1 }, { where: { user_id: id, name: 'old' } });
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'bulky' });
    await open('/token');
    const statuses = async () => (await tokensOf(id)).map(({ status }) => status).sort();
    const mark = (name: string) => page.getByRole('checkbox', { name: `选择“${name}”` }).click();
    await mark('one');
    await mark('two');
    await page.getByRole('button', { name: '禁用所选令牌' }).click();
    await page.getByText('已禁用 2 个令牌').waitFor();
    expect(await statuses()).toEqual([2, 2, 3]);
    await mark('old');
    await page.getByRole('button', { name: '启用所选令牌' }).click();
    await page.locator('.fui-Toast').filter({ hasText: 'old' }).waitFor();
    expect(await statuses(), 'all or none').toEqual([2, 2, 3]);
    await mark('old');
    await page.getByRole('button', { name: '启用所选令牌' }).click();
    await page.getByText('已启用 2 个令牌').waitFor();
    expect(await statuses()).toEqual([1, 1, 3]);
    await page.getByRole('button', { name: '删除所选令牌' }).click();
    const question = page.getByRole('alertdialog', { name: '删除 2 个令牌' });
    await question.getByRole('textbox').fill('删除');
    await question.getByRole('button', { name: '删除所选令牌' }).click();
    await page.getByText('已删除 2 个令牌').waitFor();
    expect(await statuses()).toEqual([3]);
    expectNoProblems();
    await close();
  });

  it('marks all rows on a phone, goes back to the first page, and does not overwrite what another tab saved', async () => {
    const id = await gateway.addUser('pocket', 0);
    for (let number = 1; number <= 21; number++) await gateway.addToken(id, { name: `token ${number}` });
    const { page, open, expectNoProblems, close } = await browser.visit({
      as: 'pocket',
      language: 'en',
      width: 390,
      expected: /409/,
    });
    await open('/token?p=3');
    await page.getByRole('button', { name: 'First page' }).click();
    await page.getByText('token 21', { exact: true }).waitFor();
    const all = page.getByRole('checkbox', { name: 'Select all on this page' });
    await all.click();
    await page.getByText('10 selected').waitFor();
    await all.click();
    await page.getByText('10 selected').waitFor({ state: 'detached' });
    const [first] = await tokensOf(id);
    await open(`/token/${first?.id}?tab=settings`);
    await page.locator('input[name=name]').fill('mine');
    await gateway.app.database.tokens.update({ name: 'theirs', allow_ips: '10.0.0.1' }, { where: { id: first?.id } });
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await save.click();
    const question = page.getByRole('alertdialog');
    await question.getByText('Name is now: theirs').waitFor();
    await question.getByRole('button', { name: 'Load current values' }).click();
    await expect.poll(() => page.locator('textarea[name=allow_ips]').inputValue()).toBe('10.0.0.1');
    await save.click();
    await page.getByText('Token updated.').waitFor();
    expect((await tokensOf(id))[0]).toMatchObject({ name: 'mine', allow_ips: '10.0.0.1' });
    expectNoProblems();
    await close();
  });

  it('asks before a changed form is closed, and forgets nothing when the server refuses', async () => {
    const { page, open, close } = await browser.visit({ as: 'alice', language: 'en', expected: /request:|503/ });
    await open('/token');
    await page.getByRole('button', { name: 'Add token' }).first().click();
    await page.locator('input[name=name]').fill('kept');
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog', { name: 'Discard changes?' }).waitFor();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
    await page.route('**/api/token/', (route) => route.abort());
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('Unable to connect to server').first().waitFor();
    expect(await page.locator('input[name=name]').inputValue()).toBe('kept');
    await close();
  });

  it('adds to the quota once when an edit is saved again after a lost response', async () => {
    await gateway.addToken(gateway.userId, { name: 'lost', remain_quota: 500_000, unlimited_quota: false });
    const { page, open, close } = await browser.visit({ as: 'alice', language: 'en' });
    await open('/token');
    await page.getByRole('row').filter({ hasText: 'lost' }).getByRole('button', { name: 'Edit' }).click();
    await page.locator('input[name=remain_quota]').fill('3');
    await page.route(
      '**/api/token/',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    const save = () => page.getByRole('button', { name: 'Save', exact: true }).click();
    const quota = async () => (await gateway.app.database.tokens.findOne({ where: { name: 'lost' } }))?.remain_quota;
    await save();
    await page.getByText('Unable to connect to server').first().waitFor();
    expect(await quota()).toBe(1_500_000);
    await save();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await quota()).toBe(1_500_000);
    await close();
  });

  it('looks right in every look and is accessible', { timeout: 180_000 }, async () => {
    await gateway.addToken(gateway.userId, { name: '正式环境', remain_quota: 25_000_000, unlimited_quota: false });
    const visit = await browser.visit({ as: 'alice' });
    await visit.inspectAll('/token', 'token');
    expect(await visit.page.title()).toContain('Tokens');
    await visit.close();
  });

  it('the form looks right in every look and is accessible', { timeout: 180_000 }, async () => {
    const visit = await browser.visit({ as: 'alice' });
    await visit.inspectAll('/token', 'token-editor', async (page, { language }) => {
      const name = language === 'zh' ? '添加令牌' : 'Add token';
      await page.getByRole('button', { name }).first().click();
      await page.getByRole('dialog').waitFor();
    });
    await visit.close();
  });
});
