import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../core/schemas/actor.ts';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser, testPassword } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

/** The machine may be busy. */
const patience = { timeout: 60_000 };

describe('the users page', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;
  const users = () => gateway.app.database.users;
  const rowOf = (username: string) => users().findOne({ where: { username }, raw: true });

  beforeAll(async () => {
    gateway = await startConsoleGateway();
    browser = await openConsoleBrowser(gateway.url);
    const { services } = gateway.app;
    for (const name of ['bob', 'carol', 'dave', 'erin']) await gateway.addUser(name, 2_500_000);
    const manage = async (name: string, action: 'promote' | 'delete' | 'disable') =>
      services.users.manage(systemActor, { id: (await rowOf(name))?.id ?? 0, action });
    await users().update({ display_name: 'root' }, { where: { username: 'root' } });
    await manage('carol', 'promote');
    await manage('dave', 'delete');
    await manage('erin', 'disable');
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  const line = (page: import('playwright-core').Page, name: string) =>
    page.getByRole('row').filter({ has: page.locator(`[title="${name}"]`) });

  it('A-020 A-042 A-043 A-044 A-046 G-013 shows every account in every look and is accessible', async () => {
    const visit = await browser.visit({ as: 'root' });
    const { page } = visit;
    await visit.open('/user');
    expect(await page.locator('h1').textContent()).toBe('管理用户');
    expect(await page.getByRole('columnheader').allTextContents()).toEqual([
      'ID',
      '用户名',
      '分组',
      '统计信息',
      '邀请信息',
      '角色',
      '状态',
      '操作',
    ]);
    const alice = await line(page, 'alice').textContent();
    expect(alice).toContain('$20.00');
    expect(alice).toContain('邀请人 无');
    expect(await line(page, 'dave').textContent()).toContain('已注销');
    expect(await line(page, 'dave').getByRole('button').count()).toBe(0);
    expect(await line(page, 'root').textContent()).toContain('超级管理员');
    await visit.inspectAll('/user', 'user');
    await visit.close();
  });

  it('switches the marked accounts off and back on, deactivates them, and changes none when one may not be changed', async () => {
    for (const name of ['mia', 'noah']) await gateway.addUser(name, 0);
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/user');
    await page.getByRole('button', { name: '注销所选用户' }).click();
    await page.getByText('请至少选择一个用户！').waitFor();
    const mark = (name: string) => page.getByRole('checkbox', { name: `选择“${name}”` }).click();
    await mark('mia');
    await mark('noah');
    await page.getByRole('button', { name: '禁用所选用户' }).click();
    const toast = page.locator('.fui-Toast').filter({ hasText: '已禁用 2 个用户' });
    await toast.waitFor();
    const statuses = async () => [(await rowOf('mia'))?.status, (await rowOf('noah'))?.status];
    expect(await statuses()).toEqual([2, 2]);
    await toast.getByRole('button', { name: '撤销' }).click();
    await expect.poll(statuses, patience).toEqual([1, 1]);
    await mark('root');
    await page.getByRole('button', { name: '禁用所选用户' }).click();
    await page.locator('.fui-Toast').filter({ hasText: 'root' }).waitFor();
    expect(await statuses()).toEqual([1, 1]);
    await mark('root');
    await page.getByRole('button', { name: '注销所选用户' }).click();
    const question = page.getByRole('alertdialog', { name: '注销 2 个用户' });
    await question.getByRole('textbox').fill('注销');
    await question.getByRole('button', { name: '注销所选用户' }).click();
    await page.getByText('已注销 2 个用户').waitFor();
    expect((await rowOf('mia'))?.deleted_at).toBeGreaterThan(0);
    expect((await rowOf('noah'))?.deleted_at).toBeGreaterThan(0);
    expectNoProblems();
    await close();
  });

  it('A-246 shows the form in every look, and is accessible', async () => {
    const visit = await browser.visit({ as: 'root' });
    await visit.inspectAll('/user?edit=2', 'user-editor', (one) => one.getByRole('dialog').waitFor());
    await visit.close();
  });

  it('A-041 A-151 A-183 A-238 adds an account, and says what is missing', async () => {
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/user/add');
    await page.getByRole('dialog').getByRole('button', { name: '创建', exact: true }).click();
    await expect.poll(() => page.getByText('用户名和密码不能为空').count(), patience).toBeGreaterThan(1);
    await inspect('user-adder-errors');
    await page.locator('input[name=username]').fill('frank');
    await page.locator('input[name=password]').fill(testPassword);
    await page.getByRole('dialog').getByRole('button', { name: '创建', exact: true }).click();
    await page.getByText('用户账户创建成功！').waitFor();
    await line(page, 'frank').waitFor();
    expect(await rowOf('frank')).toMatchObject({ role: 1, status: 1 });
    expectNoProblems();
    await close();
  });

  it('A-179 A-180 G-013 sends only what was changed, and books the difference of the quota', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    const bob = await rowOf('bob');
    await open(`/user/edit/${bob?.id}`);
    expect(await page.locator('input[name=password]').inputValue()).toBe('');
    expect(await page.getByLabel('GitHub').isEditable()).toBe(false);
    await page.getByRole('button', { name: '保存' }).click();
    await page.getByText('没有任何修改！').waitFor();
    await page.locator('input[name=username]').fill('');
    await page.getByRole('button', { name: '保存' }).click();
    await page.getByText('此项必填').waitFor();
    await page.locator('input[name=username]').fill('bob');
    await page.locator('input[name=quota]').fill('');
    await page.getByRole('button', { name: '保存' }).click();
    await page.getByText('请输入额度').first().waitFor();
    // A call of the user is booked while the form is open.
    await gateway.app.services.users.adjustQuota(systemActor, { id: bob?.id ?? 0, amount: -1000, note: '' });
    await page.locator('input[name=quota]').fill('6');
    await page.getByText('3,000,000 单位').waitFor();
    await page.locator('input[name=display_name]').fill('Bob B');
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await page.getByRole('button', { name: '保存' }).click();
    expect((await sent).postDataJSON()).toEqual({
      id: bob?.id,
      display_name: 'Bob B',
      quota: 3_000_000,
      quota_loaded: 2_500_000,
      quota_key: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
      loaded: { display_name: bob?.display_name },
    });
    await page.getByText('用户信息更新成功！').waitFor();
    expect(await rowOf('bob')).toMatchObject({ quota: 2_999_000, display_name: 'Bob B' });
    await gateway.verifyBooks();
    expectNoProblems();
    await close();
  });

  it('adds credit in dollars, shows the new balance first, and says what is wrong with an amount', async () => {
    await gateway.addUser('wendy', 1_250_000);
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/user');
    await line(page, 'wendy').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Add credit' }).click();
    const drawer = page.getByRole('dialog', { name: 'Add credit to “wendy”' });
    const add = () => drawer.getByRole('button', { name: 'Add credit', exact: true }).click();
    await add();
    await drawer.getByText('Enter an amount.').first().waitFor();
    await drawer.locator('input[name=amount]').fill('0.0000001');
    await drawer.getByText('less than one quota unit').first().waitFor();
    // Millions are read in groups of three.
    await drawer.locator('input[name=amount]').fill('1234567');
    await drawer.getByText('$1,234,569.50').waitFor();
    await drawer.locator('input[name=amount]').fill('7.5');
    await drawer.getByText('3,750,000 units').waitFor();
    await drawer.locator('input[name=note]').fill('paid by transfer');
    await drawer.getByText('$10.00').waitFor();
    await inspect('user-credit');
    expect((await rowOf('wendy'))?.quota).toBe(1_250_000);
    await add();
    await page.locator('.fui-Toast').filter({ hasText: 'Balance of “wendy”: $10.00' }).waitFor();
    await line(page, 'wendy').getByText('$10.00').waitFor();
    expect((await rowOf('wendy'))?.quota).toBe(5_000_000);
    await gateway.verifyBooks();
    expectNoProblems();
    await close();
  });

  it('A-045 A-139 A-141 A-142 bans and promotes from the row, with a way back, and reads nothing again', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/user');
    let reads = 0;
    page.on('request', (request) => {
      if (request.method() === 'GET' && request.url().includes('/api/user/?')) reads++;
    });
    await line(page, 'bob').getByRole('button', { name: '禁用' }).click();
    await line(page, 'bob').getByText('已封禁').waitFor();
    await page.getByRole('button', { name: '撤销' }).click();
    await line(page, 'bob').getByText('已激活').waitFor();

    await line(page, 'bob').getByRole('button', { name: '更多操作' }).click();
    await page.getByRole('menuitem', { name: '提升为管理员' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: '提升为管理员' }).click();
    await line(page, 'bob').getByText('管理员', { exact: true }).waitFor();
    await line(page, 'bob').getByRole('button', { name: '更多操作' }).click();
    await page.getByRole('menuitem', { name: '降级为普通用户' }).click();
    await line(page, 'bob').getByText('普通用户').waitFor();
    expect(reads).toBe(0);
    expect(await rowOf('bob')).toMatchObject({ role: 1, status: 1 });
    expectNoProblems();
    await close();
  });

  it('A-045 deactivates an account after a question that names it', async () => {
    await gateway.addUser('gone', 0);
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/user');
    await line(page, 'gone').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Deactivate' }).click();
    const question = page.getByRole('alertdialog', { name: 'Deactivate user “gone”' });
    await question.waitFor();
    await inspect('user-deactivate');
    await question.getByRole('button', { name: 'Deactivate user “gone”' }).click();
    await line(page, 'gone').getByText('Deactivated').waitFor();
    expect(await line(page, 'gone').getByRole('button').count()).toBe(0);
    expectNoProblems();
    await close();
  });

  it('A-024 A-182 shows an admin no action on equals, and a user no page at all', async () => {
    const admin = await browser.visit({ as: 'carol' });
    await admin.open('/user');
    // The links to settings are root's, and so is what stands between them.
    expect(await admin.page.locator('h1 + *').textContent()).toBe('所有账户：额度、分组、角色与状态。');
    expect(await line(admin.page, 'root').getByRole('button').count()).toBe(0);
    expect(await line(admin.page, 'carol').getByRole('button').count()).toBe(0);
    await line(admin.page, 'erin').getByRole('button', { name: '启用' }).waitFor();
    await line(admin.page, 'bob').getByRole('button', { name: '更多操作' }).click();
    expect(await admin.page.getByRole('menuitem').allTextContents()).toEqual([
      '编辑',
      '禁用',
      '增加额度',
      '关闭双因素认证',
      '注销',
    ]);
    admin.expectNoProblems();
    await admin.close();
    const user = await browser.visit({ as: 'bob' });
    await user.open('/user');
    expect(await user.page.locator('h1').textContent()).toBe('没有权限');
    user.expectNoProblems();
    await user.close();
  });

  it('A-040 finds by name and group, keeps both in the address, and says when there is nothing', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/user');
    await page.getByRole('searchbox').fill('ali');
    await expect.poll(() => page.getByRole('row').count(), patience).toBe(2);
    expect(page.url()).toContain('keyword=ali');
    await page.getByRole('combobox', { name: '分组' }).selectOption('vip');
    await page.getByText('没有符合条件的内容').waitFor();
    await page.getByRole('button', { name: '清除筛选' }).click();
    await line(page, 'alice').waitFor();
    expectNoProblems();
    await close();
  });

  it('books an edited balance once when it is saved again after a lost response', async () => {
    await gateway.addUser('victor', 2_500_000);
    const victor = await rowOf('victor');
    const { page, open, close } = await browser.visit({ as: 'root', language: 'en' });
    await open(`/user/edit/${victor?.id}`);
    await page.locator('input[name=quota]').fill('6');
    await page.route(
      '**/api/user/',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    const save = () => page.getByRole('button', { name: 'Save' }).click();
    await save();
    await page.getByText('Unable to connect to server').first().waitFor();
    expect((await rowOf('victor'))?.quota).toBe(3_000_000);
    // A call of the user is booked, and the form reads the account again.
    await gateway.app.services.users.adjustQuota(systemActor, { id: victor?.id ?? 0, amount: -1000, note: '' });
    await save();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await rowOf('victor'))?.quota).toBe(2_999_000);
    await gateway.verifyBooks();
    await close();
  });

  it('adds credit on a page that came without https, where the browser makes no UUID', async () => {
    await gateway.addUser('walter', 0);
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await page.addInitScript(() => Reflect.deleteProperty(Crypto.prototype, 'randomUUID'));
    await open('/user');
    await line(page, 'walter').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Add credit' }).click();
    const drawer = page.getByRole('dialog', { name: 'Add credit to “walter”' });
    await drawer.locator('input[name=amount]').fill('1');
    await drawer.getByRole('button', { name: 'Add credit', exact: true }).click();
    await page.locator('.fui-Toast').filter({ hasText: 'Balance of “walter”: $1.00' }).waitFor();
    expect((await rowOf('walter'))?.quota).toBe(500_000);
    expectNoProblems();
    await close();
  });

  it('A-137 A-138 A-139 names each status, and offers to enable a banned account, but none of status 3', async () => {
    for (const [name, status] of Object.entries({ active: 1, banned: 2, locked: 3 })) {
      const id = await gateway.addUser(name, 0);
      await users().update({ status }, { where: { id } });
    }
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/user');
    const toggle = (name: string, text: string) => line(page, name).getByRole('button', { name: text });
    await line(page, 'active').getByText('已激活').waitFor();
    expect(await toggle('active', '禁用').isEnabled()).toBe(true);
    await line(page, 'banned').getByText('已封禁').waitFor();
    expect(await toggle('banned', '启用').isEnabled()).toBe(true);
    expect(await toggle('locked', '启用').getAttribute('aria-disabled')).toBe('true');
    await toggle('locked', '启用').click({ force: true });
    await page.waitForTimeout(200);
    expect((await rowOf('locked'))?.status).toBe(3);
    expectNoProblems();
    await close();
  });
});
