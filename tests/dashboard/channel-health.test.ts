import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addChannelHealth } from '../support/add-channel-health.ts';
import type { TestGateway } from '../support/start-gateway.ts';
import { json } from '../support/upstream-script.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

const model = 'gpt-4o-mini';
const error = 'the deployment in the region eu-west is over its limit of 60 requests per minute';
const speeds = [80, 80, 80, 10];

const cellsOf = (row: Locator) => row.locator('th, td').allTextContents();

describe('the health of channels in the console', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;
  let second: number;
  let tries = 0;

  beforeAll(async () => {
    gateway = await startConsoleGateway();
    await gateway.setOption('RetryTimes', '0');
    second = await gateway.addChannel({ name: 'second', models: model, priority: -5 });
    await addChannelHealth(gateway.app.database, [
      { channelId: second, model, ok: 9, failed: 1, firstTokens: [500, 500, 500, 4000], speeds, error, ago: 1200 },
      { channelId: second, model, ok: 1190, ago: 5 * 3600 },
    ]);
    browser = await openConsoleBrowser(gateway.url);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  it('says when figures appear, and shows what requests were like without a reload', async () => {
    tries += 1;
    const name = `new ${tries}`;
    const id = await gateway.addChannel({ name, models: model, priority: tries });
    const { page, open, expectNoProblems, close } = await browser.visit({
      as: 'root',
      language: 'en',
      setsClock: true,
    });
    await page.clock.install();
    await open(`/channel/${id}`);
    await page.getByRole('tab', { name: 'Health' }).click();
    await page.getByText('Figures appear here within half a minute after a request.').waitFor();

    for (const stream of [true, true, false]) expect((await gateway.chat({ model, stream })).status).toBe(200);
    gateway.upstream.respond(json(503, { error: { message: 'no capacity' } }));
    expect((await gateway.chat({ model })).status).toBe(503);
    await gateway.gateway.exchangeHealth();
    await page.clock.runFor(21_000);
    const row = page.getByRole('table', { name: 'Health by model' }).getByRole('row').nth(1);
    await row.getByText('75%').waitFor();
    const [served, success, requests, firstToken, , failure] = await cellsOf(row);
    expect([served, success, requests]).toEqual([model, '75%', '41 failed']);
    expect(firstToken).toMatch(/^\d.* m?s \/ \d.* m?s$/);
    expect(failure).toMatch(/^just now./);

    await row.getByRole('link', { name: model }).click();
    await page.getByRole('heading', { name: model, level: 1 }).waitFor();
    await page.getByRole('tab', { name: 'Health' }).click();
    const channel = page.getByRole('row').filter({ has: page.getByRole('link', { name }) });
    await channel.getByRole('link', { name }).waitFor();
    // The error leads to the request that failed.
    await channel.getByRole('link').last().click();
    await page.waitForURL((url) => url.pathname === '/log' && url.searchParams.get('channel') === String(id));
    await page.getByRole('row').filter({ hasText: model }).first().waitFor();
    expectNoProblems();
    await close();
  });

  it('compares the channels of a model over the span that is chosen, and keeps it in the address', async () => {
    const visit = await browser.visit({ as: 'root', language: 'en' });
    const { page, open, expectNoProblems, close } = visit;
    await open(`/model/${model}?tab=health`);
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'second' }) });
    await row.getByText('90%').waitFor();
    const figures = ['101 failed', '512 ms / 4.1 s', '76.1 / 9.51', `20 min. ago${error}`];
    expect(await cellsOf(row)).toEqual(['second', '90%', ...figures]);
    await page.getByRole('tab', { name: 'Day' }).click();
    await row.getByText('1,200').waitFor();
    await row.getByText('99.9%').waitFor();
    await page.reload();
    await row.getByText('99.9%').waitFor();
    expect(new URL(page.url()).searchParams.get('span')).toBe('day');
    await page.getByRole('tab', { name: '5 minutes' }).click();
    await expect.poll(() => cellsOf(row)).toEqual(['second', '–', '0', '–', '–', `20 min. ago${error}`]);
    await row.getByRole('link', { name: 'second' }).click();
    await page.waitForURL(new RegExp(`/channel/${second}$`));
    expectNoProblems();
    await visit.inspectAll(`/channel/${second}?tab=health`, 'channel-health', async () => {
      await page.getByText(error).waitFor();
    });
    await visit.inspectAll(`/model/${model}?tab=health&span=day`, 'model-health', async () => {
      await page.getByText(error).waitFor();
    });
    await close();
  });

  it('is not shown to users', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice', language: 'en' });
    await open(`/model/${model}?tab=health`);
    await page.getByRole('tab', { name: 'Overview', selected: true }).waitFor();
    expect(await page.getByRole('tab', { name: 'Health' }).count()).toBe(0);
    expectNoProblems();
    await close();
  });
});
