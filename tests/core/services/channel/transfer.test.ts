import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, role, systemActor } from '../../../../core/schemas/actor.ts';
import { channelListSchema, channelSortFields } from '../../../../core/schemas/channel.ts';
import { readChannelDocument } from '../../../../core/schemas/channel-document.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

describe.each(engines)('files of channels on %s', (engine) => {
  let services: TestServices;
  let admin: Actor;
  beforeAll(async () => {
    services = await createTestServices(engine);
    admin = await services.createUser('adam', { role: role.admin });
    const channels = ['one', 'two', 'two'].map((name, index) => ({
      name,
      type: 'openai',
      models: 'gpt-4o',
      key: `key-${index}`,
      priority: index,
      ...(index > 0 && { tag: 'pair', status: index === 2 ? 'disabled' : 'enabled' }),
    }));
    await importAll({ channels });
  });
  afterAll(() => services.remove());

  async function importAll(document: unknown) {
    const { entries, problems } = readChannelDocument(document);
    expect(problems).toEqual([]);
    const steps = await services.channels.planImport(systemActor, entries);
    for (const step of steps)
      if (step.id === undefined || step.changed.length > 0) await services.channels.applyImport(systemActor, step);
    return steps.map(({ changed }) => changed);
  }

  const idsOf = async () =>
    (await services.database.channels.findAll({ order: ['id'], raw: true })).map(({ id }) => id);

  it('finds nothing to change in what was exported, keys included', async () => {
    const { document } = await services.channels.exportAll(systemActor, await idsOf(), { withKeys: true });
    expect(await importAll(JSON.parse(JSON.stringify(document)))).toEqual([[], [], []]);
    expect(await idsOf()).toHaveLength(3);
  });

  it('contains several keys of a channel and how one is chosen', async () => {
    const pool = { name: 'pool', type: 1, models: 'gpt-4o', key: 'key-a\nkey-b', key_mode: 'polling' };
    await importAll([pool]);
    const row = await services.database.channels.findOne({ where: { name: 'pool' }, raw: true });
    const id = row?.id ?? 0;
    const { document } = await services.channels.exportAll(systemActor, [id], { withKeys: true });
    expect(await importAll(JSON.parse(JSON.stringify(document)))).toEqual([[]]);
    expect(await importAll([{ ...pool, key: 'key-b\nkey-c', key_mode: 'random' }])).toEqual([['key_mode', 'key']]);
    expect(await services.channels.revealKey(systemActor, id)).toBe('key-b\nkey-c');
    expect(await services.channels.get(systemActor, id)).toMatchObject({ key_mode: 'random', key_count: 2 });
    await services.channels.remove(systemActor, [id]);
  });

  it('contains the other channels where a key cannot be decrypted, and names that one', async () => {
    const ids = await idsOf();
    const [first] = await services.database.channels.findAll({ where: { id: ids[0] }, raw: true });
    const { key_encrypted } = first ?? {};
    await services.database.channels.update({ key_encrypted: 'v1:damaged' }, { where: { id: ids[0] } });
    const { document, unreadable } = await services.channels.exportAll(systemActor, ids, { withKeys: true });
    expect(unreadable).toEqual([first?.name]);
    expect(document).toMatchObject({ channels: [{ name: first?.name }, { key: 'key-1' }, { key: 'key-2' }] });
    await services.database.channels.update({ key_encrypted }, { where: { id: ids[0] } });
    // Read again, it leaves the stored key as it is.
    expect(await importAll(JSON.parse(JSON.stringify(document)))).toEqual([[], [], []]);
  });

  it('tells channels of one name apart by their age', async () => {
    const changed = await importAll([
      { name: 'two', type: 1, models: 'gpt-4o', key: 'key-1' },
      { name: 'two', type: 1, models: 'gpt-4o', key: 'another' },
    ]);
    expect(changed).toEqual([[], ['key']]);
    expect(await services.channels.revealKey(systemActor, (await idsOf()).at(-1) ?? 0)).toBe('another');
  });

  it('leaves a channel off that went off by itself', async () => {
    const [first = 0] = await idsOf();
    await services.database.channels.update({ status: 3 }, { where: { id: first } });
    expect(await importAll({ name: 'one', type: 1, models: 'gpt-4o', status: 'enabled' })).toEqual([[]]);
    expect((await services.channels.get(systemActor, first)).status).toBe(3);
  });

  it('gives keys to root alone, and notes it (S)', async () => {
    const ids = await idsOf();
    await expect(services.channels.exportAll(admin, ids, { withKeys: true })).rejects.toMatchObject({ status: 403 });
    expect(JSON.stringify(await services.channels.exportAll(admin, ids, { withKeys: false }))).not.toContain('key-0');
    const [noted] = await services.database.audits.findAll({ where: { action: 'channel.export' }, raw: true });
    expect(noted?.after).toContain('"count":3');
  });

  it('sorts by every field a list may be sorted by', async () => {
    for (const field of channelSortFields) {
      for (const sort of [field, `-${field}`] as const) {
        const { items } = await services.channels.list(admin, channelListSchema.parse({ sort }));
        const values = items.map((item) => item[field] ?? '');
        const sorted = [...values].sort((a, b) => (a < b ? -1 : 1));
        expect(values, sort).toEqual(sort === field ? sorted : sorted.reverse());
      }
    }
    expect(channelListSchema.safeParse({ sort: 'key_hash' }).success).toBe(false);
  });

  it('counts the channels of each tag', async () => {
    expect(await services.channels.listTags(admin)).toEqual([{ tag: 'pair', channels: 2, enabled: 1 }]);
  });
});
