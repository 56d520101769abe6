import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../core/schemas/actor.ts';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

const huge = 9_000_000_000_000_000;
const longModel = `vendor/a-model:with/slashes-${'x'.repeat(80)}`;

describe('the console with what few installations have', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;
  let channel: number;
  beforeAll(async () => {
    gateway = await startConsoleGateway();
    channel = await gateway.addChannel({ name: 'odd', models: `gpt-4o,${longModel}` });
    await gateway.app.database.channels.update({ used_quota: huge }, { where: { id: channel } });
    browser = await openConsoleBrowser(gateway.url);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  it('shows every digit of a figure that is wider than its column', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/channel');
    const figure = page.getByText('$18,000,000,000.00', { exact: true });
    const cut = await figure.evaluate((one) => {
      const cell = one.closest('[role=gridcell]')?.getBoundingClientRect();
      return one.getBoundingClientRect().left < (cell?.left ?? 0);
    });
    expect(cut).toBe(false);
    expectNoProblems();
    await close();
  });

  it('breaks the name of a model that is wider than a phone', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', width: 390 });
    await open(`/channel/${channel}?tab=settings`);
    const tag = page.locator('button').filter({ hasText: longModel }).first();
    const box = await tag.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    expectNoProblems();
    await close();
  });

  it('breaks a long name in the title of a form and of a question on a phone', async () => {
    const id = await gateway.addChannel({ name: 'N'.repeat(128) });
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', width: 390, language: 'en' });
    const widthOf = (title: string) =>
      page.getByRole('heading', { name: title }).evaluate((one) => one.scrollWidth - one.clientWidth);
    await open(`/channel/edit/${id}`);
    expect(await widthOf('Edit channel')).toBeLessThanOrEqual(0);
    await open(`/channel/${id}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    expect(await widthOf('Delete channel')).toBeLessThanOrEqual(0);
    expectNoProblems();
    await close();
    await gateway.app.services.channels.remove(systemActor, [id]);
  });

  it.each(['/midjourney', '/task'])('leaves no filter of %s alone on a line', async (place) => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open(place);
    const fields = page.getByRole('toolbar').first().getByRole('searchbox');
    const tops = await fields.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
    expect(tops.length).toBe(3);
    expect(tops[2]).toBe(tops[1]);
    expectNoProblems();
    await close();
  });

  it.each(['channel', 'user', 'token'])('calls an address that names no %s as it was written', async (kind) => {
    const { page, open, close } = await browser.visit({ as: 'root', expected: /./ });
    await open(`/${kind}/none-such`);
    await page.getByRole('heading', { level: 1, name: '#none-such' }).waitFor();
    await page.getByRole('alert').getByText('加载失败').waitFor();
    await close();
  });

  it('leaves the keyboard at the button that adds after the first token was made and shown', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/token');
    await page.getByRole('main').getByRole('button', { name: '添加令牌' }).last().click();
    await page.locator('input[name=name]').fill('first');
    await page.getByRole('button', { name: '创建', exact: true }).click();
    await page.getByRole('dialog', { name: /first/ }).getByRole('button', { name: '关闭' }).click();
    await page.getByRole('link', { name: 'first', exact: true }).waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await expect.poll(focused).toBe('添加令牌');
    await page.waitForTimeout(500);
    expect(await focused()).toBe('添加令牌');
    expectNoProblems();
    await close();
  });
});
