import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../core/schemas/actor.ts';
import type { TestGateway } from '../support/start-gateway.ts';
import { failure } from '../support/upstream-script.ts';
import { type ConsoleBrowser, openConsoleBrowser, testPassword } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

/** So many stand between an installation that was just started and its first request. */
const maxClicks = 6;

describe('a fresh installation', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    gateway = await startConsoleGateway({ TOLLGATE_ROOT_PASSWORD: '' });
    const channels = await gateway.app.database.channels.findAll({ raw: true });
    await gateway.app.services.channels.remove(
      systemActor,
      channels.map(({ id }) => id),
    );
    browser = await openConsoleBrowser(gateway.url, { isDirect: true });
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  it('leads from its first page to the first request in a few clicks, and goes on after a reload', async () => {
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({
      language: 'en',
      // The wrong key.
      expected: /fetch_models 500$/,
    });
    let clicks = 0;
    const press = async (name: string) => {
      clicks += 1;
      await page.getByRole('button', { name, exact: true }).click();
    };
    await open('/');
    await page.waitForURL(/\/setup$/);
    await page.locator('input[name=password]').fill(testPassword);
    await page.locator('input[name=confirmPassword]').fill(testPassword);
    await press('Save and continue');
    await step(page, 'Root password').getByText('Signed in as root').waitFor();

    await press('OpenAI');
    await page.locator('input[name=key]').fill('sk-wrong');
    await page.locator('input[name=base_url]').fill(gateway.upstream.url);
    gateway.upstream.respond(failure(401, { message: 'Incorrect API key provided' }));
    await press('Read models');
    const refusal = page.getByRole('alert').filter({ hasText: 'Incorrect API key provided' });
    await refusal.waitFor();
    await expect
      .poll(() => page.locator('input[name=key]').evaluate((field) => field === document.activeElement))
      .toBe(true);
    await inspect('setup-wrong-key');
    // The mistake is not part of the way.
    clicks -= 1;

    await page.locator('input[name=key]').fill('upstream-key');
    await press('Read models');
    await page.getByText('7 of 7 models selected').waitFor();
    await inspect('setup-models');
    await press('Add and test');
    await step(page, 'Provider').getByText('OpenAI, models: 7').waitFor();

    await page.reload();
    const key = await page.getByLabel('API key', { exact: true }).inputValue();
    expect(key).toMatch(/^sk-\w{32,}$/);
    await press('Copy example');
    const example = await page.evaluate(() => navigator.clipboard.readText());
    expect(example).toContain(`curl ${gateway.url}/v1/chat/completions`);
    expect(example).toContain(`Bearer ${key}`);
    expect(example).toContain('"model":"gpt-4o"');
    await step(page, 'First request').getByText('Waiting for your first request').waitFor();
    await page.mouse.move(0, 0);
    await inspect('setup-waiting');
    expect(clicks).toBeLessThanOrEqual(maxClicks);

    const refused = await gateway.chat({ model: 'no-such-model' }, { key });
    expect(refused.ok).toBe(false);
    await step(page, 'First request').getByText('A request arrived but failed').waitFor();
    const served = await gateway.chat({ model: 'gpt-4o' }, { key });
    expect(served.status).toBe(200);
    await step(page, 'First request').getByText('Your first request arrived: gpt-4o').waitFor();
    await inspect('setup-done');
    await page.getByRole('link', { name: 'Show receipt' }).click();
    await page.getByText('gpt-4o').first().waitFor();
    await open('/');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await page.getByRole('region', { name: 'Get started' }).count()).toBe(0);
    expectNoProblems();
    await close();
  });
});

describe('an installation that was begun', () => {
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

  it('asks visitors to sign in first, and goes on from there', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ language: 'en' });
    await open('/setup');
    await page.waitForURL(/\/login$/);
    await page.locator('input[name=username]').fill('root');
    await page.locator('input[name=password]').fill(testPassword);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/setup$/);
    await page.getByRole('button', { name: 'Create an API key' }).click();
    await step(page, 'First request').getByText('Waiting for your first request').waitFor();
    expectNoProblems();
    await close();
  });

  it('does not count the test of a channel as a request', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    const root = await gateway.app.database.users.findOne({ where: { username: 'root' }, raw: true });
    await gateway.addToken(root?.id ?? 0);
    const [channel] = await gateway.app.database.channels.findAll({ raw: true });
    const { ok } = await gateway.app.services.channelChecks.test(systemActor, channel?.id ?? 0);
    expect(ok).toBe(true);
    await open('/');
    await page.getByRole('region', { name: 'Get started' }).getByRole('link', { name: 'Send a request' }).click();
    await page.waitForURL(/\/setup$/);
    await step(page, 'First request').getByText('Waiting for your first request').waitFor();
    // A request of another user came, and root has no key yet.
    const { logs, tokens } = gateway.app.database;
    await tokens.destroy({ where: { user_id: root?.id ?? 0 } });
    const call = { user_id: gateway.userId, created_at: 1_700_000_000, type: 2, model_name: 'gpt-4o', quota: 1 };
    const request = await logs.create(call);
    await page.reload();
    await step(page, 'First request').getByRole('link', { name: 'Show receipt' }).waitFor();
    await step(page, 'Your API key').getByRole('button').waitFor();
    await request.destroy();
    await gateway.addToken(root?.id ?? 0);
    expectNoProblems();
    await close();
  });

  it('looks right in every look and is accessible', { timeout: 180_000 }, async () => {
    const visit = await browser.visit({ as: 'root' });
    await visit.inspectAll('/setup', 'setup-begun');
    await visit.close();
  });
});

const step = (page: Page, name: string) => page.getByRole('region', { name });
