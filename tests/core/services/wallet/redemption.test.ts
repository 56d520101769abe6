import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, role } from '../../../../core/schemas/actor.ts';
import {
  redemptionCreateSchema,
  redemptionListSchema,
  redemptionStatusSchema,
  redemptionUpdateSchema,
} from '../../../../core/schemas/redemption.ts';
import { redeemInProcesses } from '../../../support/redeem-processes.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

const input = (values: Record<string, unknown> = {}) =>
  redemptionCreateSchema.parse({ name: 'spring', quota: 1000, ...values });

describe('redemption input', () => {
  it.each([
    ...[0, 101, -1, 1.5, '1', Number.NaN].map((count) => ({ count })),
    ...[0, -1, 2 ** 53, 0.5, '1000', Number.POSITIVE_INFINITY].map((quota) => ({ quota })),
    { name: 'x'.repeat(21) },
    { name: 'a\nb' },
  ])('B71 B72 is refused: %j', (values) => {
    expect(redemptionCreateSchema.safeParse({ name: 'spring', quota: 1000, ...values }).success).toBe(false);
  });

  it.each(['', '   ', undefined])('takes a code without a name: %j', (name) => {
    expect(redemptionCreateSchema.parse({ quota: 1000, name })).toMatchObject({ name: '', count: 1 });
  });

  it('takes unused and disabled as a status, never used', () => {
    for (const status of [0, 3, 4, '1', null])
      expect(redemptionStatusSchema.safeParse({ id: 1, status }).success).toBe(false);
    expect(redemptionUpdateSchema.parse({ id: 1, name: 'a', quota: 1, status: 1, used_user_id: 0 })).toEqual({
      id: 1,
      name: 'a',
      quota: 1,
    });
  });
});

describe.each(engines)('a redemption code on %s', (engine) => {
  let services: TestServices;
  let admin: Actor;
  let alice: Actor;
  beforeAll(async () => {
    services = await createTestServices(engine);
    admin = await services.createUser('boss', { role: role.admin });
    alice = await services.createUser('alice');
  });
  afterAll(() => services.remove());

  const balanceOf = async ({ id }: Actor) =>
    (await services.database.users.findByPk(id, { raw: true }))?.quota ?? Number.NaN;
  const make = async (values: Record<string, unknown> = {}) => {
    const [key = ''] = await services.redemptions.create(admin, input(values));
    const [row] = (await services.redemptions.list(admin, redemptionListSchema.parse({ keyword: key }))).items;
    if (!row) throw new Error('the code is not in the list');
    return { key, id: row.id };
  };
  const refusal = (attempt: Promise<unknown>) =>
    attempt.then(
      () => 'taken',
      (error: { code: string }) => error.code,
    );

  it('is found in a list by what became of it, in the order asked for', async () => {
    const ids = async (values: Record<string, unknown>) =>
      (await services.redemptions.list(admin, redemptionListSchema.parse(values))).items.map(({ id }) => id);
    const [used, off, late, free] = [await make(), await make(), await make(), await make({ quota: 5 })];
    await services.redemptions.redeem(await services.createUser('frank'), used.key);
    await services.redemptions.setStatus(admin, { id: off.id, status: 2 });
    const late_time = services.now() - 10;
    await services.database.redemptions.update({ expired_time: late_time }, { where: { id: late.id } });
    expect(await ids({ status: 1 })).toEqual([free.id]);
    expect(await ids({ status: 2 })).toEqual([off.id]);
    expect(await ids({ status: '3' })).toEqual([used.id]);
    expect(await ids({ status: 4 })).toEqual([late.id]);
    expect((await ids({ sort: 'quota' }))[0]).toBe(free.id);
    expect(redemptionListSchema.safeParse({ sort: 'key_hash' }).success).toBe(false);
    expect(redemptionListSchema.safeParse({ status: 5 }).success).toBe(false);
    for (const { id } of [used, off, late, free]) await services.redemptions.remove(admin, id);
  });

  it('M11 has 128 random bits, is stored encrypted, and admins see it whole', async () => {
    const keys = await services.redemptions.create(admin, input({ count: 100 }));
    expect(new Set(keys).size).toBe(100);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
    const stored = JSON.stringify([
      await services.database.select('SELECT * FROM redemptions'),
      await services.database.select('SELECT * FROM audits'),
    ]);
    expect(keys.filter((key) => stored.includes(key))).toEqual([]);
    const page = await services.redemptions.list(admin, redemptionListSchema.parse({ page_size: 100 }));
    expect(page.items.map(({ key }) => key)).toEqual(keys.reverse());
    expect(page).toMatchObject({ total: 100, page: 1, page_size: 100 });
  });

  it('is worth nothing to the admin who made it, also when that one is not an admin any more', async () => {
    const maker = { ...(await services.createUser('maker')), role: role.admin };
    const input = redemptionCreateSchema.parse({ name: 'own', quota: 500, count: 1 });
    const [key = ''] = await services.redemptions.create(maker, input);
    expect(await refusal(services.redemptions.redeem(maker, key))).toBe('redemption.own');
    expect(await refusal(services.redemptions.redeem({ ...maker, role: role.user }, key))).toBe('redemption.own');
    expect(await services.redemptions.redeem({ ...maker, role: role.root }, key)).toBe(500);
  });

  it('of another admin is worth nothing to the one who changed its worth, its end or its state', async () => {
    const other = { ...(await services.createUser('other')), role: role.admin };
    const change = (id: number, values: Record<string, unknown>) =>
      services.redemptions.update(other, redemptionUpdateSchema.parse({ id, ...values }));
    const [raised, longer, enabled, renamed] = [await make(), await make(), await make(), await make()];
    await change(raised.id, { quota: 9_000_000_000 });
    await change(longer.id, { expired_time: services.now() + 3600 });
    await services.redemptions.setStatus(admin, { id: enabled.id, status: 2 });
    await services.redemptions.setStatusMany(other, { ids: [enabled.id], status: 1 });
    await change(renamed.id, { name: 'summer' });
    const before = await balanceOf(other);
    for (const { key } of [raised, longer, enabled])
      expect(await refusal(services.redemptions.redeem(other, key))).toBe('redemption.own');
    expect(await balanceOf(other)).toBe(before);
    expect(await services.redemptions.redeem(other, renamed.key)).toBe(1000);
    expect(await services.redemptions.redeem(await services.createUser('lucky'), longer.key)).toBe(1000);
    for (const { id } of [raised, longer, enabled, renamed]) await services.redemptions.remove(admin, id);
  });

  it('is worth its quota once, and says who had it', async () => {
    const before = await balanceOf(alice);
    const { key, id } = await make({ quota: 700 });
    expect(await services.redemptions.redeem(alice, key)).toBe(700);
    expect(await balanceOf(alice)).toBe(before + 700);
    expect(await services.redemptions.get(admin, id)).toMatchObject({ status: 3, used_user_id: alice.id, count: 0 });
    expect(await refusal(services.redemptions.redeem(alice, key))).toBe('redemption.usedByYou');
    expect(await refusal(services.redemptions.redeem(await services.createUser('late'), key))).toBe('redemption.used');
    expect(await services.database.logs.findAll({ where: { user_id: alice.id, type: 1 }, raw: true })).toMatchObject([
      { quota: 700, username: 'alice' },
    ]);
    expect((await services.ledger.verify()).differences).toEqual([]);
  });

  it('M11 that a hundred ask for at once is given once', async () => {
    const bob = await services.createUser('bob');
    const before = [await balanceOf(alice), await balanceOf(bob)];
    const { key } = await make({ quota: 11 });
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, at) => refusal(services.redemptions.redeem(at % 2 ? alice : bob, key))),
    );
    expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set(['taken', 'redemption.used', 'redemption.usedByYou']));
    const after = [await balanceOf(alice), await balanceOf(bob)];
    expect((after[0] ?? 0) + (after[1] ?? 0)).toBe((before[0] ?? 0) + (before[1] ?? 0) + 11);
    expect((await services.ledger.verify()).differences).toEqual([]);
  });

  it('M11 that two processes ask for at once is given once', async () => {
    const before = await balanceOf(alice);
    const keys = await services.redemptions.create(admin, input({ count: 20, quota: 7 }));
    const order = { database: services.bed.target, secret: 'test', userId: alice.id, name: alice.name, keys };
    const given = await redeemInProcesses(2, order);
    expect(given.reduce((sum, count) => sum + count, 0)).toBe(20);
    expect(await balanceOf(alice)).toBe(before + 140);
    expect((await services.ledger.verify()).differences).toEqual([]);
  });

  it('B69 that is unknown, disabled, deleted, empty or SQL is refused, each in its words', async () => {
    const { key, id } = await make();
    await services.redemptions.setStatus(admin, { id, status: 2 });
    expect(await refusal(services.redemptions.redeem(alice, key))).toBe('redemption.disabled');
    await services.redemptions.setStatus(admin, { id, status: 1 });
    await services.redemptions.remove(admin, id);
    for (const text of [key, '0'.repeat(32), "' OR 1=1--", key.toUpperCase()])
      expect(await refusal(services.redemptions.redeem(alice, text))).toBe('redemption.unknown');
    expect(await refusal(services.redemptions.redeem(alice, ''))).toBe('redemption.missing');
  });

  it('that is edited, disabled or deleted at that moment is redeemed as it is then, or refused for that reason', async () => {
    const { sequelize, redemptions } = services.database;
    const during = async (fields: { quota?: number; status?: number; deleted_at?: number }) => {
      const { key, id } = await make({ quota: 30 });
      const before = await balanceOf(alice);
      const transaction = await sequelize.transaction();
      await redemptions.update(fields, { where: { id }, transaction });
      const outcome = refusal(services.redemptions.redeem(alice, key));
      const edit = refusal(services.redemptions.update(admin, { id, name: 'other' }));
      // Both have read the code as it was, and wait.
      await new Promise((resolve) => setTimeout(resolve, 200));
      await transaction.commit();
      return [await outcome, (await balanceOf(alice)) - before, fields.deleted_at && (await edit)];
    };
    expect(await during({ quota: 50 })).toEqual(['taken', 50, undefined]);
    expect(await during({ status: 2 })).toEqual(['redemption.disabled', 0, undefined]);
    expect(await during({ deleted_at: 5 })).toEqual(['redemption.unknown', 0, 'object.notFound']);
    expect((await services.ledger.verify()).differences).toEqual([]);
  });

  it('B70 that was used never changes, also when it is used at that moment', async () => {
    const { key, id } = await make();
    await services.redemptions.redeem(alice, key);
    const update = { id, name: 'again', quota: 5 };
    expect(await refusal(services.redemptions.update(admin, update))).toBe('redemption.fixed');
    expect(await refusal(services.redemptions.setStatus(admin, { id, status: 1 }))).toBe('redemption.fixed');

    for (let round = 0; round < 5; round++) {
      const before = await balanceOf(alice);
      const code = await make({ quota: 100 });
      await Promise.all([
        refusal(services.redemptions.redeem(alice, code.key)),
        refusal(services.redemptions.update(admin, { id: code.id, name: 'race', quota: 900 })),
      ]);
      await refusal(services.redemptions.redeem(alice, code.key));
      const { status, quota } = await services.redemptions.get(admin, code.id);
      expect(status).toBe(3);
      expect(await balanceOf(alice)).toBe(before + quota);
    }
  });

  it('changes name and quota while it is unused, with a trace', async () => {
    const { id } = await make();
    const changed = await services.redemptions.update(admin, { id, name: 'summer', quota: 5 });
    expect(changed).toMatchObject({ name: 'summer', quota: 5, status: 1 });
    const audits = await services.database.audits.findAll({
      where: { object_kind: 'redemption', object_id: String(id) },
    });
    expect(audits.map(({ action }) => action)).toContain('redemption.update');
  });

  it('is not overwritten by a form that showed other values', async () => {
    const { id } = await make({ name: 'first' });
    await services.redemptions.update(admin, { id, name: 'second', loaded: { name: 'first' } });
    const late = services.redemptions.update(admin, { id, name: 'third', loaded: { name: 'first' } });
    await expect(late).rejects.toMatchObject({ code: 'object.stale', data: { changed: { name: 'second' } } });
    expect((await services.redemptions.get(admin, id)).name).toBe('second');
  });

  it('that cannot be decrypted stands in the list and says so, and can be changed and redeemed', async () => {
    const { id, key } = await make({ name: 'damaged', quota: 7 });
    await services.database.redemptions.update({ key_encrypted: 'v1:damaged' }, { where: { id } });
    const [row] = (await services.redemptions.list(admin, redemptionListSchema.parse({ keyword: 'damaged' }))).items;
    expect(row).toMatchObject({ id, key: '' });
    expect(row?.key_problem).toContain('secret.keyUnreadable');
    expect((await services.redemptions.setStatus(admin, { id, status: 2 })).status).toBe(2);
    await services.redemptions.setStatus(admin, { id, status: 1 });
    expect(await services.redemptions.redeem(alice, key)).toBe(7);
    await services.redemptions.remove(admin, id);
  });

  it('is found by the beginning of its name, its id or itself, and by no pattern', async () => {
    const { id, key } = await make({ name: 'Gift_50%' });
    const found = async (keyword: string) =>
      (await services.redemptions.list(admin, redemptionListSchema.parse({ keyword }))).items.map((item) => item.id);
    expect(await found('gift_5')).toEqual([id]);
    expect(await found(String(id))).toContain(id);
    expect(await found(key)).toEqual([id]);
    for (const keyword of ['ift_50', '%', '_ift', '\\', key.slice(1)]) expect(await found(keyword)).toEqual([]);
  });

  it('is nothing for ordinary users to see or make', async () => {
    const { id } = await make();
    for (const attempt of [
      services.redemptions.create(alice, input()),
      services.redemptions.list(alice, redemptionListSchema.parse({})),
      services.redemptions.get(alice, id),
      services.redemptions.update(alice, { id, name: 'mine', quota: 1 }),
      services.redemptions.setStatus(alice, { id, status: 2 }),
      services.redemptions.remove(alice, id),
    ])
      expect(await refusal(attempt)).toBe('permission.denied');
  });

  it('that would lift a balance out of the exact numbers is kept instead of used', async () => {
    const carol = await services.createUser('carol');
    const first = await make({ quota: Number.MAX_SAFE_INTEGER });
    await services.redemptions.redeem(carol, first.key);
    const second = await make({ quota: 1 });
    expect(await refusal(services.redemptions.redeem(carol, second.key))).toBe('user.quotaRange');
    expect(await services.redemptions.get(admin, second.id)).toMatchObject({ status: 1 });
    expect(await services.redemptions.redeem(alice, second.key)).toBe(1);
  });
});
