import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { role, systemActor } from '../../core/schemas/actor.ts';
import { tokenCreateSchema } from '../../core/schemas/token.ts';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

/** The machine may be busy. */
const patience = { timeout: 60_000 };

describe('the pages of users and tokens', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;
  let nora: number;
  let tokenId: number;
  let peer: number;
  const rowOf = (id: number) => gateway.app.database.users.findByPk(id, { raw: true });

  beforeAll(async () => {
    gateway = await startConsoleGateway();
    browser = await openConsoleBrowser(gateway.url);
    const { database, services } = gateway.app;
    nora = await gateway.addUser('nora', 2_500_000);
    peer = await gateway.addUser('peer', 0);
    const other = await gateway.addUser('adele', 0);
    await database.users.update({ role: role.admin }, { where: { id: [peer, other] } });
    const input = tokenCreateSchema.parse({ name: 'production', remain_quota: 5_000_000 });
    tokenId = (await services.tokens.create(systemActor, input, { userId: nora })).id;
    const now = Math.floor(Date.now() / 1000);
    await database.tokens.update({ created_time: now - 9999, accessed_time: now - 60 }, { where: { id: tokenId } });
    const hour = { user_id: nora, username: 'nora', model_name: 'gpt-4o', token_used: 900, count: 3 };
    await database.usageData.bulkCreate([
      { ...hour, created_at: now - 2 * 86_400, quota: 1_500_000 },
      { ...hour, created_at: now - 9 * 86_400, quota: 250_000 },
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  it("lead from the list of users to last week's spend in one click, and to new credit in three", async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/user');
    let clicks = 0;
    const click = async (target: Locator) => {
      await target.click();
      clicks += 1;
    };
    await click(page.getByRole('link', { name: 'nora', exact: true }));
    await page.getByRole('heading', { name: 'nora', level: 1 }).waitFor();
    await page.getByText('Active.').waitFor();
    const week = page.getByRole('group', { name: 'Last 7 days' });
    await week.getByText('$3.00').waitFor();
    expect(await week.textContent()).toMatch(/500%.*vs\. previous 7 days/);
    expect(await week.textContent()).not.toContain('compare');
    expect(clicks).toBe(1);
    await click(page.getByRole('button', { name: 'Add credit' }));
    const drawer = page.getByRole('dialog');
    await drawer.locator('input[name=amount]').fill('2.50');
    await drawer.locator('input[name=note]').fill('goodwill');
    await click(drawer.getByRole('button', { name: 'Add credit' }));
    await drawer.waitFor({ state: 'detached' });
    expect(clicks).toBe(3);
    await page.getByRole('group', { name: 'Balance' }).getByText('$7.50').waitFor();
    expect((await rowOf(nora))?.quota).toBe(3_750_000);
    await page.getByRole('tab', { name: 'Credit' }).click();
    const line = page.getByRole('row').filter({ hasText: 'goodwill' });
    await line.getByText('+$2.50').waitFor();
    // Nothing is left to do.
    await page.getByRole('columnheader', { name: 'Actions' }).waitFor({ state: 'detached' });
    expect(await line.textContent()).toContain('root');
    expectNoProblems();
    await close();
  });

  it('M10: mark an order as paid, with a reason, and show who did it', async () => {
    const { database } = gateway.app;
    const order = {
      user_id: nora,
      money: 7.3,
      money_cents: 730,
      amount: 1,
      quota: 500_000,
      create_time: 1_800_000_000,
    };
    await database.topUps.create({ ...order, trade_no: 'USR7NOseen', payment_method: 'zfb' });
    const before = (await rowOf(nora))?.quota ?? 0;
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open(`/user/${nora}?tab=credit`);
    const line = page.getByRole('row').filter({ hasText: 'USR7NOseen' });
    await line.getByText('Not paid').waitFor();
    await page.getByRole('columnheader', { name: 'Actions' }).waitFor();
    await line.getByRole('button', { name: 'Mark as paid' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText('$1.00 is credited to the user').waitFor();
    await drawer.getByRole('button', { name: 'Mark as paid and credit' }).click();
    await drawer.locator('[role=alert], .fui-Field__validationMessage').first().waitFor();
    expect((await rowOf(nora))?.quota).toBe(before);
    await drawer.locator('input[name=reason]').fill('seen on the statement');
    await drawer.getByRole('button', { name: 'Mark as paid and credit' }).click();
    await drawer.waitFor({ state: 'detached' });
    await line.getByText('Paid', { exact: true }).waitFor();
    expect(await line.textContent()).toContain('root');
    expect((await rowOf(nora))?.quota).toBe(before + 500_000);
    expectNoProblems();
    await close();
  });

  it('set and remove an e-mail address', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open(`/user/${nora}?tab=settings`);
    const address = page.locator('input[name=email]');
    const save = async (text: string, stored: string) => {
      await address.fill(text);
      await page.getByRole('button', { name: 'Save' }).click();
      await expect.poll(async () => (await rowOf(nora))?.email, patience).toBe(stored);
    };
    await save('Nora@Example.com', 'Nora@example.com');
    await page.getByText('User updated.').first().waitFor();
    await open(`/user/${nora}?tab=settings`);
    await save('', '');
    expectNoProblems();
    await close();
  });

  it('show the parts of a user: requests, tokens with masked keys, sessions that can be ended, settings', async () => {
    const owner = await browser.visit({ as: 'nora' });
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open(`/user/${nora}`);
    await page.getByRole('tab', { name: 'Requests' }).click();
    await page.getByRole('button', { name: 'Errors' }).first().waitFor();
    await page.getByRole('tab', { name: 'Sessions' }).click();
    const sessions = () => gateway.app.database.sessions.count({ where: { user_id: nora } });
    expect(await sessions()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'End all sessions' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'End all sessions' }).click();
    await page.getByText('The user is not signed in anywhere.').waitFor();
    expect(await sessions()).toBe(0);
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.locator('input[name=display_name]').fill('Nora N');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await rowOf(nora))?.display_name, patience).toBe('Nora N');
    await page.getByRole('tab', { name: 'Tokens' }).click();
    // On a phone, too, the name on a card leads to the thing.
    await page.setViewportSize({ width: 390, height: 900 });
    await page.getByRole('listitem').getByRole('link', { name: 'production' }).click();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('heading', { name: 'production', level: 1 }).waitFor();
    await page.getByText('Last used').first().waitFor();
    await page.getByRole('link', { name: 'nora' }).first().waitFor();
    expect(await page.getByRole('tab').count()).toBe(3);
    expect(await page.getByRole('tab', { name: 'Settings' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Copy key' }).count()).toBe(0);
    await page.getByRole('tab', { name: 'Limits' }).click();
    await page.getByText('All models').waitFor();
    expectNoProblems();
    await close();
    await owner.close();
  });

  it('let the owner of a token change and copy it', async () => {
    const userId = await gateway.addUser('otto', 1_000_000);
    const input = tokenCreateSchema.parse({ name: 'mine', remain_quota: 500_000 });
    const { id } = await gateway.app.services.tokens.create(systemActor, input, { userId });
    const { page, open, close } = await browser.visit({ as: 'otto', language: 'en' });
    await open('/token');
    await page.getByRole('link', { name: 'mine' }).click();
    await page.getByRole('button', { name: 'Copy key' }).waitFor();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.locator('input[name=name]').fill('yours');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'yours', level: 1 }).waitFor();
    expect(await gateway.app.database.tokens.findByPk(id, { raw: true })).toMatchObject({ name: 'yours' });
    await open(`/token/${tokenId}`);
    await page.getByRole('button', { name: 'Retry' }).waitFor();
    await close();
  });

  it('are closed to admins where the account is one of their like', async () => {
    const { page, open, close } = await browser.visit({ as: 'adele', language: 'en' });
    await open(`/user/${peer}`);
    await page.getByRole('button', { name: 'Retry' }).waitFor();
    expect(await page.getByRole('tab').count()).toBe(0);
    await close();
  });

  it('stand in every look and are accessible', async () => {
    const visit = await browser.visit({ as: 'root' });
    const row = async (page: Page) => void (await page.getByText('production').first().waitFor());
    await visit.inspectAll(`/user/${nora}?range=week`, 'user-object');
    await visit.inspectAll(`/user/${nora}?tab=tokens`, 'user-object-tokens', row);
    await visit.inspectAll(`/user/${nora}?tab=credit`, 'user-object-credit', async (page) =>
      page.getByText('goodwill').first().waitFor(),
    );
    await visit.inspectAll(`/user/${nora}?tab=sessions`, 'user-object-sessions');
    await visit.inspectAll(`/token/${tokenId}?range=week`, 'token-object', row);
    await visit.inspectAll(`/token/${tokenId}?tab=limits`, 'token-object-limits', row);
    await visit.close();
  });
});
