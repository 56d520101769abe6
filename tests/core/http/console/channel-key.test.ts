import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleClient, createConsoleClient } from '../../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';

const keys = ['sk-first-key-of-pool-1111', 'sk-second-key-of-pool-2222', 'sk-third-key-of-pool-3333'];

describe('the keys of a channel over HTTP', () => {
  let gateway: TestGateway;
  let root: ConsoleClient;
  let id: number;

  beforeAll(async () => {
    gateway = await startGateway('sqlite');
    root = createConsoleClient(gateway.url);
    await root.signIn('root', 'correct horse battery');
    const form = { type: 1, name: 'pool', models: 'gpt-4o', group: 'default', base_url: gateway.upstream.url };
    const made = await root.post('/api/channel/', { ...form, key: keys.slice(0, 2).join('\n'), key_mode: 'random' });
    expect(made.success, made.message).toBe(true);
    [id] = (await root.data(root.get('/api/channel/search?keyword=pool'))).map((one: { id: number }) => one.id);
  });
  afterAll(() => gateway.stop());

  const list = () => root.data(root.get(`/api/channel/${id}/keys`));
  const states = async () => (await list()).map((key: { id: number; status: number }) => [key.id, key.status]);

  it('make one channel, which counts them and is found by each', async () => {
    expect(await root.data(root.get(`/api/channel/${id}`))).toMatchObject({
      key: '',
      key_mode: 'random',
      key_count: 2,
      key_on_count: 2,
    });
    const found = await root.data(root.get(`/api/channel/search?keyword=${keys[1]}`));
    expect(found).toMatchObject([{ id }]);
  });

  it('are added, disabled, enabled and removed, and never told', async () => {
    const added = await root.data(root.post(`/api/channel/${id}/keys`, { key: `${keys[2]}\n${keys[0]}\n` }));
    expect(added).toEqual([
      { id: 1, ends: '1111', status: 1, reason: '', time: 0 },
      { id: 2, ends: '2222', status: 1, reason: '', time: 0 },
      { id: 3, ends: '3333', status: 1, reason: '', time: 0 },
    ]);
    await root.data(root.post(`/api/channel/${id}/keys/status`, { keys: [1, 2], status: 2 }));
    expect(await states()).toEqual([
      [1, 2],
      [2, 2],
      [3, 1],
    ]);
    await root.data(root.post(`/api/channel/${id}/keys/status`, { keys: [2], status: 1 }));
    await root.data(root.post(`/api/channel/${id}/keys/remove`, { keys: [1] }));
    expect(await states()).toEqual([
      [2, 1],
      [3, 1],
    ]);
    // A number is never given twice.
    const again = await root.data(root.post(`/api/channel/${id}/keys`, { key: 'sk-fourth-key-of-pool-4444' }));
    expect(again.at(-1)).toMatchObject({ id: 4, ends: '4444' });
    const trail = await root.data(root.get('/api/audit/?page_size=20'));
    const text = JSON.stringify(trail);
    for (const action of ['channel.keyAdd', 'channel.keyDisable', 'channel.keyEnable', 'channel.keyRemove']) {
      expect(text).toContain(action);
    }
    for (const key of keys) expect(text).not.toContain(key);
  });

  it('keep their states when the channel is saved with another list of keys', async () => {
    await root.data(root.post(`/api/channel/${id}/keys/status`, { keys: [2], status: 2 }));
    await root.data(
      root.put('/api/channel', { id, key: `${keys[1]}\nsk-fifth-key-of-the-pool-5555`, key_mode: 'polling' }),
    );
    expect(await list()).toMatchObject([
      { id: 2, ends: '2222', status: 2 },
      { id: 5, ends: '5555', status: 1 },
    ]);
    expect(await root.data(root.get(`/api/channel/${id}`))).toMatchObject({ key_mode: 'polling', key_on_count: 1 });
  });

  it('are never all off while the channel serves', async () => {
    const refused = await root.post(`/api/channel/${id}/keys/status`, { keys: [5], status: 2 });
    expect(refused).toMatchObject({ success: false });
    expect(refused.message).toContain('最后一个启用的密钥');
    expect(await root.post(`/api/channel/${id}/keys/remove`, { keys: [5] })).toMatchObject({ success: false });
    expect(await root.post(`/api/channel/${id}/keys/remove`, { keys: [77] })).toMatchObject({ success: false });
  });

  it('go along with a copy and with a file of channels', async () => {
    const copy = await root.data(root.post(`/api/channel/copy/${id}`));
    expect(copy).toMatchObject({ key_mode: 'polling', key_count: 2 });
    expect(await root.data(root.post(`/api/channel/${copy.id}/key`, { password: 'correct horse battery' }))).toEqual({
      key: `${keys[1]}\nsk-fifth-key-of-the-pool-5555`,
    });
  });

  it('turn a channel with one key into one with several', async () => {
    const single = await gateway.addChannel({ name: 'single', key: 'sk-only-key-of-single-0001' });
    expect(await root.data(root.get(`/api/channel/${single}/keys`))).toMatchObject([{ id: 1, ends: '0001' }]);
    const both = await root.data(root.post(`/api/channel/${single}/keys`, { key: 'sk-other-key-of-single-0002' }));
    expect(both).toHaveLength(2);
    expect(await root.data(root.get(`/api/channel/${single}`))).toMatchObject({ key_mode: 'random', key_count: 2 });
  });

  it('take service accounts as a list of documents', async () => {
    const account = (id: string) => ({
      type: 'service_account',
      project_id: 'p',
      private_key_id: `0123456789abcdef${id}`,
      private_key: '-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----\n',
      client_email: 'a@p.iam.gserviceaccount.com',
    });
    const key = JSON.stringify([account('aaaa'), account('bbbb')], undefined, 2);
    const channel = await gateway.addChannel({
      type: 41,
      name: 'vertex',
      base_url: '',
      other: 'global',
      key,
      key_mode: 'random',
    });
    expect(await root.data(root.get(`/api/channel/${channel}/keys`))).toMatchObject([
      { ends: 'aaaa' },
      { ends: 'bbbb' },
    ]);
  });
});
