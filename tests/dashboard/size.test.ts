import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

const build = new URL('../../dist/dashboard', import.meta.url).pathname;
const budgetBytes = 200 * 1024;
const maxFiles = 12;

const pages = [
  {
    as: undefined,
    paths: ['/', '/login', '/login/code', '/register', '/reset', '/about', '/docs', '/docs/api', '/pricing'],
  },
  {
    as: 'root',
    paths: [
      ...['/', '/token', '/log', '/detail', '/midjourney', '/task', '/channel', '/redemption', '/topup', '/user'],
      ...[
        '/user/edit',
        '/setting',
        '/limit',
        '/audit',
        '/channel/1',
        '/user/1',
        '/token/1',
        '/model/gpt-4o',
        '/playground',
        '/chat',
        '/pricing',
      ],
      ...['/setup', '/no-such-page'],
    ],
  },
].flatMap(({ as, paths }) => paths.map((path) => ({ path, as })));

describe('the scripts and styles of a page', () => {
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
  ])('are at most 200 KB packed for the first useful screen: $path', async ({ path, content, as }) => {
    const { page, close } = await browser.visit({ ...(as && { as }), fetchesAhead: true });
    await page.goto(path);
    await page.locator(content).first().waitFor();
    const first = await filesBeforeFirstScreen(page);
    const sizes = ['/index.html', ...first].map((file) => ({ file, bytes: packedBytes(join(build, file)) }));
    expect(first.length).toBeGreaterThan(3);
    const list = sizes.sort((one, other) => other.bytes - one.bytes).map(({ file, bytes }) => `${bytes} ${file}`);
    const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(total, list.join('\n')).toBeLessThanOrEqual(budgetBytes);
    // The pages of the navigation come later, while there is nothing else to do.
    if (as) await expect.poll(() => wasFetched(page, /\/setting-[^/]*\.js$/), { timeout: 30_000 }).toBe(true);
    await close();
  });

  it.each(pages)('are at most 12, asked for in two waves: $path as $as', async ({ path, as }) => {
    const { page, open, close } = await browser.visit(as === undefined ? {} : { as });
    const waves = await watchWaves(page);
    await open(path);
    const files = [...waves().entries()].map(([file, wave]) => `${wave} ${file}`);
    expect(files.length).toBeGreaterThan(3);
    expect(files.length, files.join('\n')).toBeLessThanOrEqual(maxFiles);
    expect(Math.max(...waves().values()), files.join('\n')).toBeLessThanOrEqual(2);
    await close();
  });

  it('are not there twice: no file only names what another one holds', () => {
    const scripts = readdirSync(join(build, 'assets')).filter((name) => name.endsWith('.js'));
    const small = scripts.filter((name) => statSync(join(build, 'assets', name)).size < 100);
    expect(small).toEqual([]);
  });
});

/** As browsers of today take it; small files go as they are. */
function packedBytes(file: string): number {
  if (file.endsWith('.html')) return gzipSync(readFileSync(file)).length;
  return statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size;
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

function wasFetched(page: Page, file: RegExp): Promise<boolean> {
  return page.evaluate(
    (source) => performance.getEntriesByType('resource').some(({ name }) => new RegExp(source).test(name)),
    file.source,
  );
}

/** In which wave each file is asked for: what the page itself names is the first, and what a script asks for comes after that script. */
async function watchWaves(page: Page): Promise<() => Map<string, number>> {
  const waves = new Map<string, number>();
  const session: CDPSession = await page.context().newCDPSession(page);
  session.on('Network.requestWillBeSent', ({ request, initiator }) => {
    const file = new URL(request.url).pathname;
    if (!/\.(js|css)$/.test(file) || waves.has(file)) return;
    const before = initiator.type === 'parser' ? 0 : (waves.get(askerOf(initiator)) ?? 0);
    waves.set(file, before + 1);
  });
  await session.send('Network.enable');
  return () => waves;
}

interface Stack {
  callFrames: { url: string }[];
  parent?: Stack;
}

/** The script that asks, also when it waited for something in between; the page itself has no wave. */
function askerOf({ url, stack }: { url?: string; stack?: Stack }): string {
  let one = stack;
  while (one && one.callFrames.length === 0) one = one.parent;
  const asker = one?.callFrames[0]?.url ?? url ?? '';
  return URL.canParse(asker) ? new URL(asker).pathname : '';
}
