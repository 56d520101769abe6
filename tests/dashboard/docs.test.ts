import { readdirSync } from 'node:fs';
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
  .filter((name) => !name.startsWith('readme') && !name.endsWith('.zh.md'))
  .map((name) => name.replace(/\.md$/, ''));

describe('the documentation', () => {
  it('looks right in every look, signed out, and is accessible', async () => {
    const visit = await browser.visit();
    await visit.inspectAll('/docs', 'docs');
    await visit.inspectAll('/docs/get-started', 'docs-get-started');
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

  it('says so when there is no such document', async () => {
    const { page, open, close } = await browser.visit();
    await open('/docs/nothing');
    await page.getByRole('heading', { name: '页面不存在' }).waitFor();
    await close();
  });

  it('is in the language of the console, every page of it', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit();
    await open('/docs');
    for (const title of await page.locator('main h2').allTextContents()) expect(title).toMatch(/[\u4e00-\u9fff]/);
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
