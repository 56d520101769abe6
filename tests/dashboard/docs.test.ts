import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

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

/** All there are, but for the README in Chinese, which is not a page of its own. */
const names = readdirSync(new URL('../../dashboard/docs', import.meta.url))
  .filter((name) => name.endsWith('.md') && !name.startsWith('readme') && !name.endsWith('.zh.md'))
  .map((name) => name.replace(/\.md$/, ''));

describe('the documentation', () => {
  it('looks right in every look, signed out, and is accessible', async () => {
    const visit = await browser.visit();
    await visit.inspectAll('/docs', 'docs');
    await visit.inspectAll('/docs/get-started', 'docs-get-started', async (page) => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      const text = await page.locator('main p').first().boundingBox();
      expect((text?.x ?? 0) + (text?.width ?? 0)).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
    });
    await visit.close();
  });

  it('has a page for each document that comes with the program', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ language: 'en' });
    await open('/docs');
    const links = page.locator('main').getByRole('link');
    const places = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect([...places].sort()).toEqual(names.map((name) => `/docs/${name}`).sort());
    for (const place of places) {
      await open(place ?? '');
      await page.locator('main h2').first().waitFor();
    }
    expectNoProblems();
    await close();
  });

  it('keeps a heading apart from the text above it', async () => {
    const { page, open, close } = await browser.visit({ language: 'en' });
    await open('/docs/api');
    const [text, heading] = await Promise.all([
      page.locator('main li').filter({ hasText: 'A trailing slash' }).boundingBox(),
      page.getByRole('heading', { name: 'Installation' }).first().boundingBox(),
    ]);
    expect((heading?.y ?? 0) - (text?.y ?? 0) - (text?.height ?? 0)).toBeGreaterThanOrEqual(16);
    await close();
  });

  it('lists what is on a page, and copies its programs', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ language: 'en' });
    await open('/docs/get-started');
    const contents = page.getByRole('navigation', { name: 'On this page' });
    const listed = await contents.getByRole('link').allTextContents();
    expect(listed.length).toBeGreaterThan(3);
    await expect.poll(() => page.locator('main h2').allTextContents()).toEqual(listed);
    await contents.getByRole('link', { name: 'Make a call' }).click();
    await page.waitForURL(/#make-a-call$/);
    await page.getByRole('button', { name: 'Copy example' }).first().click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe((await page.locator('main pre').first().textContent())?.trim());
    expectNoProblems();
    await close();
  });

  it('finds words in every document and leads to their section', async () => {
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({ language: 'en' });
    await open('/docs');
    await page.getByRole('searchbox', { name: 'Search the documentation' }).fill('EXIT CODES');
    await page
      .getByRole('status')
      .filter({ hasText: /Sections found: [1-9]/ })
      .waitFor();
    await inspect('docs-search');
    await page
      .getByRole('link', { name: /› Exit codes$/ })
      .first()
      .click();
    await page.waitForURL(/\/docs\/cli#exit-codes$/);
    await expect
      .poll(() => page.locator('#exit-codes').evaluate((heading) => heading.getBoundingClientRect().top))
      .toBeLessThan(900);
    await open('/docs');
    await page.getByRole('searchbox', { name: 'Search the documentation' }).fill('no such words anywhere');
    await page.getByText('Sections found: 0').waitFor();
    expectNoProblems();
    await close();
  });

  it('describes each route of the console: who, fields and limits, response, example; found by its path', async () => {
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({ language: 'en' });
    await open('/docs/api');
    await page
      .getByRole('navigation', { name: 'On this page' })
      .getByRole('link', { name: 'token', exact: true })
      .waitFor();
    await page.getByRole('searchbox', { name: 'Search this page' }).fill('put /api/user/self');
    await page.getByRole('link', { name: /› PUT \/api\/user\/self$/ }).click();
    const heading = page.getByRole('heading', { name: 'PUT /api/user/self', exact: true });
    await expect.poll(() => heading.evaluate((element) => element.getBoundingClientRect().top)).toBeLessThan(900);
    await page.getByRole('heading', { name: 'POST /api/token/', exact: true }).scrollIntoViewIfNeeded();
    const row = page.getByRole('row', { name: /^remain_quota body integer/ }).first();
    expect(await row.textContent()).toContain('at least 0');
    await inspect('docs-api-route');
    expectNoProblems();
    await close();
  });

  it('keeps short Chinese words in a table on one line', async () => {
    const { page, open, close } = await browser.visit();
    await open('/docs/api');
    const words = page.getByRole('cell', { name: /^(请求体|查询参数|文本)$/ });
    await words.first().waitFor();
    const lines = await words.evaluateAll((cells) =>
      cells.slice(0, 200).map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return `${cell.textContent}: ${new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size}`;
      }),
    );
    expect(lines).toContain('请求体: 1');
    expect(lines.filter((line) => !line.endsWith(': 1') && !line.startsWith('查询'))).toEqual([]);
    await close();
  });

  it('leads from one document to a heading of another, in the same window', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit();
    await open('/docs/script');
    await page.getByRole('link', { name: '退出码' }).click();
    await page.waitForURL((url) => decodeURIComponent(url.href).endsWith('/docs/cli#退出码'));
    await expect
      .poll(() => page.locator('#退出码').evaluate((heading) => heading.getBoundingClientRect().top))
      .toBeLessThan(900);
    expectNoProblems();
    await close();
  });

  it('hands out the files that a page links to, under their own names', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ language: 'en' });
    await open('/docs/deploy');
    const samples = new URL('../../dashboard/docs/deploy/', import.meta.url);
    for (const name of ['compose.sqlite.yml', 'tollgate.service', 'tollgate.caddyfile', 'grafana-dashboard.json']) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.locator('main').getByRole('link', { name }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(name);
      const received = readFileSync((await download.path()) ?? '', 'utf8');
      expect(received).toBe(readFileSync(new URL(name, samples), 'utf8'));
    }
    expectNoProblems();
    await close();
  });

  it('says so when there is no such document', async () => {
    const { page, open, close } = await browser.visit();
    await open('/docs/nothing');
    await page.getByRole('heading', { name: '页面不存在' }).waitFor();
    await close();
  });

  it('is in the language of the console, every page of it', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit();
    await open('/docs');
    // A name is the same in both languages.
    const titles = (await page.locator('main h2').allTextContents()).filter((title) => title !== 'OpenTelemetry');
    for (const title of titles) expect(title).toMatch(/[\u4e00-\u9fff]/);
    for (const name of names) {
      await open(`/docs/${name}`);
      const headings = page.locator('main').getByRole('heading', { level: 2 });
      await headings.first().waitFor();
      expect((await headings.allTextContents()).join(' '), name).toMatch(/[\u4e00-\u9fff]/);
    }
    expectNoProblems();
    await close();
  });
});
