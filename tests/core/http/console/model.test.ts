import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleClient, createConsoleClient } from '../../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';

const password = 'correct horse battery';

describe('models, groups and prices over HTTP', () => {
  let gateway: TestGateway;
  let guest: ConsoleClient;
  let alice: ConsoleClient;
  let root: ConsoleClient;
  beforeAll(async () => {
    gateway = await startGateway();
    await gateway.setOption('GroupRatio', '{"default":1,"vip":0.5,"staff":2}');
    await gateway.setOption('UserUsableGroups', '{"default":"for all","vip":"faster","gone":"without a ratio"}');
    await gateway.addChannel({ models: 'gpt-4o-mini,mj_imagine,house-model', group: 'default,vip' });
    await gateway.addChannel({ models: 'claude-3-5-sonnet-20241022', group: 'staff' });
    await gateway.app.database.users.update({ group: 'staff' }, { where: { id: await gateway.addUser('bob', 0) } });
    guest = createConsoleClient(gateway.url);
    alice = createConsoleClient(gateway.url);
    root = createConsoleClient(gateway.url);
    await alice.signIn('alice', password);
    await root.signIn('root', password);
  });
  afterAll(() => gateway.stop());

  async function signInAs(name: string): Promise<ConsoleClient> {
    const client = createConsoleClient(gateway.url);
    await client.signIn(name, password);
    return client;
  }
  async function rowsOf(client: ConsoleClient): Promise<Record<string, Record<string, unknown>>> {
    const { body } = await client.get('/api/pricing');
    return Object.fromEntries(body.data.map((row: { model_name: string }) => [row.model_name, row]));
  }

  it('A-213 G-198 groups are named to admins, and offered to users as far as they may choose them', async () => {
    expect(await root.data(root.get('/api/group/'))).toEqual(['default', 'vip', 'staff']);
    expect((await alice.get('/api/group')).status).toBe(403);
    const open = { default: { ratio: 1, desc: 'for all' }, vip: { ratio: 0.5, desc: 'faster' } };
    expect(await alice.data(alice.get('/api/user/self/groups/'))).toEqual(open);
    expect(await guest.data(guest.get('/api/user/groups'))).toEqual(open);
    const bob = await signInAs('bob');
    expect(await bob.data(bob.get('/api/user/self/groups'))).toEqual({ ...open, staff: { ratio: 2, desc: 'staff' } });
  });

  it('A-202 A-214 G-196 models are listed by type, by what is known, by what is served and by who may call them', async () => {
    const byType = await alice.data(alice.get('/api/models'));
    expect(byType['1']).toContain('gpt-4o');
    // G-061
    expect(byType['2']).toContain('mj_imagine');
    expect(byType['36']).toEqual(expect.arrayContaining(['suno_music', 'suno_lyrics']));
    const known = await root.data(root.get('/api/channel/models/'));
    expect(known.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(['gpt-4o', 'house-model']));
    expect(known[0]).toMatchObject({ object: 'model', created: 1_626_777_600, parent: null });
    const served = ['claude-3-5-sonnet-20241022', 'gpt-4o-mini', 'house-model', 'mj_imagine'];
    expect(await root.data(root.get('/api/channel/models_enabled'))).toEqual(served);
    expect(await alice.data(alice.get('/api/user/models'))).toEqual(served.slice(1));
    const bob = await signInAs('bob');
    expect(await bob.data(bob.get('/api/user/models'))).toEqual(served);
  });

  it('A-244 G-003 G-092 G-121 G-122 prices are public, complete and with their source', async () => {
    const { body } = await guest.get('/api/pricing/');
    expect(body).not.toHaveProperty('message');
    expect(body.group_ratio).toEqual({ default: 1, vip: 0.5 });
    expect(body.usable_group).toEqual({ default: 'for all', vip: 'faster' });
    const rows = await rowsOf(guest);
    expect(rows['gpt-4o-mini']).toEqual({
      model_name: 'gpt-4o-mini',
      quota_type: 0,
      model_ratio: 0.075,
      model_price: 0,
      completion_ratio: 4,
      owner_by: '',
      maker: 'OpenAI',
      context_window: 128_000,
      max_output: 0,
      input_modalities: [],
      output_modalities: [],
      abilities: [],
      released_on: '',
      is_deprecated: false,
      retires_on: '',
      enable_groups: ['default', 'vip'],
      price_source: 'builtin',
      cache_ratio: 0.5,
      create_cache_ratio: 1.25,
      audio_ratio: 1,
      audio_completion_ratio: 4,
      create_cache_hour_ratio: 2,
      image_ratio: 1,
      image_completion_ratio: 4,
      long_prompt: null,
      // Batches are not offered.
      tier_ratios: { flex: 0.5, priority: 1.6666666667 },
    });
    expect(rows.mj_imagine).toMatchObject({ quota_type: 1, model_ratio: 0, completion_ratio: 0, model_price: 0.1 });
    expect(rows['house-model']).toMatchObject({
      price_source: 'none',
      model_ratio: 37.5,
      maker: '',
      context_window: 0,
    });
    await gateway.addChannel({ models: 'gpt-4o-audio-preview', group: 'staff' });
    const { audio_ratio } = (await rowsOf(guest))['gpt-4o-audio-preview'] ?? {};
    expect(audio_ratio).toBeGreaterThan(1);
    expect((await (await signInAs('bob')).get('/api/pricing')).body.group_ratio).toMatchObject({ staff: 2 });
  });

  it('G-003 prices follow the settings and the channels at once', async () => {
    await root.data(root.put('/api/option/', { key: 'ModelPrice', value: '{"house-model":0.25}' }));
    expect((await rowsOf(guest))['house-model']).toMatchObject({ quota_type: 1, model_price: 0.25 });
    expect((await rowsOf(guest))['house-model']).toMatchObject({ price_source: 'operator' });
    const [channel] = await root.data(root.get('/api/channel/search?model=house-model'));
    await root.data(root.put('/api/channel/', { id: channel.id, status: 2 }));
    expect(await rowsOf(guest)).not.toHaveProperty('house-model');
    expect(await alice.data(alice.get('/api/user/models'))).toEqual(['gpt-4o-mini']);
    await root.data(root.put('/api/channel/', { id: channel.id, status: 1 }));
    expect(await rowsOf(guest)).toHaveProperty('house-model');
  });

  it('a channel that another user changes is seen within a second', async () => {
    const { channels } = gateway.app.services;
    const [channel] = await root.data(root.get('/api/channel/search?model=house-model'));
    await channels.setStatus({ id: 0, name: 'system', role: 100, address: '' }, [channel.id], 2);
    await expect.poll(async () => 'house-model' in (await rowsOf(guest))).toBe(false);
  });
});
