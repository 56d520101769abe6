import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

const build = new URL('../../dist/dashboard', import.meta.url).pathname;
const budgetBytes = 250 * 1024;

describe('the size of the first useful screen', () => {
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

  it.each([
    { path: '/login', content: 'input[name=password]', as: undefined },
    { path: '/token', content: '[role=gridcell]', as: 'alice' },
  ])('is at most 250 KB packed: $path', async ({ path, content, as }) => {
    const { page, close } = await browser.visit(as === undefined ? {} : { as });
    await page.goto(path);
    await page.locator(content).first().waitFor();
    const first = await filesBeforeFirstScreen(page);
    const sizes = ['/index.html', ...first].map((file) => ({ file, bytes: packedBytes(join(build, file)) }));
    expect(first.length).toBeGreaterThan(3);
    const list = sizes.sort((one, other) => other.bytes - one.bytes).map(({ file, bytes }) => `${bytes} ${file}`);
    const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(total, list.join('\n')).toBeLessThanOrEqual(budgetBytes);
    await close();
  });
});

/** As gzip, whatever this browser takes; small files go as they are. */
function packedBytes(file: string): number {
  return statSync(existsSync(`${file}.gz`) ? `${file}.gz` : file).size;
}

/** Menus and toasts come after the mark. */
async function filesBeforeFirstScreen(page: Page): Promise<string[]> {
  await expect.poll(() => page.evaluate(() => performance.getEntriesByName('first-screen').length)).toBe(1);
  return page.evaluate(() => {
    const end = performance.getEntriesByName('first-screen')[0]?.startTime ?? 0;
    const before = performance.getEntriesByType('resource').filter(({ startTime }) => startTime < end);
    const paths = before.map(({ name }) => new URL(name).pathname);
    return [...new Set(paths)].filter((file) => /\.(js|css|svg)$/.test(file));
  });
}
