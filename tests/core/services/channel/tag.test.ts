import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Actor, role, systemActor } from '../../../../core/schemas/actor.ts';
import { channelCreateSchema, channelListSchema } from '../../../../core/schemas/channel.ts';
import { channelTagEditSchema } from '../../../../core/schemas/channel-tag.ts';
import { createServedModels } from '../../../../core/services/model/served-model.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

const admin: Actor = { id: 2, name: 'admin', role: role.admin, address: '' };
const user: Actor = { id: 3, name: 'user', role: role.user, address: '' };
const base = { type: 1, key: 'sk-upstream', models: 'gpt-4o,o1', group: 'default' };

describe.each(engines)('channel tag on %s', (engine) => {
  let services: TestServices;
  beforeAll(async () => {
    services = await createTestServices(engine);
  });
  afterAll(() => services.remove());
  beforeEach(async () => {
    await services.database.channels.destroy({ where: {} });
    await services.database.abilities.destroy({ where: {} });
  });

  async function create(name: string, tag: string, more: Record<string, unknown> = {}): Promise<number> {
    const input = channelCreateSchema.parse({ ...base, name, tag, ...more });
    const [channel] = await services.channels.create(systemActor, input);
    return channel?.id ?? 0;
  }
  const edit = (input: Record<string, unknown>, actor = admin) =>
    services.channels.editTag(actor, channelTagEditSchema.parse(input));
  async function namesOf(input: Record<string, unknown> = {}) {
    const page = await services.channels.list(admin, channelListSchema.parse({ tag_mode: true, ...input }));
    return { names: page.items.map(({ name }) => name), total: page.total };
  }

  it('is listed by page of tags, each with all its channels, then the channels without one, and counted', async () => {
    await create('a1', 'apple', { priority: 2 });
    await create('a2', 'apple', { priority: 5 });
    await create('b1', 'berry');
    await create('loose', '');
    await create('lonely', '', { priority: 1 });
    expect(await namesOf()).toEqual({ names: ['a2', 'a1', 'lonely', 'loose', 'b1'], total: 4 });
    expect(await namesOf({ page_size: 1, page: 2 })).toEqual({ names: ['b1'], total: 4 });
    // Each of those without a tag stands for itself, the newest first.
    expect(await namesOf({ page_size: 1, page: 3 })).toEqual({ names: ['lonely'], total: 4 });
    expect(await namesOf({ page_size: 2, page: 2 })).toEqual({ names: ['lonely', 'loose'], total: 4 });
    expect(await namesOf({ keyword: 'l' })).toEqual({ names: ['lonely', 'loose'], total: 2 });
    expect(await namesOf({ keyword: 'a1' })).toEqual({ names: ['a2', 'a1'], total: 1 });
    expect(await namesOf({ group: 'vip' })).toEqual({ names: [], total: 0 });
  });

  it('is not edited when another user changed the same fields, or put a channel under it, since it was read', async () => {
    const ids = [await create('a', 'blue', { weight: 1 }), await create('b', 'blue', { weight: 2 })];
    const loaded = Object.fromEntries(ids.map((id, index) => [id, { weight: index + 1 }]));
    await services.database.channels.update({ weight: 7 }, { where: { id: ids[1] } });
    const stale = { code: 'object.stale', data: { changed: { weight: 7 } } };
    await expect(edit({ tag: 'blue', weight: 3, loaded })).rejects.toMatchObject(stale);
    expect(await services.database.channels.count({ where: { weight: 3 } })).toBe(0);
    // What another user changed to the same, or of a field that is not edited, is in no one's way.
    expect(await edit({ tag: 'blue', weight: 7, loaded })).toBe(2);
    await create('late', 'blue', { weight: 7 });
    const now = Object.fromEntries(ids.map((id) => [id, { weight: 7 }]));
    await expect(edit({ tag: 'blue', weight: 4, loaded: now })).rejects.toMatchObject({ code: 'object.stale' });
    expect(await edit({ tag: 'blue', weight: 4 })).toBe(3);
  });

  it('is edited as a whole: abilities follow, counters do not, and each channel leaves a trace', async () => {
    const ids = [await create('a', 'blue'), await create('b', 'blue')];
    await services.database.channels.update({ used_quota: 7 }, { where: { id: ids } });
    expect(await edit({ tag: 'blue', new_tag: 'green', groups: 'vip', models: 'o1', weight: 3 })).toBe(2);
    const rows = await services.database.abilities.findAll({ raw: true });
    expect(rows.map(({ group, model, weight, tag }) => `${group}/${model} ${weight} ${tag}`)).toEqual([
      'vip/o1 3 green',
      'vip/o1 3 green',
    ]);
    const channels = await services.database.channels.findAll({ raw: true });
    expect(channels.map(({ used_quota, tag }) => [used_quota, tag])).toEqual([
      [7, 'green'],
      [7, 'green'],
    ]);
    const audits = await services.database.audits.findAll({ where: { action: 'channel.update' }, raw: true });
    expect(audits.slice(-2).map(({ object_id }) => Number(object_id))).toEqual(ids);
    await edit({ tag: 'green', new_tag: '' });
    await expect(edit({ tag: 'green', weight: 1 })).rejects.toMatchObject({ code: 'channel.tagUnknown' });
  });

  it('is switched on and off in one step, abilities included, and only by admins', async () => {
    const id = await create('a', 'blue');
    await services.database.channels.update({ status: 3, other_info: '{"status_reason":"x"}' }, { where: { id } });
    await services.channels.setTagStatus(admin, 'blue', 1);
    expect(await services.channels.get(admin, id)).toMatchObject({ status: 1, other_info: '' });
    await services.channels.setTagStatus(admin, 'blue', 2);
    expect(await services.database.abilities.count({ where: { enabled: true } })).toBe(0);
    await expect(services.channels.setTagStatus(user, 'blue', 1)).rejects.toMatchObject({ code: 'permission.denied' });
    await expect(edit({ tag: 'blue', weight: 1 }, user)).rejects.toMatchObject({ code: 'permission.denied' });
    const batch = services.channels.setTagOf(user, { ids: [id], tag: 'x' });
    await expect(batch).rejects.toMatchObject({ code: 'permission.denied' });
  });

  it('edited twice at the same moment has both changes, in its channels and in what routing reads', async () => {
    for (const name of ['a', 'b', 'c']) await create(name, 'blue');
    for (let round = 1; round <= 5; round++) {
      await Promise.all([edit({ tag: 'blue', models: `m${round}` }), edit({ tag: 'blue', weight: round })]);
      const channels = await services.database.channels.findAll({ raw: true });
      expect(channels.map(({ models, weight }) => `${models} ${weight}`)).toEqual(Array(3).fill(`m${round} ${round}`));
      const abilities = await services.database.abilities.findAll({ raw: true });
      expect(abilities.map(({ model, weight }) => `${model} ${weight}`)).toEqual(Array(3).fill(`m${round} ${round}`));
    }
  });

  it('tells what is served: each model once with its groups, without those that are off', async () => {
    const served = createServedModels(services);
    await create('a', 'blue', { models: 'o1,gpt-4o', group: 'vip,default' });
    await create('b', 'blue', { models: 'o1' });
    const off = await create('c', '', { models: 'claude-3' });
    await services.channels.setStatus(admin, [off], 2);
    expect([...(await served.read())]).toEqual([
      ['gpt-4o', ['default', 'vip']],
      ['o1', ['default', 'vip']],
    ]);
    await services.channels.setStatus(admin, [off], 1);
    expect((await served.read()).has('claude-3')).toBe(false);
    served.forget();
    expect((await served.read()).has('claude-3')).toBe(true);
  });
});
