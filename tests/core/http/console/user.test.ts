import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { role } from '../../../../core/schemas/actor.ts';
import { type ConsoleClient, createConsoleClient } from '../../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { engines } from '../../../support/temporary-database.ts';

const password = 'correct horse battery';
const english = { 'accept-language': 'en' };

describe.each(engines)('users over HTTP on %s', (engine) => {
  let gateway: TestGateway;
  let root: ConsoleClient;
  let admin: ConsoleClient;
  let peer: number;
  let bob: number;
  beforeAll(async () => {
    gateway = await startGateway(engine);
    const ids = [await gateway.addUser('admin1', 0), await gateway.addUser('admin2', 0)];
    peer = ids[1] ?? 0;
    await gateway.app.database.users.update({ role: role.admin }, { where: { id: ids } });
    bob = await gateway.addUser('bob', 500);
    [root, admin] = [await signedIn('root'), await signedIn('admin1')];
  });
  afterAll(() => gateway.stop());

  async function signedIn(name: string): Promise<ConsoleClient> {
    const client = createConsoleClient(gateway.url);
    await client.data(client.signIn(name, password));
    return client;
  }
  const rowOf = (id: number) => gateway.app.database.users.findByPk(id, { raw: true });
  const manage = (client: ConsoleClient, id: number, action: string) =>
    client.post('/api/user/manage', { id, action }, english);

  it('B57 come in the order asked for, and in the default order when it is unknown', async () => {
    const namesBy = async (sort: string) =>
      (await root.data(root.get(`/api/user/?sort=${sort}&page_size=100`))).items.map(
        ({ username }: { username: string }) => username,
      );
    expect((await namesBy('-quota')).slice(0, 3)).toEqual(['root', 'alice', 'bob']);
    expect((await namesBy('username')).slice(0, 2)).toEqual(['admin1', 'admin2']);
    expect(await namesBy('password')).toEqual(await namesBy('-id'));
  });

  it('A-189 A-190 are listed in pages and searched, without a secret', async () => {
    const page = await admin.data(admin.get('/api/user/?p=1&page_size=2'));
    expect(page).toMatchObject({ page: 1, page_size: 2, total: 3 });
    expect(page.items).toMatchObject([{ username: 'bob' }, { username: 'admin1' }]);
    expect(page.items[0]).toMatchObject({ password: '', access_token: null, verification_code: '', DeletedAt: null });
    const found = await root.data(root.get('/api/user/search/?keyword=DMIN&group=default&p=1'));
    expect(found.items.map(({ username }: { username: string }) => username)).toEqual(['admin2', 'admin1']);
    for (const query of ['p=-1&page_size=0', 'p=a&page_size=x', 'p=0&page_size=-5']) {
      expect(await admin.data(admin.get(`/api/user/?${query}`))).toMatchObject({ page: 1, page_size: 10 });
    }
    expect(await admin.data(admin.get('/api/user/?p=1000000000&page_size=1000000000'))).toMatchObject({
      page_size: 100,
    });
    for (const keyword of ['%25', '_', '%5C']) {
      expect((await admin.data(admin.get(`/api/user/search?keyword=${keyword}`))).items).toEqual([]);
    }
    expect((await admin.get(`/api/user/search?keyword=${'x'.repeat(3000)}`)).success).toBe(false);
  });

  it('S3 show admins nothing of root and of each other, in no list and by no search', async () => {
    const { database } = gateway.app;
    await database.users.update({ email: 'boss@example.com' }, { where: { username: 'root' } });
    const queries = [
      '?p=1',
      '?role=100',
      '/search?keyword=boss',
      '/search?keyword=root',
      '/search?keyword=1',
      '/search?keyword=admin2',
    ];
    for (const query of queries) {
      const path = query.startsWith('?') ? `/api/user/${query}` : `/api/user${query}`;
      const { items } = await admin.data(admin.get(path));
      for (const { role, username } of items) expect(role < 10 || username === 'admin1').toBe(true);
    }
    expect((await root.data(root.get('/api/user/search?keyword=boss'))).items).toMatchObject([{ username: 'root' }]);
  });

  it('are found whatever the case of a letter, in every script', async () => {
    await gateway.app.database.users.update({ display_name: 'Émile Иванов' }, { where: { id: bob } });
    for (const keyword of ['éMILE', 'иВАНОВ', 'e_mile']) {
      const { items } = await admin.data(admin.get(`/api/user/search?keyword=${encodeURIComponent(keyword)}`));
      expect(items.map(({ id }: { id: number }) => id)).toEqual(keyword === 'e_mile' ? [] : [bob]);
    }
  });

  it('S3 show others the host alone of where they are told, which often has a key in its path', async () => {
    const url = 'https://hook.example.com/services/planted-canary-1?key=planted-canary-2';
    const told = { notify_type: 'webhook', webhook_url: url, webhook_secret: 'planted-canary-3' };
    const owner = await signedIn('bob');
    await owner.data(owner.put('/api/user/setting', told));
    const stored = JSON.parse((await rowOf(bob))?.setting ?? '');
    // As another gateway of the family wrote it.
    const imported = JSON.stringify({ ...stored, gotify_token: 'planted-canary-4' });
    await gateway.app.database.users.update({ setting: imported }, { where: { id: bob } });
    for (const client of [root, admin]) {
      const responses = [
        await client.data(client.get(`/api/user/${bob}`)),
        (await client.data(client.get('/api/user/search?keyword=bob'))).items[0],
        (await client.data(client.get('/api/user/'))).items.find(({ id }: { id: number }) => id === bob),
        await client.data(manage(client, bob, 'enable')),
      ];
      expect(JSON.stringify(responses)).not.toContain('canary');
      for (const { setting } of responses)
        expect(JSON.parse(setting)).toMatchObject({ notify_type: 'webhook', webhook_url: 'https://hook.example.com' });
    }
    expect(JSON.parse((await owner.data(owner.get('/api/user/self'))).setting).webhook_url).toBe(url);
  });

  it('A-191 A-193 A-194 are read, made and changed', async () => {
    const made = { username: 'made', password, display_name: 'Made' };
    expect((await admin.post('/api/user/', made)).body).toEqual({ success: true, message: '' });
    const { id } = (await admin.data(admin.get('/api/user/search?keyword=made'))).items[0];
    await admin.data(admin.put('/api/user/', { id, username: 'made2', display_name: '', group: 'vip', password: '' }));
    const changed = await admin.data(admin.get(`/api/user/${id}`));
    expect(changed).toMatchObject({ username: 'made2', display_name: '', group: 'vip', role: 1 });
    const session = createConsoleClient(gateway.url);
    expect((await session.signIn('made2', password)).success).toBe(true);
    await admin.data(admin.put('/api/user/', { id, password: 'another good one' }));
    expect((await session.get('/api/user/self')).status).toBe(401);
    expect((await admin.post('/api/user/', { username: '', password }, english)).message).toContain(
      'username and password cannot be empty',
    );
    expect((await admin.post('/api/user/', { username: 'x', password, role: 10 })).success).toBe(false);
  });

  it('are given credit by an admin above them, once for each key, and nothing for a wrong amount', async () => {
    const id = await gateway.addUser('given', 100);
    const give = (client: ConsoleClient, body: unknown) => client.post(`/api/user/${id}/credit`, body, english);
    const credit = { amount: 900, note: 'paid', key: '0b6f1c1e-5f0a-4b53-9c63-6a1d6d9a3f10' };
    expect(await admin.data(give(admin, credit))).toMatchObject({ id, quota: 1000, password: '' });
    expect(await admin.data(give(admin, credit))).toMatchObject({ quota: 1000 });
    // The response was lost, the amount was corrected, and the form sent again: it is told what happened.
    expect(await give(admin, { ...credit, amount: 1900 })).toMatchObject({
      success: false,
      message: expect.stringContaining('booked before with another amount'),
    });
    for (const body of [{ amount: 0 }, { amount: 1.5 }, { amount: '5' }, {}, { amount: 5, key: 'x' }]) {
      expect((await give(admin, body)).success).toBe(false);
    }
    const owner = await signedIn('given');
    expect((await give(owner, { amount: 5 })).success).toBe(false);
    expect((await admin.post(`/api/user/${peer}/credit`, { amount: 5 }, english)).success).toBe(false);
    expect((await rowOf(id))?.quota).toBe(1000);
    const { items } = await owner.data(owner.get('/api/log/self?type=3'));
    expect(items[0].content).toContain('paid');
  });

  it('B8 B9 B68 take no hidden marks and no endless names from an admin either, and say so in the language of the reader', async () => {
    const id = await gateway.addUser('plain', 0);
    const chinese = { 'accept-language': 'zh' };
    for (const fields of [
      { display_name: 'a\u202egnp.exe' },
      { display_name: 'zero\u200bwidth' },
      { display_name: 'x'.repeat(21) },
      { username: 'zero\u200bwidth' },
      { username: 'thirteen-char' },
    ]) {
      const response = await admin.put('/api/user/', { id, ...fields }, chinese);
      expect(response, JSON.stringify(fields)).toMatchObject({ status: 200, success: false });
      expect(response.message).toMatch(/不能/);
    }
    expect(await rowOf(id)).toMatchObject({ username: 'plain', display_name: 'plain' });
    // Rows of other programs may contain longer ones: they are sent back as they are.
    const longer = 'a name from elsewhere, longer than ours';
    await gateway.app.database.users.update({ display_name: longer }, { where: { id } });
    await admin.data(admin.put('/api/user/', { id, display_name: longer, group: 'vip' }));
    await admin.data(admin.put('/api/user/', { id, display_name: '<b>&"bold"' }));
    expect(await rowOf(id)).toMatchObject({ group: 'vip', display_name: '<b>&"bold"' });
  });

  it('M13 B82 A-179 get the difference to the quota the form was opened with', async () => {
    const id = await gateway.addUser('moneyed', 1000);
    const edit = (body: Record<string, unknown>) => admin.put('/api/user/', { id, ...body });
    await gateway.app.services.users.adjustQuota(
      { id: 0, name: '', role: 100, address: '' },
      { id, amount: -300, note: '' },
    );
    await admin.data(edit({ quota: 1500, quota_loaded: 1000 }));
    expect(await gateway.quotaOf(id)).toBe(1200);
    await admin.data(edit({ quota: 0 }));
    expect(await gateway.quotaOf(id)).toBe(0);
    for (const quota of ['NaN', '"7"', '1e309', '1.5', '9007199254740993', '[1]']) {
      const response = await admin.put('/api/user/', `{"id":${id},"quota":${quota}}`);
      expect(response, quota).toMatchObject({ success: false });
    }
    expect(await gateway.quotaOf(id)).toBe(0);
    await gateway.verifyBooks();
  });

  it('A-182 A-183 B45 are out of reach for those of the same or a lower role', async () => {
    for (const id of [root.userId, peer, admin.userId]) {
      if (id !== admin.userId)
        expect(await admin.get(`/api/user/${id}`)).toMatchObject({ status: 200, success: false });
      expect((await admin.put('/api/user/', { id, role: 100, display_name: 'x', quota: 9 })).success).toBe(false);
      expect((await admin.delete(`/api/user/${id}`)).success).toBe(false);
      for (const action of ['disable', 'delete', 'demote'])
        expect((await manage(admin, id, action)).success).toBe(false);
    }
    expect((await admin.put('/api/user/', { id: bob, role: 100 })).success).toBe(false);
    expect((await rowOf(bob))?.role).toBe(1);
    expect((await root.delete(`/api/user/${root.userId}`)).success).toBe(false);
    const user = await signedIn('bob');
    for (const response of [
      await user.get('/api/user/'),
      await user.get(`/api/user/${peer}`),
      await user.put('/api/user/', { id: bob, quota: 1e6 }),
      await user.post('/api/user/manage', { id: bob, action: 'promote' }),
      await user.delete(`/api/user/${peer}`),
    ]) {
      expect(response).toMatchObject({ status: 403, success: false });
    }
  });

  it('A-196 A-142 A-184 A-185 A-186 B46 are promoted, demoted, disabled and deleted by the rules', async () => {
    expect((await manage(admin, bob, 'promote')).message).toContain('Only root');
    expect((await manage(root, bob, 'promote')).data).toMatchObject({ id: bob, role: 10, status: 1 });
    expect((await manage(root, bob, 'promote')).message).toContain('already an admin');
    expect((await manage(root, bob, 'demote')).data).toMatchObject({ role: 1, status: 1 });
    expect((await manage(root, bob, 'demote')).message).toContain('already a normal user');
    for (const action of ['disable', 'delete', 'demote']) {
      expect((await manage(root, root.userId, action)).message).toContain('root user cannot');
    }
    expect((await manage(admin, bob, 'disable')).data).toMatchObject({ status: 2 });
    expect((await createConsoleClient(gateway.url).signIn('bob', password)).success).toBe(false);
    expect((await manage(admin, bob, 'enable')).data).toMatchObject({ status: 1 });
    const gone = await gateway.addUser('gone', 0);
    expect((await manage(admin, gone, 'delete')).data.DeletedAt).toMatch(/^\d{4}-/);
    expect((await manage(admin, gone, 'enable')).success).toBe(false);
  });

  it.each([
    ['B47 A-143 an unknown action', { id: 1, action: 'explode' }],
    ['B42 id 0', { id: 0, action: 'enable' }],
    ['B42 id -1', { id: -1, action: 'enable' }],
    ['B42 id 1.5', { id: 1.5, action: 'enable' }],
    ['B42 id 2^63', { id: 2 ** 63, action: 'enable' }],
    ['B42 a list', { id: [1], action: 'enable' }],
    ['B42 a text', { id: 'abc', action: 'enable' }],
    ['an unknown user', { id: 999_999, action: 'enable' }],
  ])('are not managed by %s', async (_what, body) => {
    expect(await admin.post('/api/user/manage', body)).toMatchObject({ status: 200, success: false });
  });

  it.each(['0', '-1', '1.5', '1e3', '9223372036854775808', 'abc'])('B42 have no id %s', async (id) => {
    expect(await admin.get(`/api/user/${id}`)).toMatchObject({ status: 200, success: false });
    expect(await admin.delete(`/api/user/${id}`)).toMatchObject({ status: 200, success: false });
  });

  it('are erased for good: the name is free again, the books stay right', async () => {
    const id = await gateway.addUser('erased', 700);
    const key = await gateway.addToken(id);
    await gateway.app.database.users.update({ email: 'erased@example.com' }, { where: { id } });
    const session = await signedIn('erased');
    expect((await gateway.chat({}, { key })).status).toBe(200);
    expect((await admin.delete(`/api/user/${id}`)).body).toEqual({ success: true, message: '' });
    expect((await session.get('/api/user/self')).status).toBe(401);
    await gateway.gateway.refresh();
    expect((await gateway.chat({}, { key })).status).toBe(401);
    expect((await admin.get(`/api/user/${id}`)).success).toBe(false);
    expect((await admin.delete(`/api/user/${id}`)).success).toBe(false);
    expect((await admin.data(admin.get('/api/user/search?keyword=erased'))).items).toEqual([]);
    const stored = JSON.stringify([
      await rowOf(id),
      await gateway.app.database.tokens.findAll({ where: { user_id: id }, raw: true }),
    ]);
    expect(stored).not.toContain('erased@example.com');
    expect(stored).toContain('"key_hash":"erased:');
    expect(await gateway.addUser('erased', 0)).not.toBe(id);
    await gateway.verifyBooks();
  });

  it('keep what another admin changed after a form was loaded', async () => {
    const id = await gateway.addUser('shared', 100);
    const { display_name, email, group } = await admin.data(admin.get(`/api/user/${id}`));
    await root.put('/api/user/', { id, display_name: 'Theirs' });
    const edit = { id, display_name: 'Mine', email: 'shared@example.com', quota: 150, quota_loaded: 100 };
    const refused = await admin.put('/api/user/', { ...edit, loaded: { display_name, email, group } }, english);
    expect(refused).toMatchObject({ status: 409, success: false, data: { changed: { display_name: 'Theirs' } } });
    expect(await rowOf(id)).toMatchObject({ display_name: 'Theirs', email: '', quota: 100 });
    await admin.data(admin.put('/api/user/', { ...edit, loaded: { display_name: 'Theirs', email } }));
    expect(await rowOf(id)).toMatchObject({ display_name: 'Mine', email: 'shared@example.com', quota: 150 });
  });
});
