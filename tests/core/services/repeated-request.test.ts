import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, role, systemActor } from '../../../core/schemas/actor.ts';
import { channelCreateSchema } from '../../../core/schemas/channel.ts';
import { redemptionCreateSchema } from '../../../core/schemas/redemption.ts';
import { tokenCreateSchema } from '../../../core/schemas/token.ts';
import { userCreateSchema } from '../../../core/schemas/user.ts';
import { createTestServices, type TestServices } from '../../support/services.ts';
import { engines } from '../../support/temporary-database.ts';

/** As Chromium does by itself when a connection ends before the response. */
describe.each(engines)('a request that a browser sends again, on %s', (engine) => {
  let services: TestServices;
  let admin: Actor;
  let alice: Actor;

  beforeAll(async () => {
    services = await createTestServices(engine);
    admin = await services.createUser('boss', { role: role.admin });
    alice = await services.createUser('alice');
    const settings = [
      ['ServerAddress', 'https://a.example'],
      ['PayAddress', 'https://pay.example.com'],
      ['EpayId', '7'],
      ['EpayKey', 'k'],
    ] as const;
    for (const [key, value] of settings) await services.options.set(systemActor, key, value);
  });
  afterAll(() => services.remove());

  const token = (values: object = {}) => tokenCreateSchema.parse({ name: 'laptop', ...values });
  const codes = (values: object = {}) =>
    redemptionCreateSchema.parse({ name: 'spring', quota: 1000, count: 3, ...values });

  it('makes one token, at the same moment and later, and tells its key each time', async () => {
    const request_key = randomUUID();
    const create = () => services.tokens.create(alice, token({ request_key }));
    const made = await Promise.all(Array.from({ length: 5 }, create));
    made.push(await create());
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(new Set(made.map(({ key }) => key)).size).toBe(1);
    expect(made[0]?.key).toMatch(/^[0-9A-Za-z]{48}$/);
    expect(await services.tokens.reveal(alice, made[0]?.id ?? 0)).toBe(made[0]?.key);
    expect(await services.database.tokens.count({ where: { user_id: alice.id } })).toBe(1);
  });

  it('makes another token of other values, of another user, and without a key of the request', async () => {
    const request_key = randomUUID();
    const made = [
      await services.tokens.create(alice, token({ request_key })),
      await services.tokens.create(alice, token({ request_key, name: 'phone' })),
      await services.tokens.create(admin, token({ request_key })),
      await services.tokens.create(alice, token()),
      await services.tokens.create(alice, token()),
    ];
    expect(new Set(made.map(({ key }) => key)).size).toBe(made.length);
  });

  it('makes one channel, one copy of it and one user', async () => {
    const request_key = randomUUID();
    const fields = { name: 'twice', type: 1, models: 'gpt-4o', key: 'sk-a', request_key };
    const five = <T>(make: () => Promise<T>) => Promise.all(Array.from({ length: 5 }, make));
    const channel = (values: object = {}) =>
      services.channels.create(admin, channelCreateSchema.parse({ ...fields, ...values }));
    const made = [...(await five(channel)), await channel()];
    const id = made[0]?.[0]?.id ?? 0;
    expect(made.map((channels) => channels.map((one) => one.id))).toEqual(Array(6).fill([id]));
    expect((await channel({ key: 'sk-b' }))[0]?.id, 'other values').not.toBe(id);
    expect((await channel({ request_key: undefined }))[0]?.id, 'no key').not.toBe(id);
    const copies = await five(() => services.channels.copy(admin, id, { requestKey: request_key }));
    expect(new Set(copies.map((copy) => copy.id)).size).toBe(1);
    expect(await services.database.channels.count()).toBe(4);

    const user = userCreateSchema.parse({ username: 'carol', password: 'a good password 7', request_key });
    const users = await five(() => services.users.create(admin, user));
    expect(new Set(users.map((one) => one.id)).size).toBe(1);
    await expect(services.users.create(admin, { ...user, request_key: randomUUID() })).rejects.toMatchObject({
      code: 'object.nameTaken',
    });
  });

  it('makes one set of codes', async () => {
    const request_key = randomUUID();
    const create = (values: object = {}) => services.redemptions.create(admin, codes({ request_key, ...values }));
    const sets = await Promise.all(Array.from({ length: 5 }, () => create()));
    sets.push(await create());
    for (const set of sets) expect(set).toEqual(sets[0]);
    expect(new Set(sets[0]).size).toBe(3);
    expect(sets[0]?.every((code) => /^[0-9a-f]{32}$/.test(code))).toBe(true);
    expect(await services.database.redemptions.count()).toBe(3);
    expect(await create({ quota: 2000 })).not.toEqual(sets[0]);
    expect(await services.redemptions.redeem(alice, sets[0]?.[0] ?? '')).toBe(1000);
    expect(await create()).toEqual(sets[0]);
  });

  it('writes one order', async () => {
    const order = { amount: 10, payment_method: 'zfb' as const, request_key: randomUUID() };
    const forms = await Promise.all(Array.from({ length: 5 }, () => services.wallet.pay(alice, order)));
    expect(new Set(forms.map(({ fields }) => fields.out_trade_no)).size).toBe(1);
    expect(await services.database.topUps.count()).toBe(1);
    await services.wallet.pay(alice, { ...order, request_key: randomUUID() });
    expect(await services.database.topUps.count()).toBe(2);
  });

  it('moves earnings from invitations once', async () => {
    const where = { id: alice.id };
    await services.database.users.update({ quota: 0, aff_quota: 1_500_000 }, { where });
    const move = (request_key: string, quota = 500_000) =>
      services.wallet.transferReward(alice, { quota, request_key });
    const key = randomUUID();
    await Promise.all(Array.from({ length: 5 }, () => move(key)));
    await move(key);
    await expect(move(key, 600_000)).rejects.toMatchObject({ code: 'user.creditDiffers' });
    const row = () => services.database.users.findOne({ where, raw: true });
    expect(await row()).toMatchObject({ quota: 500_000, aff_quota: 1_000_000 });
    await move(randomUUID());
    expect(await row()).toMatchObject({ quota: 1_000_000, aff_quota: 500_000 });
  });
});
