import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, systemActor } from '../../../../core/schemas/actor.ts';
import {
  tokenCreateSchema,
  tokenListSchema,
  tokenStatusSchema,
  tokenUpdateSchema,
} from '../../../../core/schemas/token.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

const input = (values: Record<string, unknown> = {}) => tokenCreateSchema.parse({ name: 'demo', ...values });
const listOf = (values: Record<string, unknown> = {}) => tokenListSchema.parse(values);

describe('token input', () => {
  it.each([
    { name: '' },
    { name: 'a'.repeat(31) },
    { name: '十个汉字超过三十字节的' },
    { name: 'a\nb' },
    { remain_quota: -1 },
    { remain_quota: 2 ** 53 },
    { remain_quota: '1e9' },
    { remain_quota: Number.NaN },
    { remain_quota: 1.5 },
    { expired_time: 0 },
    { expired_time: -2 },
    { expired_time: 2 ** 40 },
    { model_limits: 'x'.repeat(100_000) },
    { allow_ips: '999.1.1.1' },
    { allow_ips: Array.from({ length: 10_000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`).join('\n') },
  ])('is refused: %j', (values) => {
    expect(tokenCreateSchema.safeParse({ name: 'demo', ...values }).success).toBe(false);
  });

  it('keeps one spelling of addresses and model names, and drops read-only fields', () => {
    const parsed = input({
      allow_ips: ' ::ffff:1.2.3.4\n1.2.3.4\n0.0.0.0/0',
      model_limits: ' a , b,a,,',
      group: null,
      user_id: 9,
      used_quota: 5,
      status: 4,
    });
    expect(parsed).toMatchObject({ allow_ips: '1.2.3.4\n0.0.0.0/0', model_limits: 'a,b', group: '' });
    expect(Object.keys(parsed)).not.toEqual(expect.arrayContaining(['user_id']));
    expect(parsed).not.toHaveProperty('used_quota');
    expect(parsed).not.toHaveProperty('status');
  });

  it('takes enabled and disabled as a status and nothing else', () => {
    for (const status of [0, 3, 4, 5, '1', null]) {
      expect(tokenStatusSchema.safeParse({ id: 1, status }).success).toBe(false);
    }
  });
});

describe.each(engines)('token on %s', (engine) => {
  let services: TestServices;
  let alice: Actor;
  let bob: Actor;

  beforeAll(async () => {
    services = await createTestServices(engine);
    alice = await services.createUser('alice');
    bob = await services.createUser('bob');
  });
  afterAll(() => services.remove());
  const past = () => services.now() - 10;

  it('shows its whole key once, and is found by it and stored encrypted', async () => {
    const token = await services.tokens.create(alice, input({ remain_quota: 500 }));
    expect(token.key).toMatch(/^[0-9A-Za-z]{48}$/);
    expect(token).toMatchObject({ user_id: alice.id, remain_quota: 500, status: 1, used_quota: 0, DeletedAt: null });
    expect((await services.tokens.get(alice, token.id)).key).toBe(`${token.key.slice(0, 2)}…${token.key.slice(-4)}`);
    expect((await services.tokens.get(alice, token.id, { withKeys: true })).key).toBe(token.key);
    expect(await services.tokens.reveal(alice, token.id)).toBe(token.key);
    const stored = await services.database.select('SELECT * FROM tokens');
    const audits = await services.database.select('SELECT * FROM audits');
    expect(JSON.stringify([stored, audits])).not.toContain(token.key);
    const row = await services.database.tokens.findOne({
      where: { key_hash: services.secretBox.lookupHash(token.key) },
    });
    expect(row?.id).toBe(token.id);
  });

  it('belongs to its owner: for others it does not exist', async () => {
    const { id } = await services.tokens.create(alice, input());
    for (const attempt of [
      () => services.tokens.get(bob, id),
      () => services.tokens.reveal(bob, id),
      () => services.tokens.update(bob, tokenUpdateSchema.parse({ id, name: 'mine' })),
      () => services.tokens.setStatus(bob, { id, status: 2 }),
      () => services.tokens.remove(bob, id),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'object.notFound' });
    }
    expect((await services.tokens.list(bob, listOf())).total).toBe(0);
    const elsewhere = await services.tokens.create(bob, input(), { userId: alice.id });
    expect(elsewhere.user_id).toBe(bob.id);
    expect((await services.tokens.create(systemActor, input(), { userId: bob.id })).user_id).toBe(bob.id);
    await expect(services.tokens.create(systemActor, input())).rejects.toMatchObject({ code: 'input.invalid' });
  });

  it('is found by a part of its name or key, or the whole key, among the own ones only', async () => {
    const token = await services.tokens.create(alice, input({ name: 'Build_Server' }));
    const ids = async (actor: Actor, values: Record<string, unknown>) =>
      (await services.tokens.list(actor, listOf(values))).items.map(({ id }) => id);
    expect(await ids(alice, { keyword: 'build_s' })).toEqual([token.id]);
    expect(await ids(alice, { keyword: 'buildxs' })).toEqual([]);
    expect(await ids(alice, { token: `sk-${token.key}` })).toEqual([token.id]);
    expect(await ids(alice, { token: token.key.slice(10, 40) })).toEqual([token.id]);
    expect(await ids(bob, { token: token.key })).toEqual([]);
    expect(await ids(systemActor, { token: token.key })).toEqual([token.id]);
    const [seen] = (await services.tokens.list(systemActor, listOf({ token: token.key }), { withKeys: true })).items;
    expect(seen?.key).not.toBe(token.key);
  });

  it('whose key cannot be decrypted stands in the list and says so, and everything but its key works', async () => {
    const carol = await services.createUser('carol');
    const { id, key } = await services.tokens.create(carol, input());
    const other = await services.tokens.create(carol, input({ name: 'other' }));
    await services.database.tokens.update({ key_encrypted: 'v1:damaged' }, { where: { id } });
    const { items } = await services.tokens.list(carol, listOf(), { withKeys: true });
    expect(items.map((token) => [token.id, token.key])).toEqual([
      [other.id, other.key],
      [id, ''],
    ]);
    expect(items[1]?.key_problem).toContain('secret.keyUnreadable');
    expect(items[0]).not.toHaveProperty('key_problem');
    await expect(services.tokens.reveal(carol, id)).rejects.toMatchObject({ code: 'secret.keyUnreadable' });
    expect(await services.tokens.revealMany(carol, [id, other.id])).toEqual({ [other.id]: other.key });
    expect((await services.tokens.list(carol, listOf({ token: other.key.slice(5, 30) }))).items).toHaveLength(1);
    expect(await services.tokens.update(carol, tokenUpdateSchema.parse({ id, name: 'new' }))).toMatchObject({
      key: '',
    });
    expect((await services.tokens.setStatus(carol, { id, status: 2 })).status).toBe(2);
    expect((await services.tokens.usageOfKey(key, '127.0.0.1')).name).toBe('new');
    await services.tokens.remove(carol, id);
  });

  it('is not overwritten by a form that showed other values', async () => {
    const { id } = await services.tokens.create(alice, input({ name: 'first', model_limits: 'a,b' }));
    const update = (values: Record<string, unknown>) =>
      services.tokens.update(alice, tokenUpdateSchema.parse({ id, ...values }));
    await update({ name: 'second', allow_ips: '10.0.0.1', loaded: { name: 'first', allow_ips: '' } });
    await expect(update({ name: 'third', loaded: { name: 'first' } })).rejects.toMatchObject({
      code: 'object.stale',
      data: { changed: { name: 'second' } },
    });
    await expect(update({ allow_ips: '10.0.0.2', loaded: { allow_ips: '' } })).rejects.toThrow();
    expect(await update({ model_limits: 'c', loaded: { model_limits: 'a,b' } })).toMatchObject({ name: 'second' });
    expect(await update({ name: 'second', loaded: { name: 'first' } })).toMatchObject({ allow_ips: '10.0.0.1' });
  });

  it('with another quota gets the difference, so that calls in flight still count', async () => {
    const { id } = await services.tokens.create(alice, input({ remain_quota: 1000 }));
    await services.database.tokens.update({ remain_quota: 700, used_quota: 300 }, { where: { id } });
    const update = { id, remain_quota: 2000, remain_quota_loaded: 1000 };
    expect(await services.tokens.update(alice, tokenUpdateSchema.parse(update))).toMatchObject({ remain_quota: 1700 });
    const [granted] = await services.database.select<{ sum: number }>(
      "SELECT CAST(sum(amount) AS BIGINT) AS sum FROM quota_entries WHERE token_id = :id AND kind = 'token_grant'",
      { id },
    );
    expect(granted?.sum).toBe(2000);
    await expect(services.tokens.update(alice, { id, remain_quota: -1 })).rejects.toMatchObject({
      code: 'token.quotaNegative',
    });
  });

  it('below 0 is left there by a form that does not change it, whatever calls cost meanwhile', async () => {
    const { id } = await services.tokens.create(alice, input({ remain_quota: 1000 }));
    await services.database.tokens.update({ remain_quota: -8, used_quota: 1008 }, { where: { id } });
    const form = tokenUpdateSchema.parse({ id, name: 'renamed', remain_quota: -5, remain_quota_loaded: -5 });
    expect(await services.tokens.update(alice, form)).toMatchObject({ name: 'renamed', remain_quota: -8 });
  });

  it('M13 saved several times at the same moment has the quota that was typed, not more, and the books agree', async () => {
    const { id } = await services.tokens.create(alice, input({ remain_quota: 1000 }));
    const save = () =>
      services.tokens.update(alice, tokenUpdateSchema.parse({ id, remain_quota: 5000, name: 'typed' }));
    await Promise.all(Array.from({ length: 8 }, save));
    expect(await services.tokens.get(alice, id)).toMatchObject({ remain_quota: 5000, name: 'typed' });
    const granted = await services.database.select<{ total: number }>(
      "SELECT CAST(sum(amount) AS BIGINT) AS total FROM quota_entries WHERE kind = 'token_grant' AND token_id = :id",
      { id },
    );
    expect(granted).toEqual([{ total: 5000 }]);
    const beyond = tokenUpdateSchema.parse({ id, remain_quota: 2 ** 53 - 1, remain_quota_loaded: 0 });
    await expect(services.tokens.update(alice, beyond)).rejects.toMatchObject({ code: 'user.quotaRange' });
    expect(await services.tokens.get(alice, id)).toMatchObject({ remain_quota: 5000 });
  });

  it('of a form that is saved again after a lost response gets the difference once', async () => {
    const { id } = await services.tokens.create(alice, input({ remain_quota: 1000 }));
    const key = 'd5e2f7a4-6c1e-4d0b-9a55-2f1e7d7f0c33';
    const save = (remain_quota: number, quota_key = key) =>
      services.tokens.update(
        alice,
        tokenUpdateSchema.parse({ id, remain_quota, remain_quota_loaded: 1000, quota_key, name: 'typed' }),
      );
    await Promise.all([save(5000), save(5000)]);
    expect(await save(5000)).toMatchObject({ remain_quota: 5000, name: 'typed' });
    await expect(save(6000)).rejects.toMatchObject({ code: 'user.creditDiffers' });
    expect(await save(1500, 'e6f2f7a4-6c1e-4d0b-9a55-2f1e7d7f0c44')).toMatchObject({ remain_quota: 5500 });
    const { differences } = await services.ledger.verify();
    expect(differences.filter((one) => one.subject === 'token' && one.id === String(id))).toEqual([]);
  });

  it('is removed together with others: foreign and missing ones are passed over alike', async () => {
    const own = [await services.tokens.create(alice, input({})), await services.tokens.create(alice, input({}))];
    const foreign = await services.tokens.create(bob, input({}));
    const ids = [...own.map(({ id }) => id), foreign.id, 999_999];
    expect(await services.tokens.removeMany(alice, ids)).toBe(2);
    expect(await services.tokens.removeMany(alice, ids)).toBe(0);
    expect((await services.tokens.get(bob, foreign.id)).id).toBe(foreign.id);
  });

  it('without a limit may be below zero and be sent back so', async () => {
    const { id } = await services.tokens.create(alice, input({ unlimited_quota: true }));
    await services.database.tokens.update({ remain_quota: -50 }, { where: { id } });
    const sent = tokenUpdateSchema.parse({ id, remain_quota: -40, name: 'renamed' });
    expect(await services.tokens.update(alice, sent)).toMatchObject({ remain_quota: -50, name: 'renamed', status: 1 });
  });

  it('that expired is enabled only after its expiry changed', async () => {
    const { id, status } = await services.tokens.create(alice, input({ remain_quota: 1, expired_time: past() }));
    expect(status).toBe(3);
    const enable = () => services.tokens.setStatus(alice, { id, status: 1 });
    await expect(enable()).rejects.toMatchObject({ code: 'token.stillExpired' });
    await services.tokens.update(alice, { id, expired_time: -1 });
    expect(await enable()).toMatchObject({ status: 1 });
  });

  it('that is used up is enabled only after it got more quota or no limit', async () => {
    const { id, status } = await services.tokens.create(alice, input({ remain_quota: 0 }));
    expect(status).toBe(4);
    const enable = () => services.tokens.setStatus(alice, { id, status: 1 });
    await expect(enable()).rejects.toMatchObject({ code: 'token.stillExhausted' });
    await services.tokens.update(alice, { id, unlimited_quota: true });
    expect(await enable()).toMatchObject({ status: 1 });
    expect(await services.tokens.setStatus(alice, { id, status: 2 })).toMatchObject({ status: 2 });
  });

  it('keeps what an edit leaves out', async () => {
    const values = { allow_ips: '10.0.0.0/8', model_limits: 'a,b', model_limits_enabled: true, group: 'vip' };
    const { id } = await services.tokens.create(alice, input(values));
    expect(await services.tokens.update(alice, { id, name: 'x' })).toMatchObject({ ...values, name: 'x' });
  });

  it('takes only groups its owner may use', async () => {
    await expect(services.tokens.create(alice, input({ group: 'none' }))).rejects.toMatchObject({
      code: 'group.unknown',
    });
    await expect(services.tokens.create(alice, input({ group: 'svip' }))).rejects.toMatchObject({
      code: 'group.notUsable',
    });
    await services.database.users.update({ group: 'svip' }, { where: { id: alice.id } });
    expect((await services.tokens.create(alice, input({ group: 'svip' }))).group).toBe('svip');
  });

  it('is gone for all users once removed, and its key stays taken', async () => {
    const token = await services.tokens.create(alice, input());
    await services.tokens.remove(alice, token.id);
    await expect(services.tokens.get(systemActor, token.id)).rejects.toMatchObject({ code: 'object.notFound' });
    expect((await services.tokens.list(alice, listOf({ token: token.key }))).total).toBe(0);
    const again = services.tokens.create(systemActor, input(), { userId: alice.id, key: token.key });
    await expect(again).rejects.toMatchObject({ code: 'token.keyTaken' });
  });
});
