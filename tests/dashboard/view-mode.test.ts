import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addChannelHealth } from '../support/add-channel-health.ts';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

describe('the console in other modes than most see it in', () => {
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

  it('is printed whole and without its menus, and not as the one window that scrolls', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en', width: 900 });
    await open('/setting?tab=system');
    const menu = page.getByRole('navigation', { name: 'Main menu' });
    await menu.waitFor();
    await page.emulateMedia({ media: 'print' });
    const end = await page.locator('main section').last().boundingBox();
    expect(end?.y).toBeGreaterThan(900);
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(end?.y ?? 0);
    expect(await menu.isVisible()).toBe(false);
    expect(await page.getByRole('banner').first().isVisible()).toBe(false);
    // A list that is wider than the window is cut off nowhere.
    await page.setViewportSize({ width: 1100, height: 900 });
    await open('/channel');
    const frame = page.getByRole('grid').locator('..');
    expect(await frame.evaluate((element) => getComputedStyle(element).overflowX)).toBe('visible');
    expectNoProblems();
    await close();
  });

  it('shows what Enter would open in a contrast theme, which has no colors of surfaces', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await page.emulateMedia({ forcedColors: 'active' });
    await open('/token');
    await page.keyboard.press('Control+k');
    const [active, other] = [page.getByRole('option', { selected: true }), page.getByRole('option').nth(1)];
    await active.waitFor();
    const outlineOf = (option: typeof active) =>
      option.evaluate((element) => {
        const { outlineStyle, outlineColor } = getComputedStyle(element);
        return `${outlineStyle} ${outlineColor}`;
      });
    expect(await outlineOf(active)).toMatch(/^solid rgb\(/);
    expect(await outlineOf(other)).toMatch(/^none /);
    expectNoProblems();
    await close();
  });

  it('keeps the keyboard in a form when the button that was pressed has nothing left to do', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/channel/add');
    await page.getByRole('button', { name: 'OpenAI', exact: true }).click();
    await page.getByRole('button', { name: 'Add common models' }).press('Enter');
    const clear = page.getByRole('button', { name: 'Clear models' });
    await clear.press('Enter');
    await expect.poll(() => clear.getAttribute('aria-disabled')).toBe('true');
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect(await clear.evaluate((button) => button === document.activeElement)).toBe(true);
    // Escape still reaches the form, which asks before it is left.
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor();
    expectNoProblems();
    await close();
  });

  it('leaves a conversation room on a tablet: the settings come over it when they are asked for', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice', language: 'en', width: 768 });
    await open('/playground');
    const composer = page.getByPlaceholder(/Ask something/);
    expect((await composer.boundingBox())?.width).toBeGreaterThan(350);
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await page.getByRole('dialog', { name: 'Settings' }).getByText('Temperature').waitFor();
    expectNoProblems();
    await close();
  });

  it('cuts no figure off at the edge of a table on a tablet, where the navigation takes a third of the width', async () => {
    await addChannelHealth(gateway.app.database, [
      {
        channelId: 1,
        model: 'gpt-4o-mini',
        ok: 1498,
        failed: 2,
        firstTokens: [310, 2900],
        speeds: [96, 18],
        error: '429',
      },
    ]);
    await gateway.app.database.users.increment({ used_quota: 617_283_950 }, { where: { username: 'alice' } });
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en', width: 768 });
    const cutOff = () =>
      page.locator('main').evaluate(
        (main) =>
          [...main.querySelectorAll('section :is(td, th, dd, input)')].filter((cell) => {
            const frame = cell.closest('section')?.getBoundingClientRect().right ?? 0;
            return cell.getBoundingClientRect().right > frame;
          }).length,
      );
    await open('/channel/1?tab=health');
    await page.getByText('1,500').waitFor();
    expect(await cutOff()).toBe(0);
    await open('/setting?tab=ratio');
    await page.getByLabel('gpt-4o-mini Per call').waitFor();
    expect(await cutOff()).toBe(0);
    await open('/ledger');
    await page.getByRole('button', { name: 'Prove now' }).click();
    for (const width of [768, 390]) {
      await page.setViewportSize({ width, height: 900 });
      for (const name of ['Differences', 'Last proofs']) {
        const table = page.getByRole('table', { name });
        await table.waitFor();
        const wide = await table.evaluate((one) => one.scrollWidth - (one.parentElement?.clientWidth ?? 0));
        expect(wide, `${name} at ${width}`).toBe(0);
      }
    }
    expectNoProblems();
    await close();
  });

  it('is as wide as a phone, however long a name or the words of a provider are without a space', async () => {
    const { database } = gateway.app;
    const long = 'https://provider.example/'.padEnd(200, 'x');
    const log = { user_id: gateway.userId, username: 'alice', token_name: 'n'.repeat(50), type: 5, content: long };
    const admin_info = { attempts: [{ channel: 1, outcome: '502', ms: 10, message: long }] };
    const other = JSON.stringify({ status: 502, admin_info });
    await database.logs.create({ ...log, model_name: 'long-reason', created_at: 1_790_000_000, other });
    await database.users.update({ email: `${'e'.repeat(50)}@example.com` }, { where: { username: 'alice' } });
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en', width: 390 });
    const wider = () =>
      page.locator('main').evaluate(({ parentElement }) => {
        const { scrollWidth = 0, clientWidth = 0 } = parentElement ?? {};
        return scrollWidth - clientWidth;
      });
    await open('/log?range=all&model_name=long-reason');
    await page.getByRole('button', { name: 'Details of “long-reason”' }).click();
    await page.getByRole('region', { name: /^Receipt/ }).waitFor();
    expect(await wider()).toBe(0);
    await open(`/user/${gateway.userId}`);
    await page.getByText('e'.repeat(50)).first().waitFor();
    expect(await wider()).toBe(0);
    expectNoProblems();
    await close();
  });
});
