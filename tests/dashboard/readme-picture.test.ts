import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { fillShowcase, nameInEnglish } from './support/showcase.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

/** `npm run pictures`: the pictures of the README; nothing is asserted. */
const folder = join(import.meta.dirname, '../../dashboard/docs/images');

describe('the pictures of the README', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    gateway = await startConsoleGateway();
    await fillShowcase(gateway);
    await nameInEnglish(gateway);
    browser = await openConsoleBrowser(gateway.url);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  it.each(['light', 'dark'] as const)('are taken of the console: %s', async (theme) => {
    const { page, open, close } = await browser.visit({ as: 'root', language: 'en', theme });
    await page.setViewportSize({ width: 1440, height: 1180 });
    await open('/?range=week');
    const card = page.getByRole('region', { name: 'Get started' });
    if (await card.isVisible()) await card.getByRole('button').first().click();
    await page.getByRole('link', { name: 'Requests', exact: true }).first().waitFor();
    await page.getByRole('heading', { name: 'Requests and errors' }).waitFor();
    await page.getByText('Needs attention').waitFor();
    await page.waitForFunction(() => document.querySelectorAll('main svg rect').length > 6);
    await page.mouse.move(0, 0);
    await page.screenshot({ path: join(folder, `console-${theme}.png`) });
    await close();
  });
});
