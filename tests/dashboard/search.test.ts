import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

describe('search from any page', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;
  let failedId: string;

  beforeAll(async () => {
    gateway = await startConsoleGateway();
    browser = await openConsoleBrowser(gateway.url);
    const response = await gateway.chat({ model: 'no-such-model' });
    failedId = response.headers.get('x-request-id') ?? '';
    const where = { request_id: `failed:${failedId}` };
    await vi.waitFor(async () => expect(await gateway.app.database.logs.count({ where })).toBe(1), 30_000);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  it.each(['/channel', '/setting', '/docs/cli'])('finds a failure by request ID in three keys: %s', async (path) => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open(path);
    let inputs = 0;
    const step = async (input: Promise<void>) => {
      inputs++;
      await input;
    };
    await step(page.keyboard.press('/'));
    await page.getByRole('combobox', { name: /^Search pages/ }).waitFor();
    // Pasted.
    await step(page.keyboard.insertText(failedId));
    await step(page.keyboard.press('Enter'));
    await page
      .getByRole('region', { name: /^Receipt/ })
      .getByText(failedId)
      .waitFor();
    await page.getByText('relay.unknownModel').waitFor();
    expect(inputs).toBe(3);
    expectNoProblems();
    await close();
  });

  it('stays where it is while words are typed: the field does not move with the number of hits', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/token');
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: /^Search pages/ });
    await field.waitFor();
    const top = async () => (await field.boundingBox())?.y;
    const before = await top();
    await field.fill('no such thing anywhere');
    await page.getByText('No matches').waitFor();
    expect(await top()).toBe(before);
    expectNoProblems();
    await close();
  });

  it('finds things of each kind in groups, by field, keys and pointer', async () => {
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    const field = page.getByRole('combobox', { name: /^Search pages/ });
    const option = (group: string) => page.getByRole('group', { name: group, exact: true }).getByRole('option');
    await field.fill('alice');
    await option('Users').filter({ hasText: 'alice' }).waitFor();
    await field.fill('fake');
    await option('Channels').filter({ hasText: 'fake' }).waitFor();
    await field.fill('gpt');
    await option('Models').first().waitFor();
    await inspect('search');
    await field.fill('retention');
    await option('Settings').first().click();
    await page.waitForURL(/\/setting\?tab=\w+&q=\w+/);
    await page.keyboard.press('Control+k');
    // The page that arrives meanwhile leaves the focus where the reader put it.
    await page.waitForFunction(() => document.title.startsWith('Settings'));
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true);
    await field.fill('command line');
    await option('Documentation').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/cli$/);
    // In a field it is a letter.
    await open('/log');
    await page.getByRole('searchbox').first().press('/');
    expect(await page.getByRole('searchbox').first().inputValue()).toBe('/');
    expectNoProblems();
    await close();
  });

  it('finds for users only what is theirs', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice', language: 'en' });
    await open('/token');
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: /^Search pages/ });
    await field.fill('gpt');
    await page.getByRole('group', { name: 'Models' }).getByRole('option').first().waitFor();
    for (const word of ['fake', 'root']) {
      await field.fill(word);
      await page.getByText('No matches').waitFor();
    }
    expectNoProblems();
    await close();
  });
});
