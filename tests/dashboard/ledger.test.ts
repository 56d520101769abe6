import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../core/schemas/actor.ts';
import { limitCreateSchema } from '../../core/schemas/limit.ts';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

describe('the pages that prove and explain', () => {
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

  it('proves the ledger at the press of a button, and shows what differs', async () => {
    await gateway.app.database.runProgress.destroy({ where: {} });
    const { page, open, expectNoProblems, inspect, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/ledger');
    await page.getByText('Not proven yet').waitFor();
    await page.getByRole('button', { name: 'Prove now' }).click();
    await page.getByText(/^Everything agrees/).waitFor();
    await page.getByRole('row', { name: /Agrees .* root/ }).waitFor();
    await inspect('ledger');
    const { users, tokens } = gateway.app.database;
    const token = await tokens.findOne({ where: { user_id: gateway.userId }, raw: true });
    await tokens.update({ used_quota: 1_000_000 }, { where: { id: token?.id ?? 0 } });
    const before = (await users.findByPk(gateway.userId, { raw: true }))?.quota ?? 0;
    await users.update({ quota: before + 500_000 }, { where: { id: gateway.userId } });
    await page.getByRole('button', { name: 'Prove now' }).click();
    await page.getByText(/^The books do not agree/).waitFor();
    const row = page.getByRole('row', { name: new RegExp(`^User ${gateway.userId} Balance .* \\$1\\.00$`) });
    await row.waitFor();
    await page
      .getByRole('link', { name: `Token ${token?.id}` })
      .first()
      .waitFor();
    await inspect('ledger-difference');
    await tokens.update({ used_quota: token?.used_quota ?? 0 }, { where: { id: token?.id ?? 0 } });
    await users.update({ quota: before }, { where: { id: gateway.userId } });
    expectNoProblems();
    await close();
  });

  it('says how many of many differences it lists, and where the others are', async () => {
    const { users } = gateway.app.database;
    for (let index = 0; index < 22; index++) await gateway.addUser(`wrong-${index}`, 1);
    const wrong = { username: Array.from({ length: 22 }, (_, index) => `wrong-${index}`) };
    await users.update({ quota: 2 }, { where: wrong });
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/ledger');
    await page.getByRole('button', { name: 'Prove now' }).click();
    await page.getByText('22 figures are not what the entries and log rows add up to.').waitFor();
    await page.getByText('The first 20 are listed here; the command tollgate ledger verify lists more.').waitFor();
    await users.update({ quota: 1 }, { where: wrong });
    expectNoProblems();
    await close();
  });

  it('explains which channel would serve a request, why others would not, and what it costs', async () => {
    await gateway.app.database.channels.destroy({ where: {} });
    await gateway.addToken(gateway.userId, { name: 'picked' });
    const token = await gateway.app.database.tokens.findOne({ where: { name: 'picked' }, raw: true });
    const amounts = [
      { period: 'month', amount: 10_000_000 },
      { period: 'day', amount: 1 },
    ];
    for (const amount of amounts) {
      const budget = { subject_kind: 'token', subject: token?.id, measure: 'budget', ...amount };
      await gateway.app.services.limits.create(systemActor, limitCreateSchema.parse(budget));
    }
    await gateway.addChannel({ name: 'spare', models: 'gpt-4o', group: 'vip' });
    await gateway.addChannel({ name: 'steady', models: 'gpt-4o', priority: 50 });
    await gateway.addChannel({ name: 'behind', models: 'gpt-4o' });
    const { page, open, expectNoProblems, inspect, close } = await browser.visit({ as: 'root', language: 'en' });
    await gateway.app.services.limits.create(
      systemActor,
      limitCreateSchema.parse({ subject_kind: 'user', measure: 'requests', period: 'minute', amount: 60 }),
    );
    await open('/explain?model=gpt-4o');
    expect(await page.getByRole('combobox', { name: 'Group' }).inputValue(), 'what is asked for').toBe('default');
    await page.getByRole('button', { name: 'Explain', exact: true }).click();
    await page.getByText('Served by steady').waitFor();
    const channels = page.getByRole('region', { name: 'Channels' }).first();
    await channels.getByRole('row', { name: /^steady First 100%/ }).waitFor();
    await channels.getByRole('row', { name: /^spare Not used/ }).waitFor();
    await page.getByRole('region', { name: 'Price' }).getByText('$10.00').waitFor();
    await page
      .getByRole('region', { name: 'What would be sent' })
      .getByText(/"model": "gpt-4o"/)
      .waitFor();
    expect(await channels.getByText('first-token limit').count(), 'the call is not streamed').toBe(0);
    await page.getByRole('switch', { name: 'Streamed response' }).click();
    await page.getByRole('button', { name: 'Explain', exact: true }).click();
    await channels.getByText('first-token limit 12 s, the default while few requests are measured (0)').waitFor();
    await inspect('explain');
    await page.setViewportSize({ width: 390, height: 900 });
    await channels.getByRole('row', { name: /^spare .+ Not used/ }).waitFor();
    const lack = await channels
      .getByRole('table')
      .evaluate((table) => table.scrollWidth - (table.parentElement?.clientWidth ?? 0));
    expect(lack).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(await channels.getByRole('link', { name: 'steady' }).getAttribute('href')).toMatch(/^\/channel\/\d+$/);
    const pick = async (field: string, typed: string, option: string | RegExp) => {
      await page.getByRole('combobox', { name: field }).click();
      await page.getByRole('combobox', { name: field }).fill(typed);
      await page.getByRole('option', { name: option }).click();
    };
    await pick('Group', 'vip', /^vip$/);
    await page.getByRole('button', { name: 'Explain', exact: true }).click();
    await page.getByText('Served by spare').waitFor();
    const limits = page.getByRole('region', { name: 'Limits' });
    await limits.getByText('Each user', { exact: true }).waitFor();
    await limits.getByRole('progressbar', { name: /^Each user: / }).waitFor();
    await pick('Channel', 'stea', /^steady #\d+$/);
    await page.getByRole('button', { name: 'Explain', exact: true }).click();
    await page.getByText('Served by steady').waitFor();
    await page.getByText('gpt-4o in the group vip', { exact: false }).waitFor();
    // The token brings its own group, and its limits.
    await pick('Token', 'picked', /^picked \(/);
    await page.getByRole('button', { name: 'Explain', exact: true }).click();
    await page.getByText('gpt-4o in the group default', { exact: false }).waitFor();
    const budget = limits.getByRole('listitem').filter({ hasText: '$20.00 per month' });
    await budget.getByText('$20.00 left').waitFor();
    expect(await budget.getByRole('link', { name: 'picked' }).getAttribute('href')).toBe(`/token/${token?.id}`);
    const spent = limits.getByRole('listitem').filter({ hasText: '$0.000002 per day' });
    await spent.getByText('Refuses the request').waitFor();
    await page.getByText('Refused', { exact: true }).waitFor();
    await inspect('explain-token');
    await open('/explain?model=gpt-4o&group=nobody');
    await page.getByRole('button', { name: 'Explain', exact: true }).click();
    await page.getByText('Refused', { exact: true }).waitFor();
    // Names of models tell case apart.
    await pick('Model', 'Meta-Llama', 'Meta-Llama');
    expectNoProblems();
    await close();
  });

  it('keeps both pages from users', async () => {
    const { page, open, close } = await browser.visit({ as: 'alice', language: 'en' });
    for (const path of ['/ledger', '/explain']) {
      await open(path);
      await page.getByRole('heading', { name: 'Access denied' }).waitFor();
    }
    expect(await page.getByRole('link', { name: 'Ledger' }).count()).toBe(0);
    await close();
  });
});
