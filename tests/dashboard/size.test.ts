import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';

const build = new URL('../../dist/dashboard', import.meta.url).pathname;
const budgetBytes = 250 * 1024;

describe('the size of the first useful screen', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    gateway = await startGateway('sqlite', { GLOBAL_WEB_RATE_LIMIT_ENABLE: 'false' });
    browser = await openConsoleBrowser(gateway.url);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  it.each([{ path: '/login' }, { path: '/token', as: 'alice' }])(
    'is at most 250 KB packed: $path',
    async ({ path, as }) => {
      const { page, open, close } = await browser.visit(as === undefined ? {} : { as });
      const files = new Set<string>();
      page.on('request', (request) => {
        const { pathname } = new URL(request.url());
        if (/\.(js|css|svg)$/.test(pathname)) files.add(pathname);
      });
      await open(path);
      const sizes = [...files].map((file) => packedBytes(join(build, file)));
      expect(files.size).toBeGreaterThan(3);
      expect(sizes.reduce((sum, size) => sum + size, packedBytes(join(build, 'index.html')))).toBeLessThanOrEqual(
        budgetBytes,
      );
      await close();
    },
  );
});

/** As gzip, whatever this browser takes; small files go as they are. */
function packedBytes(file: string): number {
  return statSync(existsSync(`${file}.gz`) ? `${file}.gz` : file).size;
}
