import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ConsoleClient, createConsoleClient } from '../../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';

const password = 'correct horse battery';

describe('tokens over HTTP', () => {
  let gateway: TestGateway;
  let alice: ConsoleClient;
  let bob: ConsoleClient;
  beforeAll(async () => {
    gateway = await startGateway();
    alice = createConsoleClient(gateway.url);
    await alice.signIn('alice', password);
    await gateway.addUser('bob', 0);
    bob = createConsoleClient(gateway.url);
    await bob.signIn('bob', password);
  });
  beforeEach(async () => {
    const { tokens } = gateway.app.database;
    // Through the service, so that the books stay right.
    for (const client of [alice, bob]) {
      const rows = await tokens.findAll({ where: { user_id: client.userId, deleted_at: null }, raw: true });
      if (rows.length > 0) await client.data(client.post('/api/token/batch', { ids: rows.map(({ id }) => id) }));
    }
  });
  afterAll(async () => {
    await gateway.verifyBooks();
    await gateway.stop();
  });

  async function create(fields: Record<string, unknown> = {}, as = alice): Promise<ReturnType<typeof read>> {
    const response = await as.post('/api/token/', { name: 'demo', remain_quota: 500_000, ...fields });
    if (!response.success) throw new Error(response.message);
    expect(response.body).toEqual({ success: true, message: '' });
    return (await as.data(as.get('/api/token/?p=0&size=1')))[0];
  }
  const read = (id: number) => alice.data(alice.get(`/api/token/${id}`));
  const namesOf = async (path: string, as = alice) =>
    (await as.data(as.get(path))).map(({ name }: { name: string }) => name);

  it('G-002 G-199 G-200 G-202 G-205 are created, listed with their keys, work, and are deleted', async () => {
    const token = await create({ name: 'first', unlimited_quota: true, remain_quota: 0 });
    await create({ name: 'second' });
    expect(await namesOf('/api/token')).toEqual(['second', 'first']);
    expect(await namesOf('/api/token/?p=1&size=1')).toEqual(['first']);
    expect(token).toMatchObject({ user_id: alice.userId, status: 1, expired_time: -1, DeletedAt: null, group: '' });
    expect(token.key).toMatch(/^[0-9A-Za-z]{48}$/);
    expect((await gateway.chat({}, { key: `sk-${token.key}` })).status).toBe(200);
    expect((await read(token.id)).key).toBe(token.key);
    expect(await alice.data(alice.post(`/api/token/${token.id}/key`))).toEqual({ key: token.key });
    await alice.data(alice.delete(`/api/token/${token.id}/`));
    expect((await alice.get(`/api/token/${token.id}`)).success).toBe(false);
    expect((await gateway.chat({}, { key: `sk-${token.key}` })).status).toBe(401);
  });

  it('B57 come in the order asked for, and in the default order when it is unknown', async () => {
    for (const name of ['beta', 'alpha', 'gamma']) await create({ name });
    expect(await namesOf('/api/token/?sort=name')).toEqual(['alpha', 'beta', 'gamma']);
    expect(await namesOf('/api/token/search?keyword=a&sort=-name')).toEqual(['gamma', 'beta', 'alpha']);
    for (const sort of ['key', 'user_id', 'name;DROP', '--name', '']) {
      expect(await namesOf(`/api/token/?sort=${sort}`)).toEqual(['gamma', 'alpha', 'beta']);
    }
  });

  it('G-074 G-201 are found by a part of the name and of the key', async () => {
    const one = await create({ name: 'web 100%' });
    const two = await create({ name: 'worker' });
    expect(await namesOf('/api/token/search?keyword=W')).toEqual(['worker', 'web 100%']);
    expect(await namesOf(`/api/token/search/?keyword=&token=sk-${String(two.key).slice(5, 20)}`)).toEqual(['worker']);
    expect(await namesOf(`/api/token/search?keyword=web&token=${two.key}`)).toEqual([]);
    expect(await namesOf(`/api/token/search?token=${one.key}`)).toEqual(['web 100%']);
    // B56
    for (const text of ['%%', '_', '\\'])
      expect(await namesOf(`/api/token/search?keyword=${encodeURIComponent(text)}`)).toEqual([]);
    expect(await namesOf(`/api/token/search?keyword=${encodeURIComponent('0%')}`)).toEqual(['web 100%']);
    expect((await alice.get(`/api/token/search?keyword=${'x'.repeat(65)}`)).success).toBe(false);
    expect((await alice.get(`/api/token/search?keyword=${'x'.repeat(10_240)}`)).status).toBe(414);
  });

  it('G-176 S2 B41 of another user look like none at all, to admins too', async () => {
    const token = await create();
    const root = createConsoleClient(gateway.url);
    await root.signIn('root', password);
    for (const stranger of [bob, root]) {
      const missing = await stranger.get('/api/token/999999');
      const attempts = [
        await stranger.get(`/api/token/${token.id}`),
        await stranger.put('/api/token/', { id: token.id, name: 'taken' }),
        await stranger.put('/api/token/?status_only=true', { id: token.id, status: 2 }),
        await stranger.delete(`/api/token/${token.id}`),
        await stranger.post(`/api/token/${token.id}/key`),
      ];
      for (const { status, success, message } of attempts) {
        expect({ status, success }).toEqual({ status: 200, success: false });
        expect(message.replace(String(token.id), '999999')).toBe(missing.message);
      }
      expect(await stranger.data(stranger.post('/api/token/batch', { ids: [token.id, 999_999] }))).toBe(0);
      expect(await namesOf(`/api/token/search?token=${token.key}`, stranger)).toEqual([]);
    }
    expect(await read(token.id)).toEqual(token);
  });

  it('G-203 G-204 S3 B44 take nothing from a body that is not theirs to say', async () => {
    const columns = { user_id: bob.userId, used_quota: 9, created_time: 1, accessed_time: 1, status: 3, role: 100 };
    const more = { key: 'k'.repeat(48), key_hash: 'x', key_encrypted: 'x', deleted_at: 1, DeletedAt: '2020-01-01' };
    const token = await create({ ...columns, ...more, id: 77 });
    expect(token).toMatchObject({ user_id: alice.userId, used_quota: 0, status: 1, DeletedAt: null });
    expect(token.created_time).toBeGreaterThan(1_700_000_000);
    expect(token.key).not.toContain('kkkk');
    await alice.data(alice.put('/api/token/', { id: token.id, name: 'renamed', ...columns, ...more }));
    await alice.data(alice.put('/api/token/?status_only=1', { id: token.id, name: 'x', ...columns, status: 2 }));
    expect(await read(token.id)).toEqual({ ...token, name: 'renamed', status: 2 });
    expect(await namesOf('/api/token/', bob)).toEqual([]);
  });

  it.each([
    ['G-156 no name', { name: '' }],
    ['B52 a name of 31 bytes', { name: '十个汉字加起来是三十字节了' }],
    ['B52 a name with a control character', { name: 'a\u0007b' }],
    ['G-161 B49 a negative quota', { remain_quota: -1 }],
    ['B49 a quota of 2^53', { remain_quota: 2 ** 53 }],
    ['B49 a quota as text', { remain_quota: '1e9' }],
    ['B49 a quota that is not a number', { remain_quota: Number.NaN }],
    ['B51 an expiry of 0', { expired_time: 0 }],
    ['B51 an expiry of 2^40', { expired_time: 2 ** 40 }],
    ['B53 an invalid address', { allow_ips: '999.1.1.1' }],
    [
      'B53 more addresses than a list may have',
      { allow_ips: Array.from({ length: 4000 }, (_, n) => `10.0.${n >> 8}.${n & 255}`).join('\n') },
    ],
    ['B54 a model list of 100 KiB', { model_limits: 'gpt-4o,'.repeat(7_000) }],
    ['a group that cannot be chosen', { group: 'svip' }],
    ['an unlimited flag as text', { unlimited_quota: 'yes' }],
  ])('are refused with %s', async (_what, fields) => {
    const response = await alice.post('/api/token/', { name: 'demo', ...fields });
    expect(response).toMatchObject({ status: 200, success: false });
    expect(response.message).toMatch(/[\u4e00-\u9fff]/);
    expect(await namesOf('/api/token/')).toEqual([]);
  });

  it('G-203 are saved by the form of a console, and a form sent back unchanged changes nothing', async () => {
    const fields = { name: 'ci', remain_quota: 500, expired_time: 1_000_000_000, model_limits_enabled: true };
    const token = await create({ ...fields, model_limits: 'gpt-4o, o1', allow_ips: '', group: null, status: 1 });
    expect(token).toMatchObject({ model_limits: 'gpt-4o,o1', model_limits_enabled: true, group: '', status: 3 });
    const audits = await gateway.app.database.audits.count();
    expect(await alice.data(alice.put('/api/token', token))).toEqual(token);
    expect(await gateway.app.database.audits.count()).toBe(audits);
    const change = { name: 'cd', remain_quota: 700, model_limits: 'o1', allow_ips: '10.0.0.1', group: 'vip' };
    expect(await alice.data(alice.put('/api/token/', { ...token, ...change }))).toEqual({ ...token, ...change });
    expect(await read(token.id)).toEqual({ ...token, ...change });
  });

  it('B53 G-111 have their addresses brought into one form', async () => {
    const token = await create({ allow_ips: '0.0.0.0/0\n ::ffff:1.2.3.4,\n\n10.0.0.1' });
    expect(token.allow_ips).toBe('0.0.0.0/0\n1.2.3.4\n10.0.0.1');
  });

  it('G-204 B51 G-131 G-133 G-134 are expired or exhausted by what they contain, and enabled only when they are neither', async () => {
    const enable = (id: number, status: unknown = 1) => alice.put('/api/token/?status_only=true', { id, status });
    const past = await create({ expired_time: 1_000_000_000 });
    expect(past.status).toBe(3);
    expect((await enable(past.id)).success).toBe(false);
    const changed = await alice.data(alice.put('/api/token/', { id: past.id, expired_time: -1 }));
    expect(changed).toMatchObject({ status: 1, key: past.key });
    const empty = await create({ remain_quota: 0 });
    expect(empty.status).toBe(4);
    expect((await enable(empty.id)).success).toBe(false);
    await alice.data(alice.put('/api/token/', { id: empty.id, unlimited_quota: true }));
    expect(await alice.data(enable(empty.id))).toMatchObject({ status: 1 });
    expect(await alice.data(enable(empty.id, 2))).toMatchObject({ status: 2, key: empty.key });
    // B50
    for (const status of [0, 3, 4, 5, '1', null]) expect((await enable(empty.id, status)).success).toBe(false);
    expect((await enable(empty.id, 3)).message).toBe('输入无效：status：应为以下之一：1, 2');
    expect((await read(empty.id)).status).toBe(2);
  });

  it('M13 are given the difference to the quota the form showed', async () => {
    const token = await create({ remain_quota: 1000 });
    expect((await gateway.chat({}, { key: `sk-${token.key}` })).status).toBe(200);
    const { remain_quota: left, used_quota: used } = await read(token.id);
    expect(left).toBeLessThan(1000);
    const edit = { id: token.id, remain_quota: 1500, remain_quota_loaded: 1000 };
    expect(await alice.data(alice.put('/api/token/', edit))).toMatchObject({
      remain_quota: left + 500,
      used_quota: used,
    });
    expect(await alice.data(alice.put('/api/token/', { id: token.id, remain_quota: 2000 }))).toMatchObject({
      remain_quota: 2000,
    });
    const both = [1, 2, 3, 4].map(() => alice.put('/api/token/', { id: token.id, remain_quota: 5000 }));
    await Promise.all(both);
    expect(await read(token.id)).toMatchObject({ remain_quota: 5000 });
    for (const remain_quota of [-1, 2 ** 53, '1e9', 1.5])
      expect((await alice.put('/api/token/', { id: token.id, remain_quota })).success).toBe(false);
  });

  it('B42 B55 B59 B60 are asked for by nonsense without harm', async () => {
    await create();
    for (const wrong of ['0', '-1', '1.5', '1e3', '9223372036854775808', 'abc', '1,2'])
      expect(await alice.get(`/api/token/${wrong}`)).toMatchObject({ status: 200, success: false });
    for (const query of ['p=-1', 'p=x', 'size=0', 'size=-1', 'size=1e9', 'size=x', 'order=key', 'a[b]=1'])
      expect(await namesOf(`/api/token/?${query}`)).toEqual(['demo']);
    expect(await namesOf('/api/token/?p=1000000000')).toEqual([]);
    expect((await alice.get('/api/token/?size=1&size=2')).status).toBe(400);
    for (const body of [{ id: '1', name: 'x' }, { name: 'x' }, { id: 0 }, [], null])
      expect((await alice.put('/api/token/', body)).success).toBe(false);
  });

  it('B66 are deleted in batches of at most a thousand', async () => {
    const [one, two] = [await create(), await create()];
    const many = Array.from({ length: 100_000 }, (_, index) => index + 1);
    for (const ids of [many, many.slice(0, 1001), [String(one.id)], [], 'all'])
      expect([400, 413]).toContain((await alice.post('/api/token/batch', { ids })).status);
    expect(await alice.data(alice.post('/api/token/batch', { ids: [one.id, one.id, two.id] }))).toBe(2);
    expect(await namesOf('/api/token/')).toEqual([]);
  });
});
