import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { role } from '../../../../core/schemas/actor.ts';
import { type ConsoleClient, createConsoleClient } from '../../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { json } from '../../../support/upstream-script.ts';

const password = 'correct horse battery';

describe('channels over HTTP', () => {
  let gateway: TestGateway;
  let root: ConsoleClient;
  let admin: ConsoleClient;
  let form: Record<string, unknown>;

  beforeAll(async () => {
    gateway = await startGateway('sqlite', { UPSTREAM_PRIVATE: '10.1.2.3' });
    root = createConsoleClient(gateway.url);
    await root.signIn('root', password);
    const id = await gateway.addUser('keeper', 0);
    await gateway.app.database.users.update({ role: role.admin }, { where: { id } });
    admin = createConsoleClient(gateway.url);
    await admin.signIn('keeper', password);
    form = { type: 1, name: 'main', key: 'sk-first-upstream-key', models: 'gpt-4o,gpt-4o-mini', group: 'default' };
  });
  beforeEach(async () => {
    const { channels, abilities } = gateway.app.database;
    await channels.destroy({ where: {} });
    await abilities.destroy({ where: {} });
  });
  afterEach(() => gateway.upstream.reset());
  afterAll(() => gateway.stop());

  async function create(fields: Record<string, unknown> = {}, as = root): Promise<number> {
    const response = await as.post('/api/channel/', { ...form, base_url: gateway.upstream.url, ...fields });
    if (!response.success) throw new Error(response.message);
    expect(response.body).not.toHaveProperty('data');
    return (await as.data(as.get('/api/channel/?id_sort=true&page_size=1')))[0].id;
  }
  const read = (id: number) => root.data(root.get(`/api/channel/${id}`));
  const idsOf = async (path: string, as = root) => (await as.data(as.get(path))).map(({ id }: { id: number }) => id);
  const english = { 'accept-language': 'en' };

  it('G-001 G-179 G-180 G-181 G-182 G-184 G-185 G-186 are added, listed by priority or by id, found, changed and deleted, on both spellings of a path', async () => {
    const first = await create({ priority: 5, tag: 'blue' });
    const second = await create({ name: 'spare', priority: '1', models: 'claude-3', group: 'vip' });
    expect(await idsOf('/api/channel')).toEqual([first, second]);
    expect(await idsOf('/api/channel/?id_sort=true')).toEqual([second, first]);
    expect(await idsOf('/api/channel/?p=0&page_size=1')).toEqual([first]);
    expect(await idsOf('/api/channel/?p=1&page_size=1')).toEqual([second]);
    expect(await idsOf('/api/channel/search?keyword=&id_sort=true')).toEqual([second, first]);
    expect(await idsOf('/api/channel/search?keyword=spa')).toEqual([second]);
    expect(await idsOf('/api/channel/search/?keyword=&group=vip&model=claude')).toEqual([second]);
    expect(await idsOf('/api/channel/search/?keyword=&group=VIP')).toEqual([second]);
    expect(await idsOf('/api/channel/search/?keyword=&group=v%25')).toEqual([]);
    expect(await idsOf('/api/channel/search/?keyword=&group=vi')).toEqual([]);
    expect(await idsOf('/api/channel/search?keyword=sk-first-upstream-key&group=null')).toHaveLength(2);
    const changed = await root.data(root.put('/api/channel', { id: second, status: 2, priority: 0, name: '' }));
    expect(changed).toMatchObject({ id: second, status: 2, priority: 0, name: 'spare', key: '' });
    expect(await read(first)).toMatchObject({ key: '', tag: 'blue', base_url: gateway.upstream.url });
    await root.data(root.delete(`/api/channel/${first}/`));
    expect(await root.get(`/api/channel/${first}`)).toMatchObject({ status: 200, success: false });
    const third = await create({ name: 'dead' });
    await gateway.app.database.channels.update({ status: 3 }, { where: { id: third } });
    const kept = await create({ name: 'kept' });
    expect(await root.data(root.delete('/api/channel/disabled'))).toBe(2);
    expect(await idsOf('/api/channel/')).toEqual([kept]);
    await root.data(root.delete(`/api/channel/${kept}`));
    expect(await gateway.app.database.abilities.count()).toBe(0);
  });

  it('G-051 are made one per line of keys, and G-059 one for a service account', async () => {
    await create({ key: 'sk-a\nsk-b\n\n sk-c ' });
    expect(await idsOf('/api/channel/')).toHaveLength(3);
    const service = { type: 'service_account', project_id: 'p', client_email: 'a@p.example', private_key: 'x' };
    const account = JSON.stringify(service, undefined, 2);
    const regions = '{\n  "default": "us-central1"\n}';
    const id = await create({ type: 41, key: account, other: regions, base_url: '' });
    expect(JSON.parse((await read(id)).other)).toEqual({ default: 'us-central1' });
  });

  it.each([
    ['type', { type: undefined }],
    ['name', { name: '' }],
    ['group', { group: '', groups: [] }],
    ['models', { models: '' }],
    ['key', { key: '' }],
    ['a Vertex key that is not JSON', { type: 41, other: 'r', key: 'plain' }],
    ['a model name of 256 characters', { models: 'x'.repeat(256) }],
    ['G-147 a mapping that is not JSON', { model_mapping: '{"a":' }],
    ['B100 a mapping that is an array', { model_mapping: '["a","b"]' }],
    ['B101 an invalid status', { status_code_mapping: '{"abc":"500"}' }],
    ['B101 a status below the range', { status_code_mapping: '{"429":"99"}' }],
    ['B101 a status above the range', { status_code_mapping: '{"600":"500"}' }],
    ['B101 success mapped to failure', { status_code_mapping: '{"200":"500"}' }],
    ['B102 an override of the model', { param_override: '{"model":"x"}' }],
    ['B102 an override of the limit', { param_override: '{"max_tokens":1}' }],
    ['B102 an override of the prototype', { param_override: '{"__proto__":{"stream":true}}' }],
    ['B103 a priority that is text', { priority: 'high' }],
    ['B103 a weight beyond all measure', { weight: 1e9 }],
    ['B99 a key with a line break inside', { key: 'sk-a\rX-Evil: 1' }],
  ])('G-050 are refused without or with %s, in the words of the reader', async (_what, fields) => {
    const body = { ...form, base_url: gateway.upstream.url, ...fields };
    const chinese = await root.post('/api/channel/', body);
    expect(chinese).toMatchObject({ status: 200, success: false });
    expect(chinese.message).toMatch(/[\u4e00-\u9fff]/);
    expect((await root.post('/api/channel/', body, english)).message).not.toMatch(/[\u4e00-\u9fff]/);
    expect(await idsOf('/api/channel/')).toEqual([]);
  });

  it('name their type in the language of the reader when an address or a field is missing', async () => {
    const said = async (fields: object) => {
      const body = { ...form, base_url: '', ...fields };
      return [
        (await root.post('/api/channel/', body)).message,
        (await root.post('/api/channel/', body, english)).message,
      ];
    };
    expect(await said({ type: 8 })).toEqual([
      '类型为“自定义渠道”的渠道必须填写 API 地址',
      expect.stringContaining('Custom'),
    ]);
    expect(await said({ type: 21 })).toEqual([
      '类型为“知识库：AI Proxy”的渠道须在 other 字段填写：知识库 ID',
      expect.stringContaining('AI Proxy knowledge base'),
    ]);
  });

  it('keep what another user changed after a form was loaded; callers that do not say what they loaded overwrite it', async () => {
    const id = await create({ name: 'shared', models: 'a', tag: '', priority: 1 });
    const { name, models, tag, priority } = await read(id);
    await root.put('/api/channel/', { id, models: 'a,b', priority: 5 });
    const edit = { id, name: 'mine', models: 'a,c', tag: 'blue', priority: 5 };
    const refused = await root.put('/api/channel/', { ...edit, loaded: { name, models, tag, priority } }, english);
    expect(refused).toMatchObject({ status: 409, success: false, data: { changed: { models: 'a,b' } } });
    expect(refused.message).toContain('models');
    expect(await read(id)).toMatchObject({ name: 'shared', models: 'a,b', tag: null });
    expect(await root.put('/api/channel/', { ...edit, loaded: { name, models: 'a,b', tag } })).toMatchObject({
      success: true,
    });
    expect(await read(id)).toMatchObject({ name: 'mine', models: 'a,c', tag: 'blue' });
    expect(await root.put('/api/channel/', { id, models: 'd' })).toMatchObject({ success: true });
    expect(await read(id)).toMatchObject({ models: 'd' });
  });

  it('G-144 G-145 B103 take a weight below zero for zero, and B100 a mapping in a circle for one step', async () => {
    const id = await create({ weight: -1, priority: '-999', model_mapping: '{"a":"b","b":"a"}' });
    expect(await read(id)).toMatchObject({ weight: 0, priority: -999 });
    const long = JSON.stringify({ a: 'x'.repeat(70_000) });
    expect((await root.put('/api/channel/', { id, model_mapping: long })).success).toBe(false);
    const huge = JSON.stringify({ a: 'x'.repeat(1_100_000) });
    expect((await root.put('/api/channel/', { id, model_mapping: huge })).status).toBe(413);
  });

  it.each([
    'file:///etc/passwd',
    'gopher://example.com',
    'https://user:pass@example.com',
    'https://example.com/#x',
    'http://169.254.169.254',
    'http://[::ffff:a9fe:a9fe]',
    'http://2852039166',
    'http://0xa9.254.169.254',
    'http://example.com.',
    'http://①②⑦.0.0.1',
    'own port',
  ])('B97 are never pointed at %s', async (address) => {
    const base_url = address === 'own port' ? gateway.url : address;
    expect(await root.post('/api/channel/', { ...form, base_url })).toMatchObject({ status: 200, success: false });
    const probe = await root.post('/api/channel/fetch_models', { base_url, key: 'sk-x' });
    expect(probe.success).toBe(false);
  });

  it('B98 B106 S11 keep their key at its place, and an admin out of private networks', async () => {
    const id = await create();
    for (const change of [{ base_url: 'https://other.example.com' }, { type: 14 }]) {
      expect((await root.put('/api/channel/', { id, ...change })).success).toBe(false);
      expect((await admin.put('/api/channel/', { id, ...change, confirmKeepKey: true })).success).toBe(false);
    }
    const proxy = { setting: '{"proxy":"socks5://127.0.0.1:1080"}' };
    expect((await admin.post('/api/channel/', { ...form, ...proxy })).success).toBe(false);
    expect((await admin.post('/api/channel/', { ...form, base_url: gateway.upstream.url })).success).toBe(false);
    expect((await admin.post('/api/channel/', { ...form, base_url: 'http://10.1.2.3' })).success).toBe(true);
    expect((await admin.post('/api/channel/fetch_models', { base_url: gateway.upstream.url, key: 'x' })).success).toBe(
      false,
    );
    expect(gateway.upstream.requests).toHaveLength(0);
  });

  it('S3 hold to columns that belong to the server, whatever a form sends', async () => {
    const owned = { used_quota: 5, balance: 9, created_time: 1, response_time: 7, test_time: 8, private_allowed: true };
    const more = { key_hash: 'x', key_encrypted: 'x', other_info: 'x', balance_updated_time: 3, status: 3 };
    const id = await create({ ...owned, ...more });
    await root.data(root.put('/api/channel/', { id, ...owned, ...more }));
    const row = await read(id);
    expect(row).toMatchObject({ used_quota: 0, balance: 0, response_time: 0, test_time: 0, other_info: '', status: 1 });
    expect(row.created_time).toBeGreaterThan(1_700_000_000);
    await root.data(root.put('/api/channel/tag', { tag: await tagOf(id), ...owned, key: 'sk-stolen', type: 14 }));
    expect(await read(id)).toMatchObject({ used_quota: 0, type: 1 });
    expect(await keyOf(id)).toBe('sk-first-upstream-key');
  });

  const tagOf = async (id: number) => {
    await root.data(root.post('/api/channel/batch/tag', { ids: [id], tag: 'any' }));
    return 'any';
  };
  const keyOf = async (id: number) =>
    (await root.data(root.post(`/api/channel/${id}/key`, { password }))).key as string;

  it('show their key to root alone, who knows the own password, and leave a trace of it', async () => {
    const id = await create();
    expect(await keyOf(id)).toBe('sk-first-upstream-key');
    expect((await root.post(`/api/channel/${id}/key`, { password: 'wrong horse battery' })).success).toBe(false);
    expect((await root.post(`/api/channel/${id}/key`, {})).success).toBe(false);
    expect((await admin.post(`/api/channel/${id}/key`, { password })).status).toBe(403);
    const events = await gateway.app.database.audits.findAll({ where: { object_id: String(id) }, raw: true });
    expect(events.map(({ action }) => action)).toContain('channel.reveal');
    expect(JSON.stringify(events)).not.toContain('sk-first-upstream-key');
    const lists = await Promise.all(
      ['/api/channel/', '/api/channel/search', '/api/channel/?tag_mode=true', `/api/channel/${id}`].map((path) =>
        root.get(path),
      ),
    );
    expect(JSON.stringify(lists.map(({ body }) => body))).not.toContain('first-upstream');
  });

  it('G-066 G-103 G-146 are saved by the form of a console, and a form sent back unchanged changes nothing', async () => {
    const blank = { other: '', model_mapping: '', status_code_mapping: '', test_model: '', openai_organization: '' };
    const more = { setting: null, tag: null, param_override: null, max_input_tokens: 0, auto_ban: 1, is_edit: false };
    const id = await create({ ...blank, ...more, group: '', groups: ['default', 'vip'], priority: '', weight: null });
    const row = await read(id);
    expect(row).toMatchObject({ group: 'default,vip', auto_ban: 1, priority: 0, weight: 0, tag: null, setting: '' });
    expect(row.max_input_tokens).toBe(0);
    const audits = await gateway.app.database.audits.count();
    expect(await root.data(root.put('/api/channel/', { ...row, ...more, groups: ['default', 'vip'] }))).toEqual(row);
    expect(await gateway.app.database.audits.count()).toBe(audits);
    expect(await keyOf(id)).toBe('sk-first-upstream-key');
    await root.data(root.put('/api/channel/', { id, priority: 7, weight: 3 }));
    await root.data(root.put('/api/channel/', { id, priority: '', weight: '' }));
    expect(await read(id)).toMatchObject({ priority: 7, weight: 3 });
  });

  it('G-068 get their version where the other field is left empty', async () => {
    for (const [type, key, other] of [
      [3, 'k', '2023-06-01-preview'],
      [18, 'a|b|c', 'v2.1'],
    ] as const)
      expect(await read(await create({ type, key, other: '' }))).toMatchObject({ other });
  });

  it('G-182 G-183 are copied with their key on the server', async () => {
    const id = await create({ tag: 't' });
    await gateway.app.database.channels.update({ used_quota: 99 }, { where: { id } });
    const copy = await root.data(root.post(`/api/channel/copy/${id}`));
    expect(copy).toMatchObject({ name: 'main_copy', tag: 't', key: '', used_quota: 0 });
    expect(await keyOf(copy.id)).toBe('sk-first-upstream-key');
  });

  it('B42 B43 name a row that is not a row without harm', async () => {
    const id = await create();
    for (const wrong of ['0', '-1', '1.5', '1e3', '9223372036854775808', 'abc', '[1]', '1,2']) {
      const path = `/api/channel/${encodeURIComponent(wrong)}`;
      for (const response of [
        await root.get(path),
        await root.delete(path),
        await root.get(`/api/channel/test/${wrong}`),
      ])
        expect(response).toMatchObject({ status: 200, success: false });
    }
    for (const wrong of [0, -1, 1.5, '1', [id], null, 2 ** 63])
      expect((await root.put('/api/channel/', { id: wrong, name: 'x' })).success).toBe(false);
    await root.data(root.post(`/api/channel/copy/${id}`, { id: 999 }));
    expect((await read(id)).name).toBe('main');
  });

  it('B55 B56 B57 B59 B60 are listed by harmless pages only', async () => {
    const id = await create({ name: '50%_off' });
    for (const query of ['p=-1', 'p=a', 'p=', 'page_size=0', 'page_size=-1', 'page_size=1e9', 'sort=key&order=desc'])
      expect(await idsOf(`/api/channel/?${query}`)).toEqual([id]);
    expect(await idsOf('/api/channel/?p=1000000000')).toEqual([]);
    expect(await idsOf(`/api/channel/search?keyword=${encodeURIComponent('50%_')}`)).toEqual([id]);
    for (const text of ['%%%', '__', '\\'])
      expect(await idsOf(`/api/channel/search?keyword=${encodeURIComponent(text)}`)).toEqual([]);
    expect((await root.get(`/api/channel/search?model=${'x'.repeat(256)}`)).success).toBe(false);
    expect((await root.get('/api/channel/?p=0&p=1')).status).toBe(400);
    expect(await idsOf('/api/channel/?a[b]=1&__proto__[x]=1')).toEqual([id]);
  });

  it('G-187 G-188 B66 are deleted and tagged in batches of at most a thousand, each once', async () => {
    const ids = [await create(), await create(), await create()];
    const [first = 0, second = 0, third = 0] = ids;
    expect(await root.data(root.post('/api/channel/batch/tag', { ids: [first, second, second], tag: 'x' }))).toBe(2);
    const rows: { tag: string | null }[] = await root.data(root.get('/api/channel/?tag_mode=true'));
    expect(rows.filter(({ tag }) => tag === 'x')).toHaveLength(2);
    const many = Array.from({ length: 100_000 }, (_, index) => index + 1);
    for (const wrong of [many, many.slice(0, 1001), ['1'], [1.5], [0], [], 'all', { 0: first }]) {
      const response = await root.post('/api/channel/batch', { ids: wrong });
      expect([400, 413]).toContain(response.status);
      expect(response.success).toBe(false);
    }
    expect(await idsOf('/api/channel/')).toHaveLength(3);
    expect(await root.data(root.post('/api/channel/batch', { ids: [first, first, second, 99_999] }))).toBe(2);
    expect(await idsOf('/api/channel/')).toEqual([third]);
  });

  it('G-189 are repaired, and the number of wrong ones is shown', async () => {
    const id = await create();
    await gateway.app.database.abilities.destroy({ where: { channel_id: id } });
    expect(await root.data(root.post('/api/channel/fix'))).toBe(1);
    expect(await gateway.app.database.abilities.count()).toBe(2);
  });

  it('G-197 tell which models their upstream serves', async () => {
    const id = await create();
    expect(await root.data(root.get(`/api/channel/fetch_models/${id}/`))).toContain('gpt-4o-mini');
    expect(gateway.upstream.requests.at(-1)?.headers.authorization).toBe('Bearer sk-first-upstream-key');
    const input = { base_url: gateway.upstream.url, key: 'sk-one\nsk-two' };
    expect(await root.data(root.post('/api/channel/fetch_models', input))).toContain('gpt-4o-mini');
    expect(gateway.upstream.requests.at(-1)?.headers.authorization).toBe('Bearer sk-one');
    const more = { other: '2024-10-21', openai_organization: 'org-7', setting: '{"inference_profile":"eu"}' };
    await root.data(root.post('/api/channel/fetch_models', { ...input, ...more }));
    expect(gateway.upstream.requests.at(-1)?.headers['openai-organization']).toBe('org-7');
    await root.post('/api/channel/fetch_models', { ...input, ...more, type: 3 });
    expect(gateway.upstream.requests.at(-1)?.path).toContain('api-version=2024-10-21');
    expect((await root.post('/api/channel/fetch_models', { base_url: 5, key: 'x' })).status).toBe(400);
    gateway.upstream.respond(json(401, { error: { message: 'no such key sk-one' } }));
    const refused = await root.post('/api/channel/fetch_models', input);
    expect(refused).toMatchObject({ status: 500, success: false });
    expect(refused.message).not.toContain('sk-one');
  });

  it('S2 stay out of reach of all users below admin', async () => {
    const id = await create();
    const user = createConsoleClient(gateway.url);
    await user.signIn('alice', password);
    for (const path of ['', `${id}`, 'search', 'models', 'models_enabled', 'test', `test/${id}`, 'update_balance'])
      expect((await user.get(`/api/channel/${path}`)).status).toBe(403);
  });
});
