import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { fillShowcase } from './support/showcase.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

describe('the overview', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    gateway = await startConsoleGateway();
    await fillShowcase(gateway);
    browser = await openConsoleBrowser(gateway.url);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  it('tells admins what works, what it costs, and what needs them', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/?range=week');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    const requests = page.getByRole('group', { name: 'Requests', exact: true }).first();
    await requests.getByText('vs. previous 7 days').waitFor();
    const channels = page.getByRole('table', { name: 'Channels' });
    await channels.getByRole('row', { name: 'Claude 备用' }).getByText('Failing').waitFor();
    await channels.getByRole('row', { name: 'gemini' }).getByText('Working').waitFor();
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByText('401 invalid x-api-key').waitFor();
    const unserved = attention.getByRole('listitem').filter({ hasText: 'has no channel in the group “vip”' });
    await unserved.getByText('Requests refused in the last 24 hours: 13.').waitFor();
    expect(await unserved.getByRole('link').allTextContents()).toEqual(['claude-opus', 'Add a channel']);
    await page
      .getByRole('region', { name: 'Latest changes' })
      .getByText(/changed the setting EpayKey/)
      .waitFor();
    const failures = page.getByRole('region', { name: 'Latest failures' });
    await failures.getByText('429 rate_limit_exceeded').first().waitFor();
    await page.getByRole('group', { name: 'Error rate' }).getByText('0.3%', { exact: true }).waitFor();
    await page.getByRole('group', { name: 'First token' }).getByText(/^p95 /).waitFor();
    await attention.getByRole('link', { name: 'Claude 备用' }).click();
    await page.waitForURL(/\/channel\/\d+$/);
    expectNoProblems();
    await close();
  });

  it('compares with the chosen time, which stands in the address', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/');
    const spend = page.getByRole('group', { name: 'Spend', exact: true });
    await spend.getByText('vs. yesterday by now').waitFor();
    await page.getByRole('combobox', { name: 'Compare with' }).selectOption('vs. a week ago by now');
    await spend.getByText('vs. a week ago by now').waitFor();
    await page.getByRole('combobox', { name: 'Time range' }).selectOption('This month');
    await spend.getByText('vs. last month by now').waitFor();
    expect(new URL(page.url()).searchParams.get('range')).toBe('thisMonth');
    expect(await page.getByRole('combobox', { name: 'Compare with' }).count()).toBe(0);
    expectNoProblems();
    await close();
  });

  it.each(['/', '/detail'])('says at %s when a time is longer than is shown', async (path) => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice', language: 'en' });
    const day = 86_400;
    const end = Math.floor(Date.now() / 1000);
    const note = page.getByText(/The last 400 days of this time range are shown/);
    await open(`${path}?start=${end - 500 * day}&end=${end}`);
    await note.waitFor();
    await open(`${path}?start=${end - 300 * day}&end=${end}`);
    await page
      .getByText(/^vs\. previous period$/)
      .first()
      .waitFor();
    expect(await note.count()).toBe(0);
    expectNoProblems();
    await close();
  });

  it('offers the figures of a chart as a table and as a file', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/?range=week&unit=day');
    const chart = page.getByRole('group', { name: 'Spend by model' });
    const legend = chart.getByRole('link', { name: 'gpt-4o', exact: true });
    expect(await legend.getAttribute('href')).toBe('/model/gpt-4o');
    // Today is not over: its bar is hatched, which the legend explains, and its row says so.
    await chart.getByText('So far', { exact: true }).waitFor();
    await expect.poll(() => chart.locator('[fill^="url(#hatch-"]').count()).toBeGreaterThan(0);
    await chart.getByRole('button', { name: 'Show “Spend by model” as a table' }).click();
    expect(await chart.getByRole('row').count()).toBe(8);
    expect(await chart.getByRole('row', { name: /\(so far\)/ }).count()).toBe(1);
    const coming = page.waitForEvent('download');
    await chart.getByRole('button', { name: 'Download “Spend by model” as CSV' }).click();
    const lines = readFileSync(await (await coming).path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines[0]).toContain('Time,Spent');
    expect(lines).toHaveLength(8);
    expect(lines.slice(1).every((line) => /,\d+$/.test(line))).toBe(true);
    const [, ...names] = (lines[0] ?? '').split(',').slice(1);
    expect(names).toContain('gpt-4o');
    const [, spent = 0, ...parts] = (lines[1] ?? '').split(',').map(Number);
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(spent);
    expectNoProblems();
    await close();
  });

  it('shows how requests ended, each part leading to its requests', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/?range=week&unit=day');
    const chart = page.getByRole('group', { name: 'Requests and errors' });
    const bar = chart.getByRole('option', { name: /Cut off, \d+\.$/ }).or(chart.locator('[aria-label*="Cut off, "]'));
    await bar.first().hover({ force: true });
    await page.getByText('Total', { exact: true }).first().waitFor();
    await chart.getByRole('button', { name: 'Show “Requests and errors” as a table' }).click();
    const rows = chart.getByRole('row');
    expect(await rows.first().getByRole('columnheader').allTextContents()).toEqual([
      'Time',
      'Successful',
      'Cut off',
      'Refused',
      'Failed',
      'Total',
    ]);
    const sums = [0, 0, 0, 0, 0];
    for (const row of (await rows.all()).slice(1)) {
      const figures = (await row.getByRole('cell').allTextContents()).map((text) => Number(text.replaceAll(',', '')));
      expect(figures.slice(0, 4).reduce((sum, figure) => sum + figure, 0)).toBe(figures[4]);
      for (const [index, figure] of figures.entries()) sums[index] = (sums[index] ?? 0) + figure;
    }
    expect(sums[2]).toBe(27);
    expect(sums[3]).toBe(13);
    // Of yesterday: shortly after midnight no request of today was cut off.
    const cut = rows.nth(2).getByRole('link').nth(1);
    const shown = Number(await cut.textContent());
    await cut.click();
    await page.waitForURL(/\/log\?.*cut=true/);
    await expect.poll(() => page.getByText(/Cut off/).count()).toBeGreaterThanOrEqual(shown);
    expectNoProblems();
    await close();
  });

  it('shows how fast requests were, in figures too', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice', language: 'en' });
    for (const unit of ['hour', 'day', 'week']) {
      await open(`/?range=month&unit=${unit}`);
      const chart = page.getByRole('group', { name: 'Latency' });
      await chart.getByRole('button', { name: 'Show “Latency” as a table' }).click();
      const first = chart.getByRole('row').nth(1).getByRole('cell');
      await expect.poll(() => first.allTextContents()).toEqual([1, 2, 3, 4].map(() => expect.stringMatching(/ m?s$/)));
    }
    expectNoProblems();
    await close();
  });

  it('shows users their balance, their own spend and tokens, and how to call', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice', language: 'en' });
    await open('/?range=week');
    const balance = page.getByRole('group', { name: 'Balance' });
    await balance.getByText('$20.00').waitFor();
    await balance.getByText(/^Will last about \d+ days/).waitFor();
    await page.getByRole('region', { name: 'Top spend' }).getByRole('link', { name: '生产环境' }).waitFor();
    await page.getByRole('region', { name: 'Quick start' }).getByText('/chat/completions').waitFor();
    expect(await page.getByText('Needs attention').count()).toBe(0);
    await page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Home' }).click();
    await page.waitForURL(/\/home$/);
    expectNoProblems();
    await close();
  });

  it('leads to lists that fit a window of 1024 pixels: no column is cut, and the row menu is there', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en', width: 1024 });
    await open('/');
    const go = async (name: string) => {
      await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      await page.getByRole('gridcell').first().waitFor();
    };
    const lack = () =>
      page.getByRole('grid').evaluate((grid) => grid.scrollWidth - (grid.parentElement?.clientWidth ?? 0));
    for (const name of ['Channels', 'Users', 'Redemption codes', 'Requests', 'Drawings', 'Tasks']) {
      await go(name);
      expect(await lack(), name).toBeLessThanOrEqual(1);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), name).toBeLessThanOrEqual(0);
    }
    await go('Channels');
    const header = (name: string) => page.getByRole('columnheader', { name, exact: true });
    expect(await header('Weight').count()).toBe(0);
    await page.getByRole('button', { name: 'More actions for “Claude 备用”' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).waitFor();
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1440, height: 900 });
    await header('Weight').waitFor();
    expectNoProblems();
    await close();
  });

  it('leads to lists of which nothing is scrolled away on a laptop, nor beside a scroll bar', async () => {
    await gateway.addToken(1, { name: 'wide', unlimited_quota: false, remain_quota: 61_728_395_000 });
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    const lack = () =>
      page.getByRole('grid').evaluate((grid) => grid.scrollWidth - (grid.parentElement?.clientWidth ?? 0));
    for (const path of ['/token', '/user', '/redemption', '/pricing']) {
      await open(path);
      await page.getByRole('gridcell').first().waitFor();
      for (const width of path === '/pricing' ? [1440, 1024] : [1440, 1424, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        await expect.poll(lack, { message: `${path} at ${width}` }).toBeLessThanOrEqual(1);
      }
    }
    expectNoProblems();
    await close();
  });

  it('leads to a list of users that cuts no figure of a large account', async () => {
    const large = { quota: 617_283_945_000, used_quota: 1_234_567_890_000, request_count: 123_456_789 };
    const invited = { aff_count: 12_345, aff_history: 61_728_394_500 };
    await gateway.app.database.users.update({ ...large, ...invited }, { where: { username: 'carol' } });
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/user?keyword=carol');
    const figures = page.getByRole('gridcell').filter({ hasText: '123,456,789' });
    for (const width of [1440, 1280, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      await figures.waitFor();
      const cut = await page
        .getByRole('gridcell')
        .evaluateAll((cells) =>
          cells.flatMap((cell) =>
            [...cell.querySelectorAll('span')]
              .filter((part) => part.getBoundingClientRect().right > cell.getBoundingClientRect().right)
              .map(({ textContent }) => textContent),
          ),
        );
      expect(cut, `${width} pixels`).toEqual([]);
    }
    expectNoProblems();
    await close();
  });

  it('looks right in every look and is accessible, for admins and users', async () => {
    for (const as of ['root', 'alice'] as const) {
      const visit = await browser.visit({ as });
      await visit.inspectAll('/?range=week', `overview-${as}`);
      await visit.close();
    }
  });
});
