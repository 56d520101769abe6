import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../core/schemas/actor.ts';
import { channelCreateSchema } from '../../core/schemas/channel.ts';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

const customModels = 'Custom model names';

const keys = ['sk-first-key-of-pool-1111', 'sk-second-key-of-pool-2222', 'sk-third-key-of-pool-3333'];

describe('a channel with several keys in the console', () => {
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

  const listKeys = (id: number) => gateway.app.services.channels.listKeys(systemActor, id);

  it('is created by the form, counted in the list, and edited key by key', async () => {
    const visit = await browser.visit({ as: 'root', language: 'en' });
    const { page, open, expectNoProblems, close } = visit;
    const toast = (text: string) => page.locator('.fui-Toast').filter({ hasText: text }).last().waitFor();
    await open('/channel/add');
    const form = page.getByRole('dialog', { name: 'Add channel' });
    await form.getByRole('group', { name: 'Provider' }).getByRole('button', { name: 'OpenAI', exact: true }).click();
    await form.getByRole('textbox', { name: /^Name/ }).fill('pool');
    await form.getByLabel('Base URL').fill(gateway.upstream.url);
    await form.getByLabel('Create several at once').click();
    await form.getByLabel('Keys (one per line)').fill(keys.slice(0, 2).join('\n'));
    await form.getByLabel('Use of the keys').click();
    await page.getByRole('option', { name: 'One channel with all keys, used in turn' }).click();
    await form.getByLabel(customModels).fill('gpt-4o-mini');
    await form.getByLabel(customModels).press('Enter');
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    await page.waitForURL(/\/channel$/);
    await page.getByText('2 of 2 keys on').first().waitFor();
    const rows = await gateway.app.database.channels.findAll({ where: { name: 'pool' }, raw: true });
    expect(rows).toHaveLength(1);
    const id = rows[0]?.id ?? 0;

    await open(`/channel/${id}?tab=keys`);
    const list = page.getByRole('list', { name: 'Keys of this channel' });
    await list.getByText('#2 …2222').waitFor();
    await visit.inspect('channel-keys');
    await list.getByRole('button', { name: 'Disable #1 …1111' }).click();
    await toast('Saved.');
    await list.getByRole('button', { name: 'Enable #1 …1111' }).waitFor();
    expect((await listKeys(id)).map(({ status }) => status)).toEqual([2, 1]);

    await page.getByLabel('Keys (one per line)').fill(keys[2] ?? '');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await toast('Keys added.');
    await list.getByText('#3 …3333').waitFor();
    await list.getByRole('button', { name: 'Remove #2 …2222' }).click();
    await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: 'Remove' }).click();
    await expect.poll(async () => (await listKeys(id)).map((key) => key.id)).toEqual([1, 3]);
    for (const key of keys) expect(await page.content()).not.toContain(key);
    expectNoProblems();
    await close();
  });

  it('lists keys that cannot be decrypted, and takes others in their place', async () => {
    const { channels } = gateway.app.services;
    const fields = { type: 1, name: 'damaged pool', models: 'gpt-4o-mini', base_url: gateway.upstream.url };
    const input = channelCreateSchema.parse({ ...fields, key: keys.slice(0, 2).join('\n'), key_mode: 'random' });
    const [{ id } = { id: 0 }] = await channels.create(systemActor, input);
    await gateway.app.database.channels.update({ key_encrypted: 'v1:damaged' }, { where: { id } });

    const { page, open, inspectAll, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open(`/channel/${id}?tab=keys`);
    const list = page.getByRole('list', { name: 'Keys of this channel' });
    await list.getByText('#2').waitFor();
    await page.locator('.fui-MessageBar').getByText('The key cannot be decrypted').waitFor();
    // No key is added to those that cannot be read, and none of them is taken away.
    for (const name of ['Add', /^Remove/, 'Show key'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
    await inspectAll(`/channel/${id}?tab=keys`, 'channel-keys-unreadable');
    await page.getByLabel('Keys (one per line)').fill(keys[2] ?? '');
    await page.getByRole('button', { name: 'Save and test' }).click();
    await page.getByRole('button', { name: 'Add', exact: true }).waitFor();
    await expect
      .poll(async () => (await listKeys(id)).map(({ ends, key_problem }) => [ends, key_problem]))
      .toEqual([['3333', undefined]]);
    expectNoProblems();
    await close();
  });
});
