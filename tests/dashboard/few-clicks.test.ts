import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { channelStatus } from '../../core/schemas/channel-status.ts';
import type { TestGateway } from '../support/start-gateway.ts';
import { failure } from '../support/upstream-script.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

describe('from the overview, in few clicks', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;
  let broken: number;

  beforeAll(async () => {
    gateway = await startConsoleGateway();
    browser = await openConsoleBrowser(gateway.url);
    await gateway.setOption('RetryTimes', '0');
    broken = await gateway.addChannel({ name: 'west', key: 'west', models: 'gpt-4o', priority: 9 });
    gateway.upstream.always(({ headers }) =>
      headers.authorization?.endsWith('west') ? failure(500) : failure(500, { message: 'also down' }),
    );
    for (let call = 0; call < 6; call += 1) await gateway.chat({ model: 'gpt-4o' });
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  /** Counts what is pressed. */
  function counter() {
    let clicks = 0;
    return {
      count: () => clicks,
      async click(target: Locator) {
        await target.click();
        clicks += 1;
      },
    };
  }

  it('a broken channel is switched off in two', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    const { click, count } = counter();
    await open('/');
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await click(attention.getByRole('link', { name: 'west' }));
    await page.waitForURL(/\/channel\/\d+$/);
    await click(page.getByRole('button', { name: 'Disable' }));
    await page.getByText('Disabled', { exact: false }).first().waitFor();
    expect(count()).toBe(2);
    await expect
      .poll(async () => (await gateway.app.database.channels.findByPk(broken, { raw: true }))?.status)
      .not.toBe(channelStatus.enabled);
    expectNoProblems();
    await close();
  });

  it('a failed request is opened in one, with why and where it was tried', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    const { click, count } = counter();
    await open('/');
    const failures = page.getByRole('region', { name: 'Latest failures' });
    await click(failures.getByRole('listitem').first().getByRole('link').first());
    const receipt = page.getByRole('region', { name: /^Receipt/ });
    await receipt.getByText('Channels tried').waitFor();
    await receipt
      .getByRole('link', { name: `#${broken}` })
      .first()
      .waitFor();
    expect(count()).toBe(1);
    expectNoProblems();
    await close();
  });

  it('a price is changed in four, and a price page leads there', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    const { click, count } = counter();
    await open('/');
    await click(page.getByRole('link', { name: 'Pricing' }).first());
    await click(page.getByRole('link', { name: 'Set prices' }));
    const card = page.getByRole('region', { name: 'Model prices' });
    const cell = card.getByLabel('gpt-4o-mini Input / 1M', { exact: true });
    await click(cell);
    await cell.fill('0.4');
    await click(page.getByRole('button', { name: /^Save/ }));
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(count()).toBe(4);
    expect(gateway.app.services.options.get('ModelRatio')).toEqual({ 'gpt-4o-mini': 0.2 });
    expectNoProblems();
    await close();
  });

  it.each([
    ['/user', 'Sign-up quota', 'quota'],
    ['/user', 'Registration settings', 'sign-in'],
    ['/log', 'Log settings', 'log'],
    ['/channel', 'Monitoring settings', 'monitoring'],
    ['/topup', 'Payment settings', 'payment'],
  ])('the settings behind %s are one away, for root only', async (path, name, section) => {
    const root = await browser.visit({ as: 'root', language: 'en' });
    await root.open(path);
    await root.page.getByRole('link', { name }).click();
    await root.page.waitForURL(new RegExp(`/setting\\?section=${section}$`));
    await root.page.locator(`#section-${section}`).waitFor();
    root.expectNoProblems();
    await root.close();
    if (path !== '/log' && path !== '/topup') return;
    const alice = await browser.visit({ as: 'alice', language: 'en' });
    await alice.open(path);
    await alice.page.getByRole('heading', { level: 1 }).waitFor();
    expect(await alice.page.getByRole('link', { name }).count()).toBe(0);
    await alice.close();
  });

  it('a page is fetched while its entry in the navigation is pointed at', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/channel');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.getByRole('navigation').getByRole('link', { name: 'Users', exact: true }).hover();
    const isAsked = () => asked.some((path) => path.includes('user-page'));
    await expect.poll(isAsked, { timeout: 20_000 }).toBe(true);
    expect(new URL(page.url()).pathname).toBe('/channel');
    expectNoProblems();
    await close();
  });
});
