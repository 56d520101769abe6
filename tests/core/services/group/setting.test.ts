import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, role, systemActor } from '../../../../core/schemas/actor.ts';
import { channelCreateSchema } from '../../../../core/schemas/channel.ts';
import { groupSetSchema } from '../../../../core/schemas/group.ts';
import { createGroupSettings } from '../../../../core/services/group/setting.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

describe.each(engines)('group settings on %s', (engine) => {
  let services: TestServices;
  let groups: ReturnType<typeof createGroupSettings>;
  let alice: Actor;
  beforeAll(async () => {
    services = await createTestServices(engine);
    groups = createGroupSettings(services);
    alice = await services.createUser('alice');
    await services.database.users.update({ group: 'vip' }, { where: { id: alice.id } });
    const values = { type: 1, name: 'main', models: 'a,b', group: 'default,vip,lost', key: 'k' };
    await services.channels.create(systemActor, channelCreateSchema.parse(values));
  });
  afterAll(() => services.remove());

  it('counts users and channels of each, also of one without a ratio', async () => {
    const list = await groups.list(systemActor);
    expect(list.find(({ name }) => name === 'vip')).toMatchObject({ ratio: 1, users: 1, channels: 1, tokens: 0 });
    expect(list.find(({ name }) => name === 'lost')).toMatchObject({ ratio: null, usable: false, channels: 1 });
    expect(list.find(({ name }) => name === 'svip')).toMatchObject({ users: 0, channels: 0 });
  });

  it('refuses to remove a group in use unless that is meant', async () => {
    await expect(groups.remove(systemActor, 'vip')).rejects.toMatchObject({
      code: 'group.inUse',
      details: { users: 1, tokens: 0, channels: 1 },
    });
    await groups.remove(systemActor, 'vip', { evenInUse: true });
    expect(services.options.get('GroupRatio')).not.toHaveProperty('vip');
    expect(services.options.get('UserUsableGroups')).not.toHaveProperty('vip');
  });

  it('is for root alone, and leaves a trace of every option it changes (S)', async () => {
    const admin = { ...alice, role: role.admin };
    const input = groupSetSchema.parse({ name: 'gold', ratio: '0.9', usable: true });
    await expect(groups.set(admin, input)).rejects.toMatchObject({ status: 403 });
    await expect(groups.list(admin)).rejects.toMatchObject({ status: 403 });
    const { changed } = await groups.set(systemActor, input);
    expect(changed).toEqual(['GroupRatio', 'UserUsableGroups']);
    expect((await groups.set(systemActor, input)).changed).toEqual([]);
    const notes = await services.database.audits.findAll({ where: { action: 'option.set' }, raw: true });
    expect(notes.filter(({ after }) => after.includes('gold'))).toHaveLength(2);
  });
});
