import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { type ConsoleClient, createConsoleClient } from '../../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { engines } from '../../../support/temporary-database.ts';

const password = 'correct horse battery';

describe.each(engines)('limits over HTTP on %s', (engine) => {
  let gateway: TestGateway;
  let root: ConsoleClient;
  let admin: ConsoleClient;
  let alice: ConsoleClient;
  let guest: ConsoleClient;

  beforeAll(async () => {
    gateway = await startGateway(engine, {}, { limitMs: 100 });
    const adminId = await gateway.addUser('adam', 1000);
    await gateway.app.services.users.manage(systemActor, { id: adminId, action: 'promote' });
    const signedIn = async (name: string) => {
      const client = createConsoleClient(gateway.url);
      await client.data(client.signIn(name, password));
      return client;
    };
    [root, admin, alice] = [await signedIn('root'), await signedIn('adam'), await signedIn('alice')];
    guest = createConsoleClient(gateway.url);
  });
  afterAll(() => gateway.stop());
  beforeEach(() => gateway.app.database.limits.destroy({ where: {} }));

  const valid = () => ({ subject_kind: 'user', subject: gateway.userId, measure: 'requests', amount: 5 });
  const make = (values: Record<string, unknown> = {}, by = root) =>
    by.data(by.post('/api/limit/', { ...valid(), ...values }));

  it('are made, read, listed, changed, switched off and deleted by admins', async () => {
    for (const by of [admin, root]) {
      const made = await make({}, by);
      expect(made).toMatchObject({
        subject: String(gateway.userId),
        subject_name: 'alice',
        period: 'minute',
        enabled: true,
        usage: [{ used: 0, remaining: 5, exhausted: false }],
      });
      const path = `/api/limit/${made.id}`;
      expect(await by.data(by.get(path))).toEqual(made);
      expect(await by.data(by.put('/api/limit/', { id: made.id, amount: 6 }))).toMatchObject({ amount: 6 });
      expect(await by.data(by.put('/api/limit/', { id: made.id, enabled: false }))).toMatchObject({
        amount: 6,
        enabled: false,
      });
      expect(await by.data(by.get('/api/limit/'))).toMatchObject({ total: 1, items: [{ id: made.id }] });
      expect(await by.delete(path)).toMatchObject({ status: 200, success: true });
      for (const response of [await by.get(path), await by.delete(path)])
        expect(response).toMatchObject({ success: false, message: expect.stringContaining(String(made.id)) });
      expect(await by.put('/api/limit/', { id: made.id, amount: 7 })).toMatchObject({ success: false });
    }
  });

  it('B45 of a user of the same or a higher role, and of such a user’s tokens, are out of reach for an admin', async () => {
    const { users, tokens } = gateway.app.database;
    const idOf = async (username: string) => (await users.findOne({ where: { username }, raw: true }))?.id ?? 0;
    const tokenOf = async (userId: number) => {
      await gateway.addToken(userId);
      return (await tokens.findOne({ where: { user_id: userId }, order: [['id', 'DESC']], raw: true }))?.id ?? 0;
    };
    const [rootId, ownId] = [await idOf('root'), await idOf('adam')];
    const subjects = [
      { subject_kind: 'user', subject: rootId },
      { subject_kind: 'user', subject: ownId },
      { subject_kind: 'token', subject: await tokenOf(rootId) },
      { subject_kind: 'token', subject: await tokenOf(ownId) },
    ];
    for (const subject of subjects) {
      const wrongRank = { success: false, message: expect.stringMatching(/role|级别/) };
      expect(await admin.post('/api/limit/', { ...valid(), ...subject })).toMatchObject(wrongRank);
      expect((await root.data(root.get('/api/limit/'))).items).toEqual([]);
      const { id } = await make(subject);
      expect(await admin.put('/api/limit/', { id, amount: 1_000_000 })).toMatchObject(wrongRank);
      expect(await admin.put('/api/limit/', { id, enabled: false })).toMatchObject(wrongRank);
      expect(await admin.delete(`/api/limit/${id}`)).toMatchObject(wrongRank);
      expect(await root.data(root.get(`/api/limit/${id}`))).toMatchObject({ amount: 5, enabled: true });
      expect(await root.delete(`/api/limit/${id}`)).toMatchObject({ success: true });
    }
    for (const open of [{ subject: '' }, { subject_kind: 'token', subject: await tokenOf(gateway.userId) }]) {
      const { id } = await make(open, admin);
      expect(await admin.delete(`/api/limit/${id}`)).toMatchObject({ success: true });
    }
  });

  it('are refused to users and guests, but for the own ones', async () => {
    const { id } = await make();
    const others = [
      (by: ConsoleClient) => by.get('/api/limit/'),
      (by: ConsoleClient) => by.get(`/api/limit/${id}`),
      (by: ConsoleClient) => by.post('/api/limit/', valid()),
      (by: ConsoleClient) => by.put('/api/limit/', { id, amount: 1_000_000 }),
      (by: ConsoleClient) => by.delete(`/api/limit/${id}`),
    ];
    for (const ask of others) {
      expect(await ask(guest)).toMatchObject({ status: 401, success: false });
      expect(await ask(alice)).toMatchObject({ status: 403, success: false });
    }
    expect(await guest.get('/api/limit/self')).toMatchObject({ status: 401, success: false });
    expect(await root.data(root.get(`/api/limit/${id}`))).toMatchObject({ amount: 5 });
    expect(await alice.data(alice.get('/api/limit/self'))).toMatchObject([{ id, usage: [{ used: 0, remaining: 5 }] }]);
    expect(await root.data(root.get('/api/limit/self'))).toEqual([]);
  });

  it('do not tell a user how much others have used of what they share', async () => {
    const bob = await gateway.addToken(await gateway.addUser(`bob${Date.now() % 1e6}`, 1_000_000));
    const group = { subject_kind: 'group', subject: 'default' };
    const budget = await make({ ...group, measure: 'budget', period: 'month', amount: 100_000 });
    const model = await make({ subject_kind: 'model', subject: 'gpt-4o-mini', amount: 2, period: 'hour' });
    await gateway.gateway.refresh();
    for (let call = 0; call < 2; call += 1) await (await gateway.chat({}, { key: bob })).text();
    const name = `limit ${model.id} gpt-4o-mini 3600000`;
    const counted = async () => (await gateway.app.database.limitCounts.findOne({ where: { name }, raw: true }))?.count;
    await expect.poll(counted, { timeout: 20_000 }).toBe(2);
    const own = await alice.data(alice.get('/api/limit/self'));
    const { resets_at } = (await root.data(root.get(`/api/limit/${budget.id}`))).usage[0];
    expect(own.map(({ id, usage }: { id: number; usage: unknown }) => [id, usage])).toEqual([
      [budget.id, [{ subject: 'default', subject_name: 'default', exhausted: false, resets_at }]],
      [model.id, [{ subject: 'gpt-4o-mini', subject_name: 'gpt-4o-mini', exhausted: true, resets_at: 0 }]],
    ]);
    expect((await root.data(root.get(`/api/limit/${budget.id}`))).usage[0].used).toBeGreaterThan(0);
    expect((await root.data(root.get(`/api/limit/${model.id}`))).usage).toMatchObject([{ used: 2, remaining: 0 }]);
  });

  it('are filtered, sorted and paged', async () => {
    const own = await make();
    const each = await make({ subject: '', measure: 'concurrency' });
    const model = await make({ subject_kind: 'model', subject: 'gpt-4o', measure: 'budget', amount: 9 });
    const idsOf = async (query: string) =>
      (await root.data(root.get(`/api/limit/?${query}`))).items.map(({ id }: { id: number }) => id);
    expect(await idsOf('')).toEqual([model.id, each.id, own.id]);
    expect(await idsOf('sort=amount')).toEqual([each.id, own.id, model.id]);
    expect(await idsOf('subject_kind=model')).toEqual([model.id]);
    expect(await idsOf('measure=concurrency')).toEqual([each.id]);
    expect(await idsOf(`subject_kind=user&subject=${gateway.userId}`)).toEqual([own.id]);
    expect(await idsOf(`applies_to=user&subject=${gateway.userId}`)).toEqual([own.id, each.id]);
    expect(await idsOf('applies_to=user&subject=999')).toEqual([each.id]);
    expect(await idsOf('applies_to=model&subject=gpt-4o')).toEqual([model.id]);
    expect(await idsOf('sort=id&p=2&page_size=2')).toEqual([model.id]);
  });

  it('name the field that is wrong, and change nothing', async () => {
    const { id } = await make();
    const wrongLists = {
      applies_to: 'applies_to=planet&subject=1',
      subject_kind: 'subject_kind=planet',
      subject: 'applies_to=token',
      measure: 'measure=love',
    };
    for (const [field, query] of Object.entries(wrongLists)) {
      const response = await root.get(`/api/limit/?${query}`);
      expect(response, query).toMatchObject({ success: false, message: expect.stringContaining(field) });
    }
    const wrongLimits: [field: string, values: Record<string, unknown>][] = [
      ['subject_kind', { subject_kind: 'planet' }],
      ['subject_kind', { subject_kind: undefined }],
      ['subject', { subject: 'carl' }],
      ['subject', { subject: -1 }],
      ['subject', { subject_kind: 'model', subject: 'x'.repeat(5000) }],
      ['measure', { measure: 'love' }],
      ['period', { period: 'month' }],
      ['period', { period: 'minute', measure: 'budget' }],
      ['period', { period: 'hour', measure: 'concurrency' }],
      ['amount', { amount: 0 }],
      ['amount', { amount: 1.5 }],
      ['amount', { amount: '5' }],
      ['amount', { amount: undefined }],
      ['enabled', { enabled: 'yes' }],
    ];
    for (const [field, values] of wrongLimits) {
      const response = await root.post('/api/limit/', { ...valid(), ...values });
      const said = JSON.stringify(values).slice(0, 80);
      expect(response, said).toMatchObject({ status: 200, success: false, message: expect.stringContaining(field) });
    }
    for (const [field, values] of [
      ['id', { id: 'x', amount: 1 }],
      ['id', { amount: 1 }],
      ['amount', { id, amount: -1 }],
      ['enabled', { id, enabled: 1 }],
    ] as const) {
      const response = await root.put('/api/limit/', values);
      expect(response, field).toMatchObject({ success: false, message: expect.stringContaining(field) });
    }
    for (const word of ['0', '-1', '1.5', 'abc'])
      expect(await root.get(`/api/limit/${word}`), word).toMatchObject({ success: false });
    const refused = async (language: string) =>
      (await root.post('/api/limit/', valid(), { 'accept-language': language })).message;
    expect(await refused('en')).toMatch(/^\w+ #?\S+ already has a limit for \w+( \w+)? per \w+; change that one/);
    expect(await refused('zh-CN')).toMatch(/^已有此限额（[^a-z]+，每[^a-z]+）/);
    expect((await root.post('/api/limit/', { ...valid(), subject: 987_654 })).message).toContain('987654');
    expect(await root.data(root.get('/api/limit/'))).toMatchObject({ total: 1, items: [{ id, amount: 5 }] });
  });
});
