import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { channelCreateSchema } from '../../../../core/schemas/channel.ts';
import { redemptionCreateSchema } from '../../../../core/schemas/redemption.ts';
import { tokenCreateSchema } from '../../../../core/schemas/token.ts';
import { type ConsoleClient, createConsoleClient } from '../../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { engines } from '../../../support/temporary-database.ts';

describe.each(engines)('many rows in one call on %s', (engine) => {
  let gateway: TestGateway;
  let root: ConsoleClient;
  let alice: ConsoleClient;
  const english = { 'accept-language': 'en' };

  beforeAll(async () => {
    gateway = await startGateway(engine);
    root = createConsoleClient(gateway.url);
    alice = createConsoleClient(gateway.url);
    await root.data(root.signIn('root', 'correct horse battery'));
    await alice.data(alice.signIn('alice', 'correct horse battery'));
  });
  afterAll(() => gateway.stop());

  const services = () => gateway.app.services;
  const auditsOf = (action: string, ids: number[]) =>
    gateway.app.database.audits.count({ where: { action, object_id: ids.map(String) } });

  it('switches channels on and off, all or none, with one line in the audit log each', async () => {
    const input = { type: 1, models: 'a', group: 'default', key: 'k' };
    const ids: number[] = [];
    for (const name of ['one', 'two', 'three']) {
      const [channel] = await services().channels.create(systemActor, channelCreateSchema.parse({ ...input, name }));
      ids.push(channel?.id ?? 0);
    }
    const set = (chosen: number[], status: number) =>
      root.post('/api/channel/batch/status', { ids: chosen, status }, english);
    const statuses = async () => {
      const rows = await gateway.app.database.channels.findAll({ where: { id: ids }, raw: true });
      return rows.map(({ status }) => status);
    };
    expect(await root.data(set(ids, 2))).toBe(3);
    expect(await statuses()).toEqual([2, 2, 2]);
    expect(await auditsOf('channel.disable', ids)).toBe(3);
    expect(await set([...ids, 99_999], 1)).toMatchObject({ success: false, message: expect.stringContaining('99999') });
    expect(await statuses()).toEqual([2, 2, 2]);
    expect((await set(ids, 3)).status).toBe(400);
    expect(await alice.post('/api/channel/batch/status', { ids, status: 1 })).toMatchObject({ success: false });
  });

  it('switches the own tokens, none of them when one may not be switched on or is not the own one', async () => {
    const create = (values: object) =>
      services().tokens.create(systemActor, tokenCreateSchema.parse(values), { userId: gateway.userId });
    const good = await create({ name: 'good', unlimited_quota: true });
    const old = await create({ name: 'old', expired_time: 1 });
    const ids = [good.id, old.id];
    const set = (client: ConsoleClient, chosen: number[], status: number) =>
      client.post('/api/token/batch/status', { ids: chosen, status }, english);
    const statuses = async () => {
      const rows = await gateway.app.database.tokens.findAll({ where: { id: ids }, order: [['id', 'ASC']], raw: true });
      return rows.map(({ status }) => status);
    };
    expect(await alice.data(set(alice, ids, 2))).toBe(2);
    const refused = await set(alice, ids, 1);
    expect(refused).toMatchObject({ success: false, message: expect.stringContaining(`${old.id} (old): `) });
    expect(await statuses()).toEqual([2, 2]);
    expect(await set(root, [good.id], 1)).toMatchObject({ success: false });
    expect(await alice.data(set(alice, [good.id], 1))).toBe(1);
    expect(await auditsOf('token.enable', ids)).toBe(1);
    const quota = await gateway.quotaOf(gateway.userId);
    expect(await alice.data(alice.post('/api/token/batch', { ids }))).toBe(2);
    expect(await gateway.quotaOf(gateway.userId)).toBe(quota);
  });

  it('disables and deletes users, none of them when one is out of reach', async () => {
    const ids = [await gateway.addUser('batch-one', 700), await gateway.addUser('batch-two', 800)];
    const manage = (chosen: number[], action: string) => root.post('/api/user/batch', { ids: chosen, action }, english);
    const rows = () => gateway.app.database.users.findAll({ where: { id: ids }, order: [['id', 'ASC']], raw: true });
    expect(await manage([...ids, 1], 'disable')).toMatchObject({
      success: false,
      message: expect.stringContaining('1 (root): '),
    });
    expect((await rows()).map(({ status }) => status)).toEqual([1, 1]);
    expect(await root.data(manage(ids, 'disable'))).toBe(2);
    expect(await root.data(manage(ids, 'enable'))).toBe(2);
    expect(await root.data(manage(ids, 'delete'))).toBe(2);
    expect((await rows()).map(({ quota, deleted_at }) => [quota, deleted_at !== null])).toEqual([
      [700, true],
      [800, true],
    ]);
    expect(await auditsOf('user.delete', ids)).toBe(2);
    expect(await manage(ids, 'enable')).toMatchObject({ success: false });
    expect(await alice.post('/api/user/batch', { ids, action: 'enable' })).toMatchObject({ success: false });
  });

  it('switches and deletes codes, none of them when one was used', async () => {
    const input = redemptionCreateSchema.parse({ quota: 500_000, count: 3 });
    expect(input).toMatchObject({ name: '', count: 3 });
    const keys = await services().redemptions.create(systemActor, input);
    const rows = () => gateway.app.database.redemptions.findAll({ order: [['id', 'ASC']], raw: true });
    const ids = (await rows()).map(({ id }) => id);
    expect((await rows()).map(({ name }) => name)).toEqual(['$1.00', '$1.00', '$1.00']);
    const set = (chosen: number[], status: number) =>
      root.post('/api/redemption/batch/status', { ids: chosen, status }, english);
    expect(await root.data(set(ids, 2))).toBe(3);
    expect(await root.data(set(ids, 1))).toBe(3);
    await alice.data(alice.post('/api/user/topup', { key: keys[0] }));
    expect(await set(ids, 2)).toMatchObject({
      success: false,
      message: expect.stringContaining(`${ids[0]} ($1.00): `),
    });
    expect((await rows()).map(({ status }) => status)).toEqual([3, 1, 1]);
    expect(await root.data(root.post('/api/redemption/batch', { ids: [...ids, 99_999] }))).toBe(3);
    expect((await rows()).every(({ deleted_at }) => deleted_at !== null)).toBe(true);
    expect(await auditsOf('redemption.remove', ids)).toBe(3);
  });
});
