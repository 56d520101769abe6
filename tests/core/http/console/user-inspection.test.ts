import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { role, systemActor } from '../../../../core/schemas/actor.ts';
import { tokenCreateSchema } from '../../../../core/schemas/token.ts';
import { type ConsoleClient, type ConsoleResponse, createConsoleClient } from '../../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { engines } from '../../../support/temporary-database.ts';

const password = 'correct horse battery';
const day = 86_400;

describe.each(engines)('what belongs to a user, over HTTP on %s', (engine) => {
  let gateway: TestGateway;
  let root: ConsoleClient;
  let admin: ConsoleClient;
  let carl: ConsoleClient;
  let peer: number;
  let own: number;
  let carlId: number;
  beforeAll(async () => {
    gateway = await startGateway(engine);
    [own, peer] = [await gateway.addUser('admin1', 0), await gateway.addUser('admin2', 0)];
    await gateway.app.database.users.update({ role: role.admin }, { where: { id: [own, peer] } });
    carlId = await gateway.addUser('carl', 5000);
    [root, admin, carl] = [await signedIn('root'), await signedIn('admin1'), await signedIn('carl')];
  });
  afterAll(() => gateway.stop());

  async function signedIn(name: string): Promise<ConsoleClient> {
    const client = createConsoleClient(gateway.url);
    await client.data(client.signIn(name, password));
    return client;
  }
  const refusal = async (pending: Promise<ConsoleResponse>) => {
    const { success, message } = await pending;
    expect(success).toBe(false);
    return message;
  };
  const addToken = async (userId: number, name: string): Promise<number> => {
    const input = tokenCreateSchema.parse({ name, unlimited_quota: true, remain_quota: 0 });
    return (await gateway.app.services.tokens.create(systemActor, input, { userId })).id;
  };

  it('is closed to users, and to admins about their like', async () => {
    for (const part of ['summary', 'tokens', 'credit', 'sessions']) {
      expect(await refusal(carl.get(`/api/user/${carlId}/${part}`))).not.toBe('');
      expect(await refusal(admin.get(`/api/user/${peer}/${part}`))).not.toBe('');
      expect(await refusal(admin.get(`/api/user/99999/${part}`))).not.toBe('');
      await admin.data(admin.get(`/api/user/${own}/${part}`));
      await admin.data(admin.get(`/api/user/${carlId}/${part}`));
      await root.data(root.get(`/api/user/${peer}/${part}`));
    }
  });

  it('sums the last week and the one before, and tells when it was last used', async () => {
    const now = Math.floor(Date.now() / 1000);
    const hour = { user_id: carlId, username: 'carl', model_name: 'gpt-4o', token_used: 1, count: 1 };
    await gateway.app.database.usageData.bulkCreate([
      { ...hour, created_at: now - 3600, quota: 300 },
      { ...hour, created_at: now - 5 * day, quota: 40 },
      { ...hour, created_at: now - 9 * day, quota: 7 },
      { ...hour, created_at: now - 20 * day, quota: 100_000 },
      { ...hour, user_id: peer, created_at: now - 3600, quota: 1000 },
    ]);
    const [used, gone] = [await addToken(carlId, 'used'), await addToken(carlId, 'gone')];
    const { tokens } = gateway.app.database;
    await tokens.update({ created_time: now - 900, accessed_time: now - 60 }, { where: { id: used } });
    await tokens.update({ deleted_at: now }, { where: { id: gone } });
    expect(await admin.data(admin.get(`/api/user/${carlId}/summary`))).toMatchObject({
      user: { id: carlId, username: 'carl', password: '', access_token: null },
      spent_in_week: 340,
      spent_in_previous_week: 7,
      last_used_time: now - 60,
      token_count: 1,
    });
    expect(await root.data(root.get(`/api/user/${own}/summary`))).toMatchObject({
      spent_in_week: 0,
      spent_in_previous_week: 0,
      last_used_time: 0,
      token_count: 0,
    });
  });

  it('shows tokens with masked keys in the order asked for, and whole keys to their owner alone', async () => {
    const eve = await gateway.addUser('eve', 0);
    const id = await addToken(eve, 'beta');
    await addToken(eve, 'alpha');
    const page = await admin.data(admin.get(`/api/user/${eve}/tokens?sort=name&page_size=1`));
    expect(page).toMatchObject({ total: 2, items: [{ name: 'alpha', user_id: eve }] });
    expect(page.items[0].key).toMatch(/^.{2}….{4}$/);
    const names = async (sort: string) =>
      (await admin.data(admin.get(`/api/user/${eve}/tokens?sort=${sort}`))).items.map(
        ({ name }: { name: string }) => name,
      );
    expect(await names('-name')).toEqual(['beta', 'alpha']);
    expect(await names('key')).toEqual(await names('-id'));
    const seen = await admin.data(admin.get(`/api/user/tokens/${id}`));
    expect(seen).toMatchObject({ id, name: 'beta', username: 'eve' });
    expect(seen.key).toMatch(/^.{2}….{4}$/);
    const owner = await signedIn('eve');
    expect((await owner.data(owner.get(`/api/user/tokens/${id}`))).key).toMatch(/^\w{48}$/);
    expect(await refusal(carl.get(`/api/user/tokens/${id}`))).toContain(String(id));
    const secret = await addToken(peer, 'secret');
    await refusal(admin.get(`/api/user/tokens/${secret}`));
    expect(await root.data(root.get(`/api/user/tokens/${secret}`))).toMatchObject({ username: 'admin2' });
  });

  it('lists orders, codes and adjustments of one user, newest first and in pages', async () => {
    const fay = await gateway.addUser('fay', 0);
    const { database, services } = gateway.app;
    const order = { user_id: fay, amount: 5, money: 5, payment_method: 'zfb' };
    await database.topUps.bulkCreate([
      { ...order, trade_no: 'T1', create_time: 1000, complete_time: 1100, status: 'success', quota: 2_500_000 },
      { ...order, trade_no: 'T2', create_time: 1200, status: 'pending', quota: 500 },
      { ...order, user_id: carlId, trade_no: 'T3', create_time: 1300, status: 'success', quota: 1 },
    ]);
    const [code = ''] = await services.redemptions.create(systemActor, {
      name: 'spring',
      quota: 777,
      count: 1,
      expired_time: 0,
    });
    await services.redemptions.redeem({ id: fay, name: 'fay', role: role.user, address: '' }, code);
    await admin.data(admin.post(`/api/user/${fay}/credit`, { amount: -250, note: 'refund of T0' }));
    const all = await admin.data(admin.get(`/api/user/${fay}/credit`));
    expect(all.total).toBe(4);
    expect(all.items.slice(2)).toMatchObject([
      { kind: 'order', note: 'T2', state: 'pending', amount: 500, time: 1200 },
      { kind: 'order', note: 'T1', state: 'success', amount: 2_500_000, time: 1100 },
    ]);
    expect(all.items).toContainEqual(expect.objectContaining({ kind: 'code', note: 'spring', amount: 777, by: '' }));
    expect(all.items).toContainEqual(
      expect.objectContaining({ kind: 'adjustment', note: 'refund of T0', amount: -250, by: 'admin1' }),
    );
    const second = await admin.data(admin.get(`/api/user/${fay}/credit?page_size=1&p=4`));
    expect(second).toMatchObject({ total: 4, items: [{ note: 'T1' }] });
  });

  it('ends one session of a user or all of them, and leaves a trace', async () => {
    const id = await gateway.addUser('gil', 0);
    const [one, two] = [await signedIn('gil'), await signedIn('gil')];
    const list = await admin.data(admin.get(`/api/user/${id}/sessions`));
    expect(list).toHaveLength(2);
    expect(list.every(({ current }: { current: boolean }) => !current)).toBe(true);
    await refusal(admin.delete(`/api/user/${carlId}/sessions/${list[0].id}`));
    await admin.data(admin.delete(`/api/user/${id}/sessions/${list[0].id}`));
    const left = [await one.get('/api/user/self'), await two.get('/api/user/self')].filter(({ success }) => success);
    expect(left).toHaveLength(1);
    expect(await admin.data(admin.delete(`/api/user/${id}/sessions`))).toBe(1);
    expect([await one.get('/api/user/self'), await two.get('/api/user/self')].some(({ success }) => success)).toBe(
      false,
    );
    const { items } = await root.data(root.get('/api/audit/?actor=admin1&page_size=10'));
    expect(items).toContainEqual(expect.objectContaining({ action: 'session.end', after: { user_id: id } }));
    expect(items).toContainEqual(
      expect.objectContaining({ action: 'session.endOthers', object_id: String(id), after: { count: 1 } }),
    );
    // The caller's own session goes on.
    await signedIn('admin1');
    expect(await admin.data(admin.delete(`/api/user/${own}/sessions`))).toBe(1);
    await admin.data(admin.get('/api/user/self'));
  });
});
