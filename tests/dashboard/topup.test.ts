import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../core/schemas/actor.ts';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

describe('the wallet', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    gateway = await startConsoleGateway();
    await gateway.app.database.users.update({ display_name: 'root' }, { where: { username: 'root' } });
    browser = await openConsoleBrowser(gateway.url);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  it('G-172 G-173 says what is not configured, and names the settings to users who can change them', async () => {
    const user = await browser.visit({ as: 'alice' });
    await user.open('/topup');
    await user.page.getByText('管理员未开启在线充值！').waitFor();
    await user.page.getByText('超级管理员未设置充值链接！').waitFor();
    expect(await user.page.getByText('PayAddress').count()).toBe(0);
    user.expectNoProblems();
    await user.close();
    const root = await browser.visit({ as: 'root' });
    await root.open('/topup');
    await root.page.getByRole('link', { name: '前往设置 PayAddress, EpayId, EpayKey' }).waitFor();
    await root.close();
  });

  it('G-082 G-169 G-242 G-252 redeems a code once, and shows the balance with it', async () => {
    const make = { name: 'gift', quota: 500_000, count: 1, expired_time: 0 };
    const [code = ''] = await gateway.app.services.redemptions.create(systemActor, make);
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice' });
    await open('/topup');
    await page.getByText('$20.00').waitFor();
    const redeem = page.getByRole('button', { name: '兑换', exact: true });
    await redeem.click();
    await page.getByText('请输入兑换码！').waitFor();
    await page.getByRole('textbox', { name: '兑换码' }).fill(code);
    await redeem.click();
    await page.getByText('兑换成功！').waitFor();
    await page.getByText('$21.00').waitFor();
    await page.getByRole('textbox', { name: '兑换码' }).fill(code);
    await redeem.click();
    await page.getByText('您已兑换过该兑换码，额度已计入您的余额').first().waitFor();
    expect(await page.getByRole('textbox', { name: '兑换码' }).inputValue()).toBe(code);
    expect(await gateway.quotaOf(gateway.userId)).toBe(10_500_000);
    expectNoProblems();
    await close();
  });

  it('G-232 says that the request failed without a response, or with an unreadable one', async () => {
    const { page, open, close } = await browser.visit({ as: 'alice', expected: /topup|ERR_|500/ });
    await open('/topup');
    await page.getByRole('textbox', { name: '兑换码' }).fill('0123456789abcdef0123456789abcdef');
    for (const end of ['abort', 'fail'] as const) {
      await page.route('**/api/user/topup', (route) =>
        end === 'abort' ? route.abort() : route.fulfill({ status: 500, json: { success: false, message: 'x' } }),
      );
      await page.getByRole('button', { name: '兑换', exact: true }).click();
      await page.getByText('请求失败').first().waitFor();
      await page.unroute('**/api/user/topup');
      await page.getByRole('textbox', { name: '兑换码' }).fill(`${end}`);
    }
    await close();
  });

  it('G-005 G-083 G-170 G-171 G-216 shows the price, asks, and posts the signed form to the payment service', async () => {
    await gateway.setOption('ServerAddress', 'https://gate.example.com');
    await gateway.setOption('PayAddress', 'https://pay.example.com');
    await gateway.setOption('EpayId', '1001');
    await gateway.setOption('EpayKey', 'secret');
    await gateway.setOption('MinTopUp', '2');
    await gateway.setOption('TopUpLink', 'https://shop.example.com/');
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({ as: 'alice' });
    let posted = '';
    await page.route('https://pay.example.com/**', async (route) => {
      posted = route.request().postData() ?? '';
      await route.fulfill({ contentType: 'text/html', body: '<html lang="en"><title>pay</title><h1>pay</h1></html>' });
    });
    await open('/topup');
    await page.getByText('实付金额：14.60 元').waitFor();
    expect(await page.getByRole('link', { name: '获取兑换码' }).getAttribute('href')).toBe('https://shop.example.com/');
    await page.getByText('最低 $2', { exact: true }).waitFor();
    const amount = page.getByRole('spinbutton', { name: '充值数量' });
    await amount.fill('1');
    await page.getByText('充值数量不能小于 2').first().waitFor();
    await page.getByRole('button', { name: '支付宝' }).click();
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    await amount.fill('-5');
    await amount.blur();
    expect(await amount.inputValue()).toBe('1');
    await amount.fill('2.5');
    await page.getByText('充值数量须为整数').waitFor();
    await amount.fill('');
    await page.getByText('充值数量不能小于 2').first().waitFor();
    await amount.blur();
    expect(await amount.inputValue()).toBe('1');
    await page.getByRole('button', { name: '$20', exact: true }).click();
    await page.getByText('实付金额：146.00 元').waitFor();
    await page.getByRole('button', { name: '微信' }).click();
    await page.getByRole('alertdialog').getByText('充值数量：$20.00，实付金额：146.00 元，支付方式：微信').waitFor();
    await inspect('topup-confirm');
    await page.getByRole('button', { name: '使用微信支付' }).click();
    await page.getByRole('heading', { name: 'pay' }).waitFor();
    const fields = new URLSearchParams(posted);
    expect(Object.fromEntries(fields)).toMatchObject({ pid: '1001', type: 'wxpay', money: '146.00' });
    expect(fields.get('sign')).toMatch(/^[0-9a-f]{32}$/);
    expectNoProblems();
    await open('/topup');
    await page.getByText(fields.get('out_trade_no') ?? '').waitFor();
    await page.getByText('待支付').waitFor();
    await close();
  });

  it('A-052 A-163 A-164 A-201 A-239 G-084 shows the invitation, copies its link and moves earnings to the balance', async () => {
    const bob = await gateway.addUser('bob', 0);
    const earned = { aff_quota: 750_000, aff_history: 1_250_000, aff_count: 3, aff_code: 'Ab12' };
    await gateway.app.database.users.update(earned, { where: { id: bob } });
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'bob' });
    await open('/topup');
    await page.getByText('$2.50').waitFor();
    await page.getByRole('button', { name: '复制邀请链接' }).click();
    await page.getByText('邀请链接已复制到剪贴板').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/register\?aff=Ab12$/);
    await page.getByRole('button', { name: '划转到余额' }).click();
    const amount = page.getByRole('spinbutton', { name: '划转额度' });
    await amount.fill('0.5');
    await page.getByText('划转额度最低为 $1.00').waitFor();
    await amount.fill('1.6');
    await page.getByText('划转额度不能超过 $1.50').waitFor();
    await amount.fill('1.2');
    await page.getByRole('button', { name: '划转', exact: true }).click();
    await page.getByText('划转成功！').waitFor();
    await page.getByText('$1.20').waitFor();
    expect(await gateway.quotaOf(bob)).toBe(600_000);
    expectNoProblems();
    await close();
  });

  it('has its figures at one height on a phone, also under a label that needs two lines', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice', language: 'en', width: 390 });
    await open('/topup');
    const figures = page.locator('dl').filter({ hasText: 'Available earnings' }).locator('dd');
    await expect.poll(() => figures.count()).toBe(3);
    const heights = await figures.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
    expect(new Set(heights).size).toBe(1);
    expectNoProblems();
    await close();
  });

  it('G-016 looks right in every look and is accessible', async () => {
    const visit = await browser.visit({ as: 'alice' });
    await visit.inspectAll('/topup', 'topup');
    await visit.close();
  });
});
