import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../core/schemas/actor.ts';
import { channelCreateSchema } from '../../core/schemas/channel.ts';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { fillShowcase } from './support/showcase.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

describe('the pages of channels and models', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;
  let brokenId: number;

  beforeAll(async () => {
    gateway = await startConsoleGateway();
    await fillShowcase(gateway);
    const broken = await gateway.app.database.channels.findOne({ where: { name: 'Claude 备用' }, raw: true });
    brokenId = broken?.id ?? 0;
    browser = await openConsoleBrowser(gateway.url);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  it('say in one sentence why a channel fails, and lead to each of its parts', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open(`/channel/${brokenId}`);
    await page.getByRole('heading', { name: 'Claude 备用', level: 1 }).waitFor();
    await page.getByText(/^Failing since/).waitFor();
    await page.getByText('401 invalid x-api-key').first().waitFor();
    await page.getByRole('group', { name: 'Requests', exact: true }).first().waitFor();
    expectNoProblems();
    for (const [tab, text] of [
      ['Models and mapping', 'Upstream name'],
      ['Keys', 'Replace key'],
      ['Settings', 'Save and test'],
      ['History', 'Choose columns'],
      ['Requests', 'Choose columns'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByText(text).or(page.getByLabel(text)).first().waitFor();
    }
    expect(new URL(page.url()).searchParams.get('tab')).toBe('requests');
    await page.goBack();
    await page.getByRole('tab', { name: 'History', selected: true }).waitFor();
    expectNoProblems();
    await close();
  });

  it('show the requests of the channel alone', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    const found = await gateway.app.database.logs.findOne({ where: { type: 2 }, order: [['id', 'DESC']], raw: true });
    await open(`/channel/${found?.channel_id}?tab=requests&range=all`);
    await page.getByRole('row').nth(1).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Channel' }).count()).toBe(0);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByRole('button', { name: 'Errors' }).click();
    await expect.poll(() => asked.some((url) => url.includes(`channel=${found?.channel_id}`))).toBe(true);
    expectNoProblems();
    await close();
  });

  it('stand for models whose names contain slashes', async () => {
    const input = { name: 'router', type: 1, key: 'sk-router', models: 'openai/gpt-4.1 mini', group: 'default' };
    await gateway.app.services.channels.create(systemActor, channelCreateSchema.parse(input));
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/model/openai/gpt-4.1%20mini');
    await page.getByRole('heading', { name: 'openai/gpt-4.1 mini', level: 1 }).waitFor();
    await page.getByRole('table', { name: 'Channels' }).getByRole('link', { name: 'router' }).click();
    await page.getByRole('heading', { name: 'router', level: 1 }).waitFor();
    await page.getByRole('tab', { name: 'Models and mapping' }).click();
    await page.getByRole('link', { name: 'openai/gpt-4.1 mini' }).click();
    await page.waitForURL(/\/model\/openai\/gpt-4\.1%20mini$/);
    expectNoProblems();
    await close();
  });

  it('show admins what a model cost before, who changed it and when', async () => {
    for (const ratio of [0.25, 0.5]) await gateway.setOption('ModelRatio', JSON.stringify({ 'gpt-4o-mini': ratio }));
    const visit = await browser.visit({ as: 'root', language: 'en' });
    const { page, open, expectNoProblems, close } = visit;
    await open('/model/gpt-4o-mini?tab=price');
    const latest = page.getByRole('table', { name: 'Price history' }).getByRole('row').nth(1);
    await latest.getByText('$0.50 → $1.00').waitFor();
    await visit.inspect('model-price');
    await open('/audit?object_kind=price');
    await page.getByRole('link', { name: 'gpt-4o-mini' }).first().click();
    await page.waitForURL(/\/model\/gpt-4o-mini$/);
    expectNoProblems();
    await close();
  });

  it('show users their own requests of a model and its price, and no channels', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice', language: 'en' });
    await open('/model/gpt-4o-mini?range=week');
    await page.getByRole('group', { name: 'Spend', exact: true }).waitFor();
    expect(await page.getByRole('table', { name: 'Channels' }).count()).toBe(0);
    await page.getByRole('tab', { name: 'Price' }).click();
    await page.getByText('/ 1M').first().waitFor();
    await open('/channel/1');
    await page.getByRole('heading', { name: 'Access denied' }).waitFor();
    expectNoProblems();
    await close();
  });
});
