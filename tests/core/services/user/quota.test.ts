import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { userUpdateSchema } from '../../../../core/schemas/user.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

describe.each(engines)("a change of a user's balance on %s", (engine) => {
  let services: TestServices;

  beforeAll(async () => {
    services = await createTestServices(engine);
  });
  afterAll(() => services.remove());

  const count = async (from: string) => {
    const [row] = await services.database.select<{ count: number }>(`SELECT count(*) AS count FROM ${from}`);
    return Number(row?.count);
  };
  const traces = async (id: number) => ({
    quota: (await services.users.get(systemActor, id)).quota,
    entries: await count(`quota_entries WHERE user_id = ${id} AND kind = 'admin'`),
    audits: await count(`audits WHERE object_kind = 'user' AND object_id = '${id}'`),
  });

  /** As if the process ended between two of its writes. */
  async function withoutLogs(work: () => Promise<unknown>): Promise<void> {
    await services.database.sequelize.query('ALTER TABLE logs RENAME TO logs_away');
    try {
      await expect(work()).rejects.toThrow();
    } finally {
      await services.database.sequelize.query('ALTER TABLE logs_away RENAME TO logs');
    }
  }

  it('is made with its entry, its log row and its audit row, or not at all', async () => {
    const { users } = services;
    const { id } = await services.createUser('alice');
    const before = await traces(id);
    const update = userUpdateSchema.parse({ id, username: 'alice', display_name: 'Alice A', quota: before.quota + 50 });
    await withoutLogs(() => users.adjustQuota(systemActor, { id, amount: 50, note: 'gift' }));
    await withoutLogs(() => users.update(systemActor, update));
    expect(await traces(id)).toEqual(before);
    expect((await users.get(systemActor, id)).display_name).not.toBe('Alice A');

    await users.adjustQuota(systemActor, { id, amount: 50, note: 'gift' });
    await users.update(systemActor, { ...update, quota: before.quota + 30 });
    expect(await traces(id)).toEqual({ quota: before.quota + 30, entries: 2, audits: before.audits + 3 });
    expect(await count(`logs WHERE user_id = ${id} AND content LIKE '%log.adjusted%'`)).toBe(2);
    expect((await users.get(systemActor, id)).display_name).toBe('Alice A');
    expect((await services.ledger.verify()).differences).toEqual([]);
  });

  it('is refused where the difference itself is no exact number', async () => {
    const { users } = services;
    const { id } = await services.createUser('wide');
    await users.adjustQuota(systemActor, { id, amount: Number.MAX_SAFE_INTEGER - 10, note: '' });
    const before = await traces(id);
    const lowest = userUpdateSchema.parse({ id, quota: -Number.MAX_SAFE_INTEGER });
    await expect(users.update(systemActor, lowest)).rejects.toMatchObject({ code: 'user.quotaRange' });
    expect(await traces(id)).toEqual(before);
  });

  it('is booked once when the same one comes again, also at the same moment', async () => {
    const { users } = services;
    const { id } = await services.createUser('dora');
    const before = await traces(id);
    const change = { id, amount: 500, note: 'invoice 7', key: '0b6f1c1e-5f0a-4b53-9c63-6a1d6d9a3f10' };
    await Promise.all([users.adjustQuota(systemActor, change), users.adjustQuota(systemActor, change)]);
    const again = await users.adjustQuota(systemActor, change);
    expect(again.quota).toBe(before.quota + 500);
    expect(await traces(id)).toEqual({ quota: before.quota + 500, entries: 1, audits: before.audits + 1 });
    await users.adjustQuota(systemActor, { ...change, key: '4f3a2c9d-93f5-4d5a-8a38-9d0d2a7cf0aa' });
    expect((await users.get(systemActor, id)).quota).toBe(before.quota + 1000);
  });

  it('in a form that is saved again after a lost response is booked once', async () => {
    const { users } = services;
    const { id } = await services.createUser('erika');
    const before = await traces(id);
    const key = 'b3c2f7a4-6c1e-4d0b-9a55-2f1e7d7f0c11';
    const edit = (quota: number, quota_key = key) =>
      users.update(systemActor, userUpdateSchema.parse({ id, quota, quota_loaded: before.quota, quota_key }));
    await Promise.all([edit(before.quota + 500), edit(before.quota + 500)]);
    expect((await edit(before.quota + 500)).quota).toBe(before.quota + 500);
    expect(await traces(id)).toEqual({ quota: before.quota + 500, entries: 1, audits: before.audits + 1 });
    await expect(edit(before.quota + 700)).rejects.toMatchObject({ code: 'user.creditDiffers' });
    // Opened again, it is another change, also when it shows and asks for the same.
    expect((await edit(before.quota + 500, 'c4d2f7a4-6c1e-4d0b-9a55-2f1e7d7f0c22')).quota).toBe(before.quota + 1000);
    expect((await services.ledger.verify()).differences).toEqual([]);
  });

  it('adds up when many are made at once', async () => {
    const { users } = services;
    const { id } = await services.createUser('bob');
    const { quota } = await users.get(systemActor, id);
    const amounts = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? 10 : -3));
    await Promise.all(amounts.map((amount) => users.adjustQuota(systemActor, { id, amount, note: '' })));
    expect((await users.get(systemActor, id)).quota).toBe(quota + 70);
    expect((await services.ledger.verify()).ok).toBe(true);
  });
});
