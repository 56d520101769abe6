import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../core/schemas/actor.ts';
import { priceLists } from '../support/price-lists.ts';
import type { TestGateway } from '../support/start-gateway.ts';
import { json } from '../support/upstream-script.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

describe('prices from a list', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    gateway = await startConsoleGateway();
    await gateway.addChannel({ name: 'acme', models: 'acme-large,house-model,nowhere-model' });
    gateway.upstream.route('/prices.json', json(200, priceLists.litellm));
    await gateway.setOption('PriceSyncSource', `${gateway.upstream.url}/prices.json`);
    await gateway.setOption('ModelRatio', '{"house-model":4}');
    browser = await openConsoleBrowser(gateway.url);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  const priceOf = (model: string) => gateway.app.services.priceSettings.get(systemActor, model);
  const press = (page: Page, name: RegExp) => page.getByRole('button', { name }).click();
  async function compare(page: Page): Promise<void> {
    await press(page, /^(同步价格|Sync prices)$/);
    await press(page, /^(比较|Compare)$/);
    await page.getByRole('checkbox', { name: 'acme-large' }).waitFor();
  }

  it('can be read in both languages, themes and widths', async () => {
    const visit = await browser.visit({ as: 'root' });
    await visit.inspectAll('/setting?tab=ratio', 'price-sync', compare);
    await visit.close();
  });

  it('are compared, rehearsed and applied; what the rules protect is chosen by hand', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/setting?tab=ratio');
    await compare(page);
    const box = (name: string) => page.getByRole('checkbox', { name });
    expect(await box('acme-large').isChecked()).toBe(true);
    expect(await box('house-model').isChecked()).toBe(false);
    const row = page.getByRole('alertdialog').getByRole('row', { name: /house-model/ });
    expect(await row.textContent()).toMatch(/Your own price.*\$8\.00 → \$1\.00.*▼ 87\.5%/);
    await page.getByRole('alertdialog').getByRole('searchbox', { name: 'Search models' }).fill('house');
    await box('acme-large').waitFor({ state: 'detached' });
    await box('house-model').check();
    await press(page, /^Rehearse$/);
    await page.getByText('There were no requests in this period.').waitFor();
    await press(page, /^Back to the comparison$/);
    expect((await priceOf('house-model')).input).toBe(8);
    await press(page, /^Apply prices \(2\)$/);
    await page.getByText('Prices applied: 2').waitFor();
    await expect.poll(async () => (await priceOf('house-model')).input).toBe(1);
    expect(await priceOf('acme-large')).toMatchObject({ input: 3, output: 12 });
    // The editor behind the dialog has the new prices without a reload.
    await page.getByRole('tab', { name: 'History' }).click();
    const history = page.getByRole('table', { name: 'Price history' });
    await history.getByText('house-model').first().waitFor();
    expect(await history.textContent()).toMatch(/house-model.*root.*Price sync.*\$8\.00 → \$1\.00/);
    expectNoProblems();
    await close();
  });

  it('says why a list cannot be read', async () => {
    gateway.upstream.route('/prices.json', json(503, {}));
    const visit = await browser.visit({ as: 'root', language: 'en', expected: /sync\/preview/ });
    await visit.open('/setting?tab=ratio');
    await press(visit.page, /^Sync prices$/);
    await press(visit.page, /^Compare$/);
    await visit.page.getByText('the server responded with HTTP 503').waitFor();
    gateway.upstream.route('/prices.json', json(200, priceLists.litellm));
    await visit.close();
  });

  it('show size, modalities and the last day of a model, and its history, on its page', async () => {
    const visit = await browser.visit({ as: 'root', language: 'en' });
    await visit.open('/model/acme-large?tab=price');
    await visit.page.getByText('Retires on 2027-03-01').first().waitFor();
    const read = async () => (await visit.page.getByRole('main').textContent()) ?? '';
    // The history is read apart from the facts.
    await expect.poll(read).toMatch(/Price sync: http/);
    const text = await read();
    expect(text).toMatch(/Context size.*200K/);
    expect(text).toMatch(/text, images, PDF/);
    expect(text).toMatch(/Abilitiestools, structured output/);
    // The list of all prices fits beside the navigation; ratios and kinds can be chosen.
    await visit.page.getByRole('main').getByRole('link', { name: 'Models', exact: true }).click();
    const grid = visit.page.getByRole('grid', { name: 'Pricing' });
    await grid.getByRole('row').filter({ hasText: 'acme-large' }).waitFor();
    expect(await grid.getByRole('link', { name: 'acme-large' }).getAttribute('href')).toBe('/model/acme-large');
    expect(await grid.evaluate(({ parentElement: part }) => part && part.scrollWidth - part.clientWidth)).toBe(0);
    await visit.inspectAll('/model/acme-large?tab=price', 'model-price');
    await visit.close();
    const reader = await browser.visit();
    await reader.inspectAll('/pricing', 'pricing-facts');
    await reader.close();
  });

  it('are offered for models of a channel that have none, and set in one step', async () => {
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    const id = await gateway.addChannel({
      name: 'aliases',
      models: 'fast,nowhere-model',
      model_mapping: '{"fast":"gpt-4o-mini"}',
    });
    await open(`/channel/edit/${id}`);
    await page.getByText('Models without a price: 2.').waitFor();
    await page.getByText('fast: list price $0.15 / $0.60 (gpt-4o-mini)').waitFor();
    await page.getByText('nowhere-model: in no price list').waitFor();
    await inspect('channel-unpriced');
    await press(page, /^Set list prices \(1\)$/);
    await page.getByText('Models without a price: 1.').waitFor();
    expect(await priceOf('fast')).toMatchObject({ input: 0.15, output: 0.6, source: 'operator' });
    expectNoProblems();
    await close();
  });
});
