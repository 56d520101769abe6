import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDrawings } from '../../../support/add-drawings.ts';
import { type ConsoleClient, createConsoleClient } from '../../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { engines } from '../../../support/temporary-database.ts';

const password = 'correct horse battery';
const now = Math.floor(Date.now() / 1000);

describe.each(engines)('the log over HTTP on %s', (engine) => {
  let gateway: TestGateway;
  let root: ConsoleClient;
  let alice: ConsoleClient;
  let bob: ConsoleClient;
  let bobKey: string;
  const read = (console: ConsoleClient, path: string) => console.data(console.get(path));

  beforeAll(async () => {
    gateway = await startGateway(engine);
    const bobId = await gateway.addUser('bob', 1_000_000);
    bobKey = await gateway.addToken(bobId, { name: '=cmd()', unlimited_quota: true });
    await gateway.chat();
    await gateway.chat({}, { key: bobKey });
    [root, alice, bob] = [1, 2, 3].map(() => createConsoleClient(gateway.url)) as [
      ConsoleClient,
      ConsoleClient,
      ConsoleClient,
    ];
    await root.data(root.signIn('root', password));
    await alice.data(alice.signIn('alice', password));
    await bob.data(bob.signIn('bob', password));
  });
  afterAll(() => gateway.stop());

  it('G-219 shows admins every row, with the name of the channel, in pages from 1', async () => {
    const page = await read(root, '/api/log/?p=1&page_size=20&type=2');
    expect(page).toMatchObject({ page: 1, page_size: 20, total: 2, total_capped: false });
    expect(page.items[0]).toMatchObject({ username: 'bob', token_name: '=cmd()', channel_name: 'fake', type: 2 });
    expect(JSON.parse(page.items[0].other).admin_info.attempts).toMatchObject([{ name: 'fake', outcome: 'ok' }]);
    expect((await read(root, '/api/log?username=alice&type=2')).items).toHaveLength(1);
    expect((await read(root, `/api/log/?channel=${page.items[0].channel}&type=2`)).total).toBe(2);
    expect((await read(root, '/api/log/?p=2&page_size=1&type=2')).items[0]).toMatchObject({ username: 'alice' });
  });

  it('G-002 G-118 G-174 S3 shows users their own rows, without admin_info and channel names, whatever they ask for', async () => {
    for (const path of ['/api/log/self', '/api/log/self/?username=bob&user_id=1&channel=9']) {
      const { items } = await read(alice, path);
      expect(items.length).toBeGreaterThan(0);
      expect(items.every((row: { user_id: number }) => row.user_id === gateway.userId)).toBe(true);
      expect(items.every((row: { channel_name: string }) => row.channel_name === '')).toBe(true);
      expect(JSON.stringify(items)).not.toContain('admin_info');
    }
    expect((await alice.get('/api/log/')).status).toBe(403);
    // An admin's own list is that of a user.
    expect((await read(root, '/api/log/self?type=2')).total).toBe(0);
  });

  it('keeps real ids in the own list: consoles use them to tell rows apart', async () => {
    const { items } = await read(root, '/api/log/?page_size=100');
    const own = await read(bob, '/api/log/self');
    const known = new Set(items.map(({ id }: { id: number }) => id));
    expect(own.items.every(({ id }: { id: number }) => known.has(id))).toBe(true);
  });

  it('G-220 sums quota of the range and calls of the last minute, own figures by account', async () => {
    const [row] = (await read(root, '/api/log/?username=bob&type=2')).items;
    const tokens = row.prompt_tokens + row.completion_tokens;
    expect(await read(bob, '/api/log/self/stat')).toEqual({ quota: row.quota, rpm: 1, tpm: tokens });
    expect(await read(root, '/api/log/stat?username=bob')).toEqual({ quota: row.quota, rpm: 1, tpm: tokens });
    expect((await read(root, `/api/log/stat/?end_timestamp=${now - 7200}`)).quota).toBe(0);
    expect((await read(root, '/api/log/stat?type=4')).rpm).toBe(2);
  });

  it('searches by type or by the beginning of the content', async () => {
    expect(await read(root, '/api/log/search?keyword=2')).toHaveLength(2);
    expect(await read(bob, '/api/log/self/search/?keyword=2')).toHaveLength(1);
    expect(await read(root, '/api/log/search?keyword=no%20such%20text')).toEqual([]);
  });

  it('G-219 K a key shows its own rows to any page, and nothing else', async () => {
    const byQuery = await bob.get(`/api/log/token?key=${bobKey}`, { cookie: '', origin: 'https://elsewhere.example' });
    expect(byQuery.headers.get('access-control-allow-origin')).toBe('*');
    expect(byQuery.data).toMatchObject([{ username: 'bob', channel_name: '' }]);
    expect(JSON.stringify(byQuery.data)).not.toContain('admin_info');
    const bare = bobKey.replace('sk-', '');
    expect((await bob.get(`/api/log/token/?key=${bare}`)).data).toEqual(byQuery.data);
    expect((await bob.get('/api/log/token', { authorization: `Bearer ${bobKey}` })).data).toEqual(byQuery.data);
    for (const path of ['/api/log/token', '/api/log/token?key=sk-unknown', '/api/log/token?key=-5']) {
      expect(await root.get(path)).toMatchObject({ status: 401, success: false });
    }
    // S9: a key that cannot call models cannot read logs either.
    const allow = (allow_ips: string) =>
      gateway.app.database.tokens.update({ allow_ips }, { where: { name: '=cmd()' } });
    await allow('203.0.113.0/24');
    expect(await bob.get(`/api/log/token?key=${bobKey}`)).toMatchObject({ success: false, data: undefined });
    await allow('127.0.0.0/8');
    expect((await bob.get(`/api/log/token?key=${bobKey}`)).data).toEqual(byQuery.data);
    await allow('');
  });

  it('B55 pages outside the list are the nearest sensible ones', async () => {
    for (const [query, page, page_size] of [
      ['p=-1', 1, 10],
      ['p=0', 1, 10],
      ['p=a', 1, 10],
      ['page_size=0', 1, 10],
      ['page_size=-1', 1, 10],
      ['page_size=1000000000', 1, 100],
      ['p=1000000000', 1_000_000_000, 10],
    ] as const) {
      expect(await read(root, `/api/log/?${query}`)).toMatchObject({ page, page_size });
    }
    expect((await read(root, '/api/log/?p=1000000000')).items).toEqual([]);
  });

  it('B56 B57 B58 wildcards, unknown columns and nonsense times find what they say or nothing', async () => {
    const count = async (query: string) => (await read(root, `/api/log/?type=2&${query}`)).total;
    expect(await count('model_name=gpt%25')).toBe(2);
    expect(await count('model_name=GPT%25Mini')).toBe(await count('model_name=gpt%25mini'));
    expect(await count('model_name=gpt_4o%25')).toBe(0);
    expect(await count('model_name=gpt_4o_mini')).toBe(0);
    expect(await count('token_name=%25')).toBe(0);
    expect(await count('username=%5C')).toBe(0);
    expect((await root.get(`/api/log/?token_name=${'x'.repeat(300)}`)).success).toBe(false);
    expect(await count('sort=quota&order=desc&column=password')).toBe(2);
    expect(await count(`start_timestamp=${now + 9999}&end_timestamp=1`)).toBe(0);
    expect(await count('start_timestamp=-5')).toBe(2);
    expect(await count(`start_timestamp=${now * 1000}`)).toBe(0);
  });

  it('B59 B60 a key that comes twice is refused, odd keys are nothing', async () => {
    expect((await root.get('/api/log/?p=1&p=2')).status).toBe(400);
    expect((await root.get('/api/log/?a[b]=1&__proto__[x]=1')).success).toBe(true);
  });

  it('B65 exports CSV that no spreadsheet takes for a formula', async () => {
    const response = await root.get('/api/log/export?type=2');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toContain('log.csv');
    const lines = String(response.body).trim().split('\r\n');
    expect(lines[0]).toContain('id,time,type,username,token_name');
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain(`,"'=cmd()",`);
    const own = String((await alice.get('/api/log/self/export')).body);
    expect(own).not.toContain('bob');
    expect(own).not.toContain('fake');
    expect((await fetch(`${gateway.url}/api/log/export`, { headers: { cookie: alice.cookie } })).status).toBe(401);
  });

  it('exports the texts in the language of the reader; titles and types are for programs and stay', async () => {
    await gateway.addUser('rich', 500);
    const rows = async (language: string) =>
      String((await root.get('/api/log/export?type=3&username=rich', { 'accept-language': language })).body);
    expect(await rows('en')).toContain('Quota changed by +$0.001: test');
    const chinese = await rows('zh-CN');
    expect(chinese).toContain('管理员调整额度 +$0.001：test');
    for (const word of ['id,time,type', ',management,']) expect(chinese).toContain(word);
  });

  it('A-218 B67 deletes only before a past moment, by admins, leaving a trace', async () => {
    expect((await alice.delete(`/api/log/?target_timestamp=${now - 9}`)).status).toBe(403);
    for (const query of ['', '?target_timestamp=0', '?target_timestamp=abc', `?target_timestamp=${now + 999}`]) {
      expect(await root.delete(`/api/log/${query}`)).toMatchObject({ status: 200, success: false });
    }
    const refused = await read(root, '/api/audit/?action=log.clearRefused');
    expect(refused).toMatchObject({ total: 4 });
    await gateway.app.database.logs.create({ type: 4, created_at: now - 500, content: 'old' });
    expect(await root.data(root.delete(`/api/log/?target_timestamp=${now - 400}`))).toBe(1);
    const [done] = (await read(root, '/api/audit?object_kind=log')).items;
    expect(done).toMatchObject({ action: 'log.cleared', actor_name: 'root', after: { deleted: 1 } });
    await gateway.verifyBooks();
  });

  it('S14 the audit trail is read by admins, narrowed by action, object, actor and time', async () => {
    expect((await alice.get('/api/audit/')).status).toBe(403);
    const all = await read(root, '/api/audit/?page_size=100');
    expect(all.total).toBe(all.items.length);
    const signIns = await read(root, '/api/audit/?action=session.signIn');
    expect(signIns.items.map((row: { actor_name: string }) => row.actor_name)).toEqual(['bob', 'alice', 'root']);
    expect(signIns.items[0].address).toBe('127.0.0.1');
    expect((await read(root, '/api/audit/?action=session.signIn&actor=alice')).total).toBe(1);
    expect((await read(root, `/api/audit/?actor=${gateway.userId}`)).total).toBeGreaterThan(0);
    expect((await read(root, `/api/audit/?object_kind=user&object_id=${gateway.userId}`)).total).toBeGreaterThan(0);
    expect((await read(root, `/api/audit/?end_timestamp=${now - 900}`)).total).toBe(0);
    expect((await read(root, '/api/audit/?p=99999')).items).toEqual([]);
  });

  it('says what a row tells in the language of its reader, on every list', async () => {
    const id = await gateway.addUser('reader', 0);
    const reader = createConsoleClient(gateway.url);
    await reader.data(reader.signIn('reader', password));
    await root.data(root.put('/api/user/', { id, quota: 500, quota_loaded: 0 }));
    const [code] = await root.data(root.post('/api/redemption/', { name: 'read', quota: 7, count: 1 }));
    await reader.data(reader.post('/api/user/topup', { key: code }));
    const contents = async (language: string) => {
      const rows = await reader.data(reader.get('/api/log/self', { 'accept-language': language }));
      return rows.items.map(({ content }: { content: string }) => content);
    };
    expect(await contents('en')).toEqual([expect.stringMatching(/^Redeemed code #\d+$/), 'Quota changed by +$0.001']);
    const inChinese = await contents('zh-CN');
    expect(inChinese).toEqual([expect.stringMatching(/^兑换码 #\d+ 充值$/), '管理员调整额度 +$0.001']);
    for (const keyword of [
      'redeemed',
      inChinese[0],
      'quota',
      'quota changed by +$0.001',
      'Quota changed by +$0.001',
      '管理员调整额度 +$0.0',
    ]) {
      const found = await root.data(root.get(`/api/log/search?keyword=${encodeURIComponent(keyword)}`));
      expect(
        found.map(({ username }: { username: string }) => username),
        keyword,
      ).toContain('reader');
    }
    // What is stored is not shown.
    for (const keyword of ['Quota changed by +500', 'Quota changed by +$0.0011', '500'])
      expect(await read(root, `/api/log/search?keyword=${encodeURIComponent(keyword)}`), keyword).toEqual([]);
    for (const path of [
      '/api/log/?username=reader',
      '/api/log/search?keyword=quota',
      '/api/log/self/search?keyword=3',
    ]) {
      const rows = await read(path.includes('self') ? reader : root, path);
      expect(JSON.stringify(rows), path).toContain('管理员调整额度 +$0.001');
    }
  });

  it('hourly sums are of all users per model for admins, and a user’s own for 30 days at most', async () => {
    // Two rows when an hour ended between the calls.
    const all: { count: number; token_used: number }[] = await read(root, '/api/data/');
    for (const row of all) expect(row).toMatchObject({ id: 0, user_id: 0, username: '', model_name: 'gpt-4o-mini' });
    const sum = (name: 'count' | 'token_used') => all.reduce((total, row) => total + row[name], 0);
    expect(sum('count')).toBe(2);
    const [own] = await read(bob, '/api/data/self');
    expect(own).toMatchObject({ username: 'bob', count: 1, token_used: sum('token_used') / 2 });
    expect(own.created_at % 3600).toBe(0);
    // An hour may have ended since these tests began.
    const range = `start_timestamp=${now - 7200}&end_timestamp=${now + 3600}`;
    expect(await read(root, `/api/data?username=bob&default_time=hour&${range}`)).toEqual([own]);
    expect(await read(root, `/api/data/?username=nobody&${range}`)).toEqual([]);
    const users = await read(root, `/api/data/users?${range}`);
    expect(users).toContainEqual(expect.objectContaining({ username: 'bob', count: 1, quota: own.quota }));
    expect((await alice.get('/api/data/users')).status).toBe(403);
    expect((await alice.get('/api/data/')).status).toBe(403);
    const tooLong = `/api/data/self?start_timestamp=${now - 2_592_001}&end_timestamp=${now}`;
    expect(await bob.get(tooLong)).toMatchObject({ status: 200, success: false });
    expect(await read(bob, `/api/data/self/?start_timestamp=${now}&end_timestamp=${now - 5}`)).toEqual([]);
  });

  it('the report of usage is of everything for admins, of the own account for users, and by what there is', async () => {
    const all = await read(root, '/api/data/report?by=user');
    expect(all).toContainEqual(expect.objectContaining({ name: 'bob', calls: 1, cached_tokens: 0, saved_quota: 0 }));
    expect(await read(root, '/api/data/report?by=model&username=bob')).toEqual(
      await read(bob, '/api/data/self/report'),
    );
    expect((await alice.get('/api/data/report')).status).toBe(403);
    expect(await root.get('/api/data/report?by=moon')).toMatchObject({
      success: false,
      message: expect.stringContaining('by'),
    });
    expect(await bob.get('/api/data/self/report?by=user')).toMatchObject({
      success: false,
      message: expect.stringContaining('by'),
    });
  });

  it('a report by day has the days of the reader’s clock, of UTC where none is said, and not of the server', async () => {
    const moment = Date.parse('2026-03-31T22:00:00Z') / 1000;
    const row = { user_id: bob.userId, username: 'bob', model_name: 'night', token_used: 1, count: 1, quota: 1 };
    const { usageData } = gateway.app.database;
    await usageData.create({ ...row, created_at: moment });
    const day = async (client: ConsoleClient, path: string, clock: string) => {
      const range = `start_timestamp=${moment - 3600}&end_timestamp=${moment + 7200}`;
      const [sum] = await read(client, `${path}?by=day&${range}&${clock}`);
      return sum.name;
    };
    for (const [client, path] of [
      [root, '/api/data/report'],
      [bob, '/api/data/self/report'],
    ] as const) {
      expect(await day(client, path, '')).toBe('2026-03-31');
      expect(await day(client, path, 'time_zone=Asia/Shanghai')).toBe('2026-04-01');
      expect(await day(client, path, 'utc_offset=120')).toBe('2026-04-01');
      expect(await day(client, path, 'utc_offset=480&time_zone=America/New_York')).toBe('2026-03-31');
    }
    await usageData.destroy({ where: { model_name: 'night' } });
  });

  it('G-221 drawings are listed by page from 0, ten at a time, in milliseconds; users see their own', async () => {
    for (let n = 1; n <= 12; n++) {
      const owner = n === 12 ? 1 : gateway.userId;
      const image_url = n === 3 ? 'https://cdn.example/3.png' : '';
      await addDrawings(gateway.app.database, [
        { user_id: owner, mj_id: `mj-${n}`, submit_time: n * 1000, channel_id: 7, image_url },
      ]);
    }
    const first = await read(root, '/api/mj/');
    expect(first.map(({ mj_id }: { mj_id: string }) => mj_id)).toEqual(
      [12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((n) => `mj-${n}`),
    );
    expect(first[0]).toMatchObject({ channel_id: 7, progress: '0%', code: 0, buttons: '' });
    expect(await read(root, '/api/mj?p=1')).toHaveLength(2);
    expect(await read(root, '/api/mj?page_size=20&username=alice')).toHaveLength(11);
    expect(await read(root, '/api/mj?username=nobody')).toEqual([]);
    expect(first[0].username).toBe('root');
    expect(await read(root, '/api/mj/?p=9999999')).toEqual([]);
    expect(await read(root, '/api/mj/?start_timestamp=4000&end_timestamp=5000')).toHaveLength(2);
    expect(await read(root, '/api/mj/?mj_id=mj-3&channel_id=7')).toHaveLength(1);
    expect(await read(root, '/api/mj/?channel_id=8')).toEqual([]);
    const own = await read(alice, '/api/mj/self/?p=1&channel_id=9');
    expect(own).toMatchObject([{ mj_id: 'mj-1', channel_id: 0 }]);
    expect(await read(bob, '/api/mj/self')).toEqual([]);
    expect((await alice.get('/api/mj/')).status).toBe(403);
    await gateway.setOption('ServerAddress', 'https://gate.example');
    await gateway.setOption('MjForwardUrlEnabled', 'true');
    const links = (await read(alice, '/api/mj/self')).map(({ image_url }: { image_url: string }) => image_url);
    expect(links.filter(Boolean)).toEqual([
      expect.stringMatching(/^https:\/\/gate\.example\/mj\/image\/mj-3\?user=\d+&expires=\d+&signature=[\da-f]{32}$/),
    ]);
    await gateway.setOption('MjForwardUrlEnabled', 'false');
    expect((await read(alice, '/api/mj/self?mj_id=mj-3'))[0].image_url).toBe('https://cdn.example/3.png');
  });

  it('G-222 tasks are listed by page from 0 in seconds, with what the vendor said; users see their own', async () => {
    const { sequelize } = gateway.app.database;
    await sequelize.query(`INSERT INTO tasks (user_id, task_id, platform, action, status, submit_time, channel_id, properties, data)
      VALUES (${gateway.userId}, 't-1', 'suno', 'MUSIC', 'SUCCESS', ${now}, 7, '{"input":"a song"}', '[{"id":"x"}]'),
        (${gateway.userId}, 't-2', 'suno', 'LYRICS', '', ${now}, 7, '', 'no json')`);
    const rows = await read(root, '/api/task/');
    expect(rows).toMatchObject([
      { task_id: 't-2', status: '', properties: { input: '' }, data: null, channel_id: 7 },
      { task_id: 't-1', properties: { input: 'a song' }, data: [{ id: 'x' }] },
    ]);
    expect(
      await read(root, '/api/task?platform=suno&action=MUSIC&status=SUCCESS&task_id=t-1&channel_id=7'),
    ).toHaveLength(1);
    expect(await read(root, '/api/task/?channel_id=8')).toEqual([]);
    expect(await read(root, '/api/task/?username=alice&page_size=1')).toMatchObject([{ username: 'alice' }]);
    expect(await read(root, '/api/task/?username=root')).toEqual([]);
    expect(await read(root, `/api/task/?start_timestamp=${now + 5}`)).toEqual([]);
    expect(await read(alice, '/api/task/self')).toMatchObject([{ channel_id: 0 }, { channel_id: 0 }]);
    expect(await read(bob, '/api/task/self/')).toEqual([]);
    expect((await alice.get('/api/task/')).status).toBe(403);
  });

  it('shows a row of another program whatever that wrote of its attempts', async () => {
    const other = JSON.stringify({ admin_info: { attempts: [null, 7, { channel: 'x' }, { channel: 1e300 }] } });
    const row = { user_id: gateway.userId, created_at: now, type: 2, username: 'alice', content: '', other };
    const { id } = await gateway.app.database.logs.create(row);
    const { items } = await read(root, '/api/log/?page_size=100');
    expect(items.find((one: { id: number }) => one.id === Number(id))).toMatchObject({ other });
  });
});
