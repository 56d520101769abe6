import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestGateway } from '../support/start-gateway.ts';
import { codeOf } from './support/authenticator.ts';
import { type ConsoleBrowser, openConsoleBrowser, testPassword } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

/** The machine may be busy. */
const patience = { timeout: 60_000 };

describe('the personal settings', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;
  const path = '/setting?tab=personal';
  const rowOf = (username: string) => gateway.app.database.users.findOne({ where: { username }, raw: true });

  beforeAll(async () => {
    gateway = await startConsoleGateway();
    const models = Array.from({ length: 12 }, (_, index) => `model-${index + 1}`).join(',');
    await gateway.addChannel({ name: 'many', models });
    for (const name of ['bob', 'carol', 'dave']) await gateway.addUser(name, 0);
    browser = await openConsoleBrowser(gateway.url);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  it('A-048 A-051 A-053 looks right in every look and is accessible', async () => {
    const visit = await browser.visit({ as: 'alice' });
    await visit.open(path);
    await visit.page.getByText('$20.00').waitFor();
    expect(await visit.page.getByText('管理员未开启').count()).toBe(5);
    await visit.page.setViewportSize({ width: 1440, height: 1900 });
    await visit.inspectAll(path, 'personal');
    await visit.close();
  });

  it('A-054 A-056 A-239 copies models and makes an access token that works', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice' });
    await open(path);
    const models = page.getByRole('region', { name: '可用模型' }).getByRole('button');
    await expect.poll(() => models.count(), patience).toBe(11);
    await page.getByRole('button', { name: '展开其余 3 个' }).click();
    expect(await models.count()).toBe(14);
    await page.getByRole('button', { name: 'model-2', exact: true }).click();
    await page.getByText('已复制：model-2').waitFor();

    await page.getByRole('button', { name: '生成系统访问令牌' }).click();
    const question = page.getByRole('dialog');
    await question.getByText('旧的系统访问令牌会立即失效').waitFor();
    await question.getByLabel('当前密码').fill(testPassword);
    await question.getByRole('button', { name: '继续' }).click();
    await page.getByText('令牌已重置并已复制到剪贴板').waitFor();
    const token = await page.getByLabel('新的系统访问令牌').inputValue();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
    const headers = { authorization: token, 'new-api-user': String(gateway.userId) };
    const response = await fetch(`${gateway.url}/api/user/self`, { headers });
    expect(await response.json()).toMatchObject({ success: true });
    expectNoProblems();
    await close();
  });

  it('A-055 A-162 A-181 A-195 A-241 G-014 changes names and password, and sends only what was changed', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'bob' });
    await open('/user/edit');
    await page.getByRole('button', { name: '保存个人信息' }).click();
    await page.getByText('没有任何修改！').waitFor();
    // The server leaves an empty name as it is: to send it would only look like a change.
    for (const name of ['username', 'display_name']) {
      await page.locator(`input[name=${name}]`).fill('');
      await page.getByRole('button', { name: '保存个人信息' }).click();
      await page.getByText('此项必填').waitFor();
      await page.locator(`input[name=${name}]`).fill('bob');
      await page.getByText('此项必填').waitFor({ state: 'detached' });
    }
    await page.getByLabel('显示名称').fill('Bobby');
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await page.getByRole('button', { name: '保存个人信息' }).click();
    expect((await sent).postDataJSON()).toEqual({ display_name: 'Bobby' });
    await page.getByText('用户信息更新成功！').waitFor();
    await page.getByRole('button', { name: 'Bobby 的账户菜单' }).waitFor();

    const password = `new ${randomUUID()}`.slice(0, 20);
    await page.locator('input[name=original_password]').fill('not the password');
    await page.locator('input[name=password]').fill(password);
    await page.locator('input[name=password2]').fill('other');
    await page.getByRole('button', { name: '修改密码' }).click();
    await page.getByText('两次输入的密码不一致').first().waitFor();
    await page.locator('input[name=password2]').fill(password);
    await page.getByRole('button', { name: '修改密码' }).click();
    await page.getByText('密码错误').first().waitFor();
    await page.locator('input[name=original_password]').fill(testPassword);
    await page.getByRole('button', { name: '修改密码' }).click();
    await page.getByText('密码修改成功！').waitFor();
    expectNoProblems();
    await close();
    const again = await browser.visit({ as: 'bob', password });
    await again.close();
  });

  it('asks once before what was typed in any of its forms is lost', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'carol' });
    await open(path);
    await page.getByLabel('显示名称').fill('Carol C');
    await page.getByRole('link', { name: '钱包' }).click();
    await page.getByRole('alertdialog', { name: '放弃修改？' }).getByRole('button', { name: '继续编辑' }).click();
    expect(await page.getByLabel('显示名称').inputValue()).toBe('Carol C');
    await page.getByRole('link', { name: '钱包' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: '放弃修改' }).click();
    await page.waitForURL(/\/topup$/);
    expectNoProblems();
    await close();
  });

  it('A-159 A-160 says what is missing before an address is linked', async () => {
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({ as: 'carol' });
    await open(path);
    await page.getByRole('button', { name: '绑定 邮箱' }).click();
    const dialog = page.getByRole('dialog', { name: '绑定邮箱地址' });
    await dialog.getByRole('button', { name: '获取验证码' }).click();
    await page.getByText('请输入邮箱').waitFor();
    await dialog.getByLabel('邮箱地址').fill('carol@example.com');
    await dialog.getByRole('button', { name: '绑定', exact: true }).click();
    await page.getByText('请输入邮箱验证码').waitFor();
    await page.getByText('请输入当前密码').waitFor();
    await inspect('personal-email');
    await dialog.getByLabel('验证码').fill('123456');
    await dialog.getByLabel('当前密码').fill(testPassword);
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await dialog.getByRole('button', { name: '绑定', exact: true }).click();
    expect((await sent).postDataJSON()).toEqual({ email: 'carol@example.com', code: '123456', password: testPassword });
    await page.getByText('验证码错误或已过期').waitFor();
    expectNoProblems();
    await close();
  });

  it('keeps how to be told of a low balance and of jobs that end', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'carol', language: 'en' });
    await open(path);
    await page.getByRole('combobox', { name: 'Notify by' }).click();
    await page.getByRole('option', { name: 'Webhook' }).click();
    await page.getByLabel('Low-balance threshold').fill('0.5');
    await page.getByText('250,000 units').waitFor();
    await page.getByRole('switch', { name: 'Notify me when an image, music, or video task finishes' }).click();
    await page.getByRole('button', { name: 'Save notifications' }).click();
    await page.getByText('The webhook needs an address').first().waitFor();
    await page.getByLabel('Webhook address').fill('https://hook.example.com/x');
    await page.getByRole('button', { name: 'Save notifications' }).click();
    await page.getByText('Notifications updated').waitFor();
    expect(JSON.parse((await rowOf('carol'))?.setting ?? '')).toMatchObject({
      notify_type: 'webhook',
      webhook_url: 'https://hook.example.com/x',
      quota_warning_threshold: 250_000,
      notify_task_finished: true,
    });
    expectNoProblems();
    await close();
  });

  it('S5 turns on the second step after the own password; the sign-in asks for it from then on, and takes a backup code once', async () => {
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({ as: 'dave' });
    await open(path);
    await page.getByRole('button', { name: '开启双因素认证' }).click();
    const question = page.getByRole('dialog', { name: '开启双因素认证' });
    await question.getByRole('button', { name: '继续' }).click();
    await question.getByText('此项必填').waitFor();
    await question.getByLabel('当前密码').fill('not the password');
    await question.getByRole('button', { name: '继续' }).click();
    await question.getByText('密码错误', { exact: false }).waitFor();
    await inspect('personal-two-factor-password');
    await question.getByLabel('当前密码').fill(testPassword);
    await question.getByRole('button', { name: '继续' }).click();
    const dialog = page.getByRole('alertdialog', { name: '开启双因素认证' });
    await dialog.getByRole('img', { name: '身份验证器应用的二维码' }).waitFor();
    await inspect('personal-two-factor');
    const secret = await dialog.getByLabel('无法扫描时，手动输入密钥').inputValue();
    const [backup = ''] = await dialog.getByRole('listitem').allTextContents();
    await dialog.getByRole('button', { name: '开启双因素认证' }).click();
    await dialog.getByText('请输入验证码').waitFor();
    await dialog.getByRole('textbox', { name: '验证码' }).fill(codeOf(secret));
    await dialog.getByRole('button', { name: '开启双因素认证' }).click();
    await page.getByText('双因素认证已开启').waitFor();
    await page.getByText('剩余备用码').waitFor();
    expectNoProblems();
    await close();

    const visit = await browser.visit();
    const other = visit.page;
    await visit.open('/topup');
    await other.locator('input[name=username]').fill('dave');
    await other.locator('input[name=password]').fill(testPassword);
    await other.keyboard.press('Enter');
    await other.waitForURL(/\/login\/code$/);
    await visit.inspect('login-code');
    await other.locator('input[name=code]').fill('WRON-GCOD');
    await other.keyboard.press('Enter');
    await other.locator('.fui-Toast').first().waitFor();
    await other.locator('input[name=code]').fill(backup);
    await other.keyboard.press('Enter');
    await other.getByText('登录成功！').waitFor();
    await other.waitForURL(/\/topup$/);

    await visit.open(path);
    await other.getByRole('button', { name: '关闭双因素认证' }).click();
    const last = other.getByRole('dialog', { name: '关闭双因素认证' });
    await last.getByRole('textbox').fill(codeOf(secret, 1));
    await last.getByRole('button', { name: '关闭双因素认证' }).click();
    await other.getByText('双因素认证已关闭').waitFor();
    await visit.close();
  });

  it('A-055 A-161 A-241 deletes the own account after its name was typed', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'carol' });
    await open(path);
    await page.getByRole('button', { name: '删除个人账户' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText('请输入你的账户名以确认删除！').waitFor();
    const remove = question.getByRole('button', { name: '删除个人账户' });
    await question.getByRole('textbox').fill('caro');
    expect(await remove.isDisabled()).toBe(true);
    await question.getByRole('textbox').fill('carol');
    await remove.click();
    await page.getByText('账户已删除！').waitFor();
    await page.waitForURL(/\/login$/);
    expect((await rowOf('carol'))?.deleted_at).toBeGreaterThan(0);
    expectNoProblems();
    await close();
  });
});
