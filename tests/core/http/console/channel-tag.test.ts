import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ConsoleClient, createConsoleClient } from '../../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';

describe('channel tags over HTTP', () => {
  let gateway: TestGateway;
  let root: ConsoleClient;
  beforeAll(async () => {
    gateway = await startGateway();
    root = createConsoleClient(gateway.url);
    await root.signIn('root', 'correct horse battery');
  });
  beforeEach(async () => {
    await gateway.app.database.channels.destroy({ where: {} });
    await gateway.app.database.abilities.destroy({ where: {} });
  });
  afterAll(() => gateway.stop());

  const add = (name: string, tag: string, more: Record<string, unknown> = {}) =>
    gateway.addChannel({ name, tag, models: 'gpt-4o', group: 'default', ...more });
  const edit = (change: Record<string, unknown>) => root.put('/api/channel/tag', change);
  const namesOf = async (query: string) =>
    (await root.data(root.get(`/api/channel/${query}`))).map(({ name }: { name: string }) => name);
  const read = (id: number) => root.data(root.get(`/api/channel/${id}`));

  it('G-127 G-194 switch all their channels on and off, and no others', async () => {
    const [a, b, other] = [await add('a', 'blue'), await add('b', 'blue'), await add('c', 'red')];
    expect(await root.data(root.post('/api/channel/tag/disabled', { tag: 'blue' }))).toBe(2);
    expect([(await read(a)).status, (await read(b)).status, (await read(other)).status]).toEqual([2, 2, 1]);
    expect(await gateway.app.database.abilities.count({ where: { enabled: true } })).toBe(1);
    expect((await gateway.chat({ model: 'gpt-4o' })).status).toBe(200);
    expect(await root.data(root.post('/api/channel/tag/enabled/', { tag: 'blue' }))).toBe(2);
    expect(await gateway.app.database.abilities.count({ where: { enabled: true } })).toBe(3);
    for (const tag of ['none', '', null, ['blue'], 'x'.repeat(65)])
      expect(await root.post('/api/channel/tag/disabled', { tag })).toMatchObject({ status: 200, success: false });
  });

  it('G-070 G-071 G-107 G-195 change their channels; blank means unchanged, and a blank new tag dissolves them', async () => {
    const id = await add('a', 'blue', { priority: 3, model_mapping: '{"x":"y"}' });
    const change = { tag: 'blue', new_tag: 'green', models: 'gpt-4o, o1,o1', groups: 'vip,default' };
    expect(await root.data(edit({ ...change, model_mapping: '', priority: null, weight: '7' }))).toBe(1);
    expect(await read(id)).toMatchObject({
      tag: 'green',
      models: 'gpt-4o,o1',
      group: 'vip,default',
      priority: 3,
      weight: 7,
      model_mapping: '{"x":"y"}',
    });
    const abilities = await gateway.app.database.abilities.findAll({ where: { channel_id: id }, raw: true });
    expect(abilities.map(({ group, model, weight, tag }) => `${group}/${model} ${weight} ${tag}`).sort()).toEqual([
      'default/gpt-4o 7 green',
      'default/o1 7 green',
      'vip/gpt-4o 7 green',
      'vip/o1 7 green',
    ]);
    await root.data(edit({ tag: 'green', groups: ['default'], models: '', new_tag: null, priority: -5 }));
    expect(await read(id)).toMatchObject({ tag: 'green', group: 'default', models: 'gpt-4o,o1', priority: -5 });
    await root.data(edit({ tag: 'green', new_tag: '' }));
    expect((await read(id)).tag).toBeNull();
    expect((await edit({ tag: 'green', weight: 1 })).success).toBe(false);
  });

  it('B105 become one when renamed to each other', async () => {
    await add('a', 'blue');
    await add('b', 'red');
    await root.data(edit({ tag: 'blue', new_tag: 'red' }));
    expect(await root.data(edit({ tag: 'red', weight: 2 }))).toBe(2);
    for (const tag of ['', null, 7]) expect((await edit({ tag, new_tag: 'x' })).success).toBe(false);
  });

  it('G-148 G-151 G-152 say in the words of their form what is wrong, and change nothing then', async () => {
    const id = await add('a', 'blue', { priority: 1, weight: 1 });
    const wrong: [Record<string, unknown>, string][] = [
      [{ model_mapping: '{"a":' }, '模型映射必须是合法的 JSON 格式！'],
      [{ model_mapping: '["a"]' }, '模型映射必须是合法的 JSON 格式！'],
      [{ priority: 'high', weight: 5 }, '优先级必须是整数！'],
      [{ priority: 1.5 }, '优先级必须是整数！'],
      [{ weight: -1, priority: 5 }, '权重必须是非负整数！'],
      [{ weight: '1.5' }, '权重必须是非负整数！'],
    ];
    for (const [fields, message] of wrong)
      expect(await edit({ tag: 'blue', ...fields })).toMatchObject({ status: 200, success: false, message });
    const english = await root.put('/api/channel/tag', { tag: 'blue', weight: -1 }, { 'accept-language': 'en' });
    expect(english.message).toContain('whole number');
    expect(await read(id)).toMatchObject({ priority: 1, weight: 1, model_mapping: '' });
  });

  it('are paged by tag, with all channels of each, and then those without a tag', async () => {
    for (const name of ['a1', 'a2']) await add(name, 'apple', { priority: 9 });
    for (const name of ['b1', 'b2']) await add(name, 'berry', { models: 'claude-3' });
    await add('loose', '');
    expect(await namesOf('?tag_mode=true&page_size=1')).toEqual(['a2', 'a1']);
    expect(await namesOf('?tag_mode=true&page_size=1&p=1')).toEqual(['b2', 'b1']);
    expect(await namesOf('?tag_mode=true&page_size=1&p=2')).toEqual(['loose']);
    expect(await namesOf('?tag_mode=true&page_size=1&p=3')).toEqual([]);
    expect(await namesOf('?tag_mode=true&id_sort=true')).toEqual(['loose', 'b2', 'b1', 'a2', 'a1']);
    expect(await namesOf('search?tag_mode=true&keyword=b1&model=claude')).toEqual(['b2', 'b1']);
    expect(await namesOf('search?tag_mode=true&keyword=loose')).toEqual(['loose']);
    expect(await namesOf('?tag_mode=false')).toHaveLength(5);
  });

  it('G-188 are given to chosen channels, or taken from them', async () => {
    const [a, b] = [await add('a', ''), await add('b', 'old')];
    expect(await root.data(root.post('/api/channel/batch/tag', { ids: [a, b], tag: 'new' }))).toBe(2);
    expect(await namesOf('?tag_mode=true')).toEqual(['b', 'a']);
    expect(await gateway.app.database.abilities.count({ where: { tag: 'new' } })).toBe(2);
    await root.data(root.post('/api/channel/batch/tag', { ids: [a], tag: null }));
    expect((await read(a)).tag).toBeNull();
    expect((await root.post('/api/channel/batch/tag', { ids: [a], tag: 'x'.repeat(65) })).status).toBe(400);
  });
});
