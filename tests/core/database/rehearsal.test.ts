import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../core/errors/app-error.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { channelCreateSchema } from '../../../core/schemas/channel.ts';
import { channelStatus } from '../../../core/schemas/channel-status.ts';
import { createTestServices, type TestServices } from '../../support/services.ts';
import { engines } from '../../support/temporary-database.ts';

describe.each(engines)('a rehearsal on %s', (engine) => {
  let services: TestServices;
  let first: number;

  beforeAll(async () => {
    services = await createTestServices(engine);
    const [channel] = await services.channels.create(systemActor, channelOf('first'));
    first = channel?.id ?? 0;
  });
  afterAll(() => services.remove());

  const channelOf = (name: string) =>
    channelCreateSchema.parse({ type: 1, name, models: 'gpt-4o', group: 'default', key: 'sk-rehearsed-key' });

  async function everything(): Promise<unknown[]> {
    const tables = ['channels', 'abilities', 'audits', 'users', 'quota_entries', 'options'];
    return Promise.all(tables.map((table) => services.database.select(`SELECT * FROM ${table} ORDER BY 1, 2`)));
  }

  it('does the work with all its effects, tells what it changed, and leaves nothing behind', async () => {
    const { channels, database } = services;
    const before = await everything();
    const { result, changes } = await database.rehearse(async () => {
      const [made] = await channels.create(systemActor, channelOf('second'));
      await channels.setStatus(systemActor, [first, made?.id ?? 0], channelStatus.disabled);
      await channels.remove(systemActor, [first]);
      // Reads outside a transaction see it as well.
      return (await channels.list(systemActor, { ...listAll, keyword: '' })).items.map(({ name }) => name);
    });
    expect(result).toEqual(['second']);
    expect(changes.map(({ action }) => action)).toEqual([
      'channel.create',
      'channel.disable',
      'channel.disable',
      'channel.remove',
    ]);
    expect(changes[0]).toMatchObject({ object_id: '', after: { name: 'second' } });
    expect(JSON.stringify(changes)).not.toContain('sk-rehearsed-key');
    expect(await everything()).toEqual(before);
  });

  it('goes on after one piece of it has failed, without what that piece had done', async () => {
    const { channels, database } = services;
    const before = await everything();
    const { result, changes } = await database.rehearse(async () => {
      await channels.setStatus(systemActor, [first], channelStatus.disabled);
      const refused = await channels.setStatus(systemActor, [first, 999], channelStatus.enabled).catch(codeOf);
      // A statement of its own that the database refuses: on PostgreSQL nothing else could be asked in the same transaction.
      const broken = await database.select('SELECT * FROM no_such_table').catch(() => 'broken');
      const { status } = await channels.get(systemActor, first);
      return { refused, broken, status };
    });
    expect(result).toEqual({ refused: 'object.notFound', broken: 'broken', status: channelStatus.disabled });
    expect(changes).toHaveLength(1);
    expect(await everything()).toEqual(before);
  });

  it('passes on the error of the work, and takes back what came before it', async () => {
    const before = await everything();
    const work = services.database.rehearse(async () => {
      await services.channels.setStatus(systemActor, [first], channelStatus.disabled);
      await services.channels.get(systemActor, 999);
    });
    expect(await work.catch(codeOf)).toBe('object.notFound');
    expect(await everything()).toEqual(before);
  });

  it('shows a credit on the balance, and books none (M)', async () => {
    const { database, ledger } = services;
    const alice = await services.createUser('alice');
    const before = await everything();
    const change = { id: alice.id, amount: 700, note: '' };
    const { result } = await database.rehearse(() => services.users.adjustQuota(systemActor, change));
    expect(result.quota).toBe((await services.users.get(systemActor, alice.id)).quota + 700);
    expect(await everything()).toEqual(before);
    expect((await ledger.verify()).differences).toEqual([]);
  });

  it('is not joined by what else goes on in the process', async () => {
    const { channels, database } = services;
    let written: Promise<unknown> = Promise.resolve();
    const outside = () => {
      written = channels.create(systemActor, channelOf('outside'));
    };
    const started = new Promise<void>((resolve) => setImmediate(() => resolve(outside())));
    await database.rehearse(async () => {
      await started;
      expect(database.rehearsal()).toBeDefined();
    });
    expect(database.rehearsal()).toBeUndefined();
    await written;
    expect((await channels.find(systemActor, 'outside')).name).toBe('outside');
  });

  it('keeps a server beside it waiting, and takes nothing from it', async () => {
    const { channels, database, ledger, users } = services;
    const bob = await services.createUser('bob');
    const before = (await users.get(systemActor, bob.id)).quota;
    const entry = { userId: bob.id, kind: 'admin', ref: 'meanwhile', amount: 300, actorId: 0 };
    let rehearsed: Promise<unknown> = Promise.resolve();
    await new Promise<void>((begun) => {
      rehearsed = database.rehearse(async () => {
        await channels.setStatus(systemActor, [first], channelStatus.disabled);
        begun();
        await pause(300);
      });
    });
    expect(await ledger.credit(entry)).toBe(true);
    await rehearsed;
    expect((await users.get(systemActor, bob.id)).quota).toBe(before + 300);
  });

  it('ends before others give up waiting for its locks', async () => {
    const { channels, database } = services;
    const work = database.rehearse(async () => {
      for (;;) await channels.setStatus(systemActor, [first], channelStatus.disabled);
    }, 100);
    expect(await work.catch(codeOf)).toBe('database.rehearsalTooLong');
    expect((await channels.get(systemActor, first)).status).toBe(channelStatus.enabled);
  });

  it('lets nothing be written afterward by what it started and did not wait for', async () => {
    const { channels, database } = services;
    let late: Promise<unknown> = Promise.resolve();
    await database.rehearse(async () => {
      late = new Promise((resolve) => setTimeout(resolve, 50)).then(() => channels.remove(systemActor, [first]));
      late.catch(() => undefined);
    });
    await expect(late).rejects.toThrow('the rehearsal is over');
    expect((await channels.get(systemActor, first)).id).toBe(first);
  });
});

const listAll = { page: 1, page_size: 100, id_sort: true, tag_mode: false, model: '', group: '', status: 0 as const };

const codeOf = (error: unknown) => (error instanceof AppError ? error.code : String(error));
