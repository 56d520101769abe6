import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { channelCreateSchema, channelUpdateSchema } from '../../../../core/schemas/channel.ts';
import { channelStatus } from '../../../../core/schemas/channel-status.ts';
import { createAbilityService } from '../../../../core/services/ability.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';

// SQLite has one writer at a time: there, one of the two is over before the other begins.
describe('two admins at the same moment on postgres', () => {
  let services: TestServices;
  beforeAll(async () => {
    services = await createTestServices('postgres');
  });
  afterAll(() => services.remove());

  async function add(name: string, models: string): Promise<number> {
    const input = { type: 1, name, key: `sk-${name}`, models, group: 'default' };
    const [channel] = await services.channels.create(systemActor, channelCreateSchema.parse(input));
    return channel?.id ?? 0;
  }
  async function abilitiesOf(id: number): Promise<[model: string, enabled: boolean][]> {
    const where = { channel_id: id };
    const rows = await services.database.abilities.findAll({ where, order: [['model', 'ASC']], raw: true });
    return rows.map(({ model, enabled }) => [model, enabled]);
  }

  it('the repair of routing data leaves alone what is changed, added and removed meanwhile', async () => {
    const { database, channels } = services;
    const [edited, removed, broken] = [await add('edited', 'a'), await add('removed', 'b'), await add('broken', 'c')];
    let added = 0;
    const meanwhile = async () => {
      const change = { id: edited, models: 'a,new', status: channelStatus.disabled };
      await channels.update(systemActor, channelUpdateSchema.parse(change));
      await channels.remove(systemActor, [removed]);
      added = await add('added', 'd');
    };
    // The work of the other admin ends between the first reading of the channels and that of their abilities.
    let isFirst = true;
    const abilities = new Proxy(database.abilities, {
      get(model, name) {
        if (name !== 'findAll' || !isFirst) return Reflect.get(model, name);
        isFirst = false;
        return async (...input: Parameters<typeof model.findAll>) => {
          await meanwhile();
          return model.findAll(...input);
        };
      },
    });
    await database.abilities.destroy({ where: { channel_id: broken } });
    expect(await createAbilityService({ database: { ...database, abilities } }).fixAll()).toBe(1);
    expect(await abilitiesOf(edited)).toEqual([
      ['a', false],
      ['new', false],
    ]);
    expect(await abilitiesOf(removed)).toEqual([]);
    expect(await abilitiesOf(added)).toEqual([['d', true]]);
    expect(await abilitiesOf(broken)).toEqual([['c', true]]);
  });

  it('the removal of disabled channels keeps one that is being enabled', async () => {
    const { database, channels } = services;
    const [back, off] = [await add('back', 'x'), await add('off', 'x')];
    await channels.setStatus(systemActor, [back, off], channelStatus.disabled);
    let removal: Promise<number> | undefined;
    await database.transaction(async (transaction) => {
      await database.channels.update({ status: channelStatus.enabled }, { where: { id: back }, transaction });
      removal = channels.removeDisabled(systemActor);
      await pause(300);
    });
    await removal;
    expect(await database.channels.findByPk(back, { raw: true })).toMatchObject({ name: 'back', status: 1 });
    expect(await database.channels.findByPk(off)).toBeNull();
  });
});
