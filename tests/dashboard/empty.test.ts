import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../core/schemas/actor.ts';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

describe('an installation without a channel', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    gateway = await startConsoleGateway();
    const channels = await gateway.app.database.channels.findAll({ raw: true });
    await gateway.app.services.channels.remove(
      systemActor,
      channels.map(({ id }) => id),
    );
    browser = await openConsoleBrowser(gateway.url);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  it.each(['/playground', '/pricing'])(
    '%s says that no model is there, and leads admins to a channel',
    async (path) => {
      const { page, open, inspect, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
      await open(path);
      await page.getByRole('heading', { name: /^No models are available yet/ }).waitFor();
      await inspect(`empty${path.replace('/', '-')}`);
      await page.locator('main').getByRole('link', { name: 'Add channel' }).click();
      await page.waitForURL(/\/channel\/add$/);
      expectNoProblems();
      await close();
      const alice = await browser.visit({ as: 'alice', language: 'en' });
      await alice.open(path);
      await alice.page.getByRole('heading', { name: /^No models are available yet/ }).waitFor();
      expect(await alice.page.locator('main').getByRole('link', { name: 'Add channel' }).count()).toBe(0);
      await alice.close();
    },
  );

  it('needs attention: every request is refused', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/');
    await page.getByText('There are no channels yet. Until you add one, every request is refused.').waitFor();
    expect(await page.getByText('Nothing needs attention').count()).toBe(0);
    await open('/explain');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('This field is required').waitFor();
    expectNoProblems();
    await close();
  });

  it('has one example of a call on its home page', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/home');
    await page.getByRole('heading', { name: 'Three protocols, one key' }).waitFor();
    expect(await page.getByLabel('Base URL', { exact: true }).count()).toBe(1);
    expectNoProblems();
    await close();
  });

  it('names the role of root in one line', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/user');
    const badge = page.getByRole('gridcell').getByText('Super admin', { exact: true });
    for (const width of [1280, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await badge.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThanOrEqual(
        0,
      );
    }
    expectNoProblems();
    await close();
  });
});
