import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../core/schemas/actor.ts';
import { limitCreateSchema, limitListSchema } from '../../core/schemas/limit.ts';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

const dollar = 500_000;

describe('limits in the console', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;
  let alice: number;
  let token: number;

  const services = () => gateway.app.services;
  const create = (input: Record<string, unknown>) =>
    services().limits.create(systemActor, limitCreateSchema.parse(input));
  const all = async () => (await services().limits.list(systemActor, limitListSchema.parse({ sort: 'id' }))).items;

  /** As the ledger books it; the window is the one the limit is in. */
  async function use(id: number, subject: number | string, used: number, held = 0): Promise<void> {
    const { database } = gateway.app;
    const now = new Date();
    const start = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1) / 1000;
    await database.limitUsage.create({ limit_id: id, subject: String(subject), window_start: start, used, held });
  }

  beforeAll(async () => {
    gateway = await startConsoleGateway();
    alice = (await services().users.find(systemActor, 'alice')).id;
    const own = await gateway.app.database.tokens.findOne({ where: { user_id: alice }, raw: true });
    token = own?.id ?? 0;
    const month = { measure: 'budget', period: 'month' };
    const near = await create({ subject_kind: 'user', subject: alice, ...month, amount: 20 * dollar });
    await use(near.id, alice, 16 * dollar, dollar);
    const over = await create({ subject_kind: 'token', subject: token, ...month, amount: 2 * dollar });
    await use(over.id, token, 2 * dollar);
    const each = await create({ subject_kind: 'user', measure: 'requests', amount: 60 });
    await create({ subject_kind: 'model', subject: 'gpt-4o', measure: 'concurrency', amount: 8 });
    const shared = await create({ subject_kind: 'group', subject: 'default', ...month, amount: 300 * dollar });
    await use(shared.id, 'default', 123 * dollar);
    expect(each.id).toBeGreaterThan(0);
    browser = await openConsoleBrowser(gateway.url);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  it('are listed with bars whose text says when they are nearly or wholly used, and filtered by whom they are for', async () => {
    const visit = await browser.visit({ as: 'root', language: 'en' });
    const { page, open, expectNoProblems, close } = visit;
    await open('/limit');
    const row = (text: string) => page.getByRole('row').filter({ hasText: text });
    await row('$20.00 per month').getByText('85% used, nearly all').waitFor();
    await row('$20.00 per month').getByText('$17.00 of $20.00').waitFor();
    await row('$2.00 per month').getByText('100%, used up').waitFor();
    await row('60 requests per minute').getByText('Each user').waitFor();
    await page.getByRole('combobox', { name: 'Applies to' }).selectOption('user');
    await row('$2.00 per month').waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('subject_kind')).toBe('user');
    await row('$20.00 per month').getByRole('link', { name: 'alice' }).click();
    await page.waitForURL(new RegExp(`/user/${alice}$`));
    expectNoProblems();
    await visit.inspectAll('/limit', 'limits', async () => {
      await page.getByText('85%').first().waitFor();
    });
    await close();
  });

  it('keep what another admin made of one while its form was open, until the current amount was seen', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({
      as: 'root',
      language: 'en',
      expected: /409/,
    });
    const made = await create({ subject_kind: 'group', subject: 'busy', measure: 'requests', amount: 40 });
    await open('/limit');
    const row = page.getByRole('row').filter({ hasText: 'busy' });
    await row.getByRole('button', { name: 'Change' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.locator('input[name=amount]').fill('50');
    await services().limits.update(systemActor, { id: made.id, amount: 45 });
    await drawer.getByRole('button', { name: 'Save' }).click();
    const question = page.getByRole('alertdialog', { name: 'The same fields were changed in the meantime' });
    await question.getByText('45 requests per minute').waitFor();
    expect((await services().limits.get(systemActor, made.id)).amount).toBe(45);
    await question.getByRole('button', { name: 'Load current values' }).click();
    expect(await drawer.locator('input[name=amount]').inputValue()).toBe('50');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await row.getByText('50 requests per minute').waitFor();
    await services().limits.remove(systemActor, made.id);
    expectNoProblems();
    await close();
  });

  it('are added, changed, turned off and on again, and deleted by an admin', async () => {
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/limit');
    await page.getByRole('button', { name: 'Add limit' }).click();
    const drawer = page.getByRole('dialog', { name: 'Add limit' });
    await drawer.getByRole('button', { name: 'Create' }).click();
    await drawer.getByText('Choose one from the list.').first().waitFor();
    await drawer.getByRole('combobox', { name: 'Applies to' }).click();
    await page.getByRole('option', { name: 'One group' }).click();
    await drawer.getByRole('combobox', { name: 'Group' }).click();
    await drawer.getByRole('combobox', { name: 'Group' }).fill('vip');
    await page.getByRole('option', { name: 'vip', exact: true }).click();
    await drawer.getByRole('combobox', { name: 'Per' }).click();
    await page.getByRole('option', { name: 'Month' }).click();
    await drawer.getByRole('spinbutton', { name: 'At most' }).fill('12.5');
    await inspect('limit-editor');
    await drawer.getByRole('button', { name: 'Create' }).click();
    const row = page.getByRole('row').filter({ hasText: 'vip' });
    await row.getByText('$12.50 per month').waitFor();
    const made = (await all()).find(({ subject }) => subject === 'vip');
    expect(made).toMatchObject({ subject_kind: 'group', measure: 'budget', amount: 12.5 * dollar, enabled: true });

    await row.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('spinbutton', { name: 'At most' }).fill('15');
    await page.getByRole('button', { name: 'Save' }).click();
    await row.getByText('$15.00 per month').waitFor();

    const act = async (name: string) => {
      await row.getByRole('button', { name: /More|…/ }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await act('Turn off');
    // At once: the offer stands for some seconds only.
    await page.getByRole('button', { name: 'Undo' }).click();
    const { audits } = gateway.app.database;
    const changes = () => audits.count({ where: { action: 'limit.update', object_id: String(made?.id) } });
    // The amount, off, and on again.
    await expect.poll(changes, { timeout: 20_000 }).toBe(3);
    await row.getByText('On', { exact: true }).waitFor();
    await act('Delete');
    await page.getByRole('button', { name: 'Delete limit' }).click();
    await row.waitFor({ state: 'detached' });
    // The row goes while the server is still being told.
    await expect.poll(async () => (await all()).some(({ subject }) => subject === 'vip')).toBe(false);
    expectNoProblems();
    await close();
  });

  it('of a group are one click away from wherever it is named', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    for (const path of [`/user/${alice}`, '/user', '/channel/1']) {
      await open(path);
      await page.getByRole('link', { name: 'default', exact: true }).first().click();
      await page.waitForURL('**/limit?subject_kind=group&subject=default');
      await page.getByRole('row').filter({ hasText: '$300.00 per month' }).getByText('$123.00 of').waitFor();
      expect(await page.getByRole('row').filter({ hasText: 'alice' }).count()).toBe(0);
    }
    await page.getByRole('combobox', { name: 'Applies to' }).selectOption('user');
    await page.getByRole('row').filter({ hasText: 'alice' }).waitFor();
    expect(new URL(page.url()).searchParams.get('subject')).toBeNull();
    expectNoProblems();
    await close();
  });

  it('stand on the pages of tokens, users and models, those for each of a kind included', async () => {
    const visit = await browser.visit({ as: 'root', language: 'en' });
    const { page, open, expectNoProblems, close } = visit;
    await open(`/user/${alice}?tab=limits`);
    const list = page.getByRole('list', { name: 'Limits and budgets' });
    await list.getByText('60 requests per minute').waitFor();
    await list.getByRole('link', { name: 'Each user' }).waitFor();
    await list.getByText('$3.00 left · $1.00 reserved').waitFor();
    await open(`/token/${token}?tab=limits`);
    await list.getByText('100%, used up').waitFor();
    await page.getByRole('button', { name: 'Add limit' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('combobox', { name: 'What is limited' }).click();
    await page.getByRole('option', { name: 'Concurrent requests' }).click();
    await drawer.getByRole('spinbutton', { name: 'At most' }).fill('3');
    await drawer.getByRole('button', { name: 'Create' }).click();
    await list.getByText('3 concurrent requests').waitFor();
    await open('/model/gpt-4o?tab=limits');
    await list.getByText('8 concurrent requests').waitFor();
    expectNoProblems();
    await visit.inspectAll(`/token/${token}?tab=limits`, 'token-limits', async () => {
      await page.getByText('100%').first().waitFor();
    });
    await visit.inspectAll(`/user/${alice}?tab=limits`, 'user-limits', async () => {
      await page.getByText('85%').first().waitFor();
    });
    await close();
  });

  it('are shown to a user as far as they are theirs, and not to be changed', async () => {
    const visit = await browser.visit({ as: 'alice', language: 'en' });
    const { page, open, expectNoProblems, close } = visit;
    await open('/');
    const card = page.getByRole('region', { name: 'Limits and budgets' });
    await card.getByText('$20.00 per month').waitFor();
    await card.getByText('60 requests per minute').waitFor();
    // What others have used of it is not hers to see.
    const shared = card.getByRole('listitem').filter({ hasText: '$300.00 per month' });
    await shared.getByText('Shared with other users · not used up').waitFor();
    expect(await shared.textContent()).not.toContain('123');
    expect(await card.getByRole('button').count()).toBe(0);
    await open('/topup');
    await page.getByRole('region', { name: 'Budgets' }).getByText('85% used, nearly all').waitFor();
    expect(await page.getByRole('region', { name: 'Budgets' }).getByText('60 requests').count()).toBe(0);
    await open(`/token/${token}?tab=limits`);
    await page.getByRole('region', { name: 'Limits and budgets' }).getByText('100%, used up').waitFor();
    expect(await page.getByRole('button', { name: 'Add limit' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Limits', exact: true }).count()).toBe(0);
    expectNoProblems();
    await visit.inspectAll('/', 'own-limits', async () => {
      await page.getByText('85%').first().waitFor();
    });
    await close();
  });
});
