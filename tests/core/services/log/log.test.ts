import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LogRow } from '../../../../core/database/models/log.ts';
import { type Actor, systemActor } from '../../../../core/schemas/actor.ts';
import { logClearSchema, logListSchema, logStatSchema } from '../../../../core/schemas/log.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

const listOf = (values: Record<string, unknown> = {}) => logListSchema.parse(values);

describe.each(engines)('log on %s', (engine) => {
  let services: TestServices;
  let alice: Actor;
  let bob: Actor;
  const add = (rows: Partial<LogRow>[]) =>
    services.database.logs.bulkCreate(
      rows.map((row) => ({ type: 2, created_at: services.now(), username: 'alice', user_id: alice.id, ...row })),
    );
  /** What the ledger keeps beside each row it writes. */
  const sumHours = async () => {
    await services.database.sequelize.query('DELETE FROM usage_data');
    await services.database.sequelize.query(`INSERT INTO usage_data
      (user_id, model_name, created_at, username, token_used, count, quota)
      SELECT user_id, model_name, created_at - created_at % 3600, max(username),
        sum(prompt_tokens + completion_tokens), count(*), sum(quota)
      FROM logs WHERE type = 2 GROUP BY user_id, model_name, created_at - created_at % 3600`);
  };
  const models = async (actor: Actor, values: Record<string, unknown>) =>
    (await services.logs.list(actor, listOf(values))).items.map(({ model_name }) => model_name);

  beforeAll(async () => {
    services = await createTestServices(engine);
    alice = await services.createUser('alice');
    bob = await services.createUser('bob');
    const other = JSON.stringify({ model_ratio: 1, admin_info: { use_channel: ['7'] } });
    await add([
      { model_name: 'gpt-4', token_name: 'a', channel_id: 7, quota: 10, prompt_tokens: 5, completion_tokens: 2, other },
      { model_name: 'gpt-4o', token_name: 'b', channel_id: 8, group: 'vip', is_stream: true, request_id: 'r-2' },
      { model_name: 'gpt_4', user_id: bob.id, username: 'bob', channel_id: 7, quota: 5 },
      { model_name: 'old', created_at: services.now() - 1000, quota: 100, type: 2 },
      { model_name: '', type: 3, content: 'note' },
    ]);
    await sumHours();
  });
  afterAll(() => services.remove());

  it('shows admins every row, newest first, and users their own without admin_info', async () => {
    const all = await services.logs.list(systemActor, listOf());
    expect(all).toMatchObject({ total: 5, total_capped: false, page: 1, page_size: 10 });
    // A charge that was written late is at its time.
    expect(all.items.map(({ model_name }) => model_name)).toEqual(['', 'gpt_4', 'gpt-4o', 'gpt-4', 'old']);
    expect(all.items[2]).toMatchObject({ is_stream: true, channel: 8, request_id: 'r-2' });
    expect(JSON.parse(all.items[3]?.other ?? '')).toHaveProperty('admin_info');
    const own = await services.logs.list(alice, listOf({ username: 'bob' }));
    expect(own.items.every(({ user_id }) => user_id === alice.id)).toBe(true);
    expect(JSON.parse(own.items[2]?.other ?? '')).toEqual({ model_ratio: 1 });
  });

  it('is filtered by each field, with % as the only wildcard', async () => {
    expect(await models(systemActor, { model_name: 'gpt-4%' })).toEqual(['gpt-4o', 'gpt-4']);
    expect(await models(systemActor, { model_name: 'gpt_4%' })).toEqual(['gpt_4']);
    expect(await models(systemActor, { model_name: 'gpt-4' })).toEqual(['gpt-4']);
    expect(await models(systemActor, { username: 'BOB' })).toEqual(['gpt_4']);
    expect(await models(systemActor, { username: 'nobody' })).toEqual([]);
    expect(await models(systemActor, { channel: 7, type: 2 })).toEqual(['gpt_4', 'gpt-4']);
    expect(await models(systemActor, { token_name: 'b' })).toEqual(['gpt-4o']);
    expect(await models(systemActor, { group: 'vip' })).toEqual(['gpt-4o']);
    expect(await models(systemActor, { end_timestamp: services.now() - 500 })).toEqual(['old']);
    expect(await models(systemActor, { type: 3 })).toEqual(['']);
    expect(await models(systemActor, { start_timestamp: 1e13 })).toEqual([]);
    expect(await models(systemActor, { start_timestamp: services.now(), end_timestamp: 1 })).toEqual([]);
    expect(logListSchema.safeParse({ model_name: 'x'.repeat(256) }).success).toBe(false);
  });

  it('is read on from a row, backwards and forwards', async () => {
    const [first, second] = (await services.logs.list(systemActor, listOf())).items;
    expect((await services.logs.list(systemActor, listOf({ before_id: first?.id, page_size: 1 }))).items).toEqual([
      second,
    ]);
    expect((await services.logs.list(systemActor, listOf({ after_id: first?.id }))).items).toEqual([]);
    expect(
      (await services.logs.list(systemActor, listOf({ after_id: second?.id, page_size: 9 }))).items.at(-1),
    ).toEqual(first);
    expect((await services.logs.list(systemActor, listOf({ after_id: 0, page_size: 1 }))).items[0]?.model_name).toBe(
      'gpt-4',
    );
  });

  it('gives one row by number or by request id, to its owner and admins', async () => {
    const row = await services.logs.get(alice, 'r-2');
    expect(await services.logs.get(systemActor, row.id)).toMatchObject({ model_name: 'gpt-4o' });
    await expect(services.logs.get(bob, 'r-2')).rejects.toMatchObject({ code: 'object.notFound' });
    await expect(services.logs.get(bob, row.id)).rejects.toMatchObject({ code: 'object.notFound' });
  });

  it('sums the range, and calls and tokens of the last minute', async () => {
    expect(await services.logs.stat(systemActor, logStatSchema.parse({}))).toEqual({ quota: 115, rpm: 3, tpm: 7 });
    const recent = logStatSchema.parse({ start_timestamp: services.now() - 100, username: 'alice' });
    expect(await services.logs.stat(systemActor, recent)).toEqual({ quota: 10, rpm: 2, tpm: 7 });
    expect(await services.logs.stat(bob, logStatSchema.parse({}))).toEqual({ quota: 5, rpm: 1, tpm: 0 });
    expect(await services.logs.stat(bob, logStatSchema.parse({ model_name: 'none' }))).toEqual({
      quota: 0,
      rpm: 0,
      tpm: 0,
    });
  });

  it('is cleared by admins before a past moment only, leaving a trace', async () => {
    const clear = (actor: Actor, target_timestamp: number) =>
      services.logs.clear(actor, logClearSchema.parse({ target_timestamp }));
    await expect(clear(alice, 5)).rejects.toMatchObject({ code: 'permission.denied' });
    for (const time of [0, -1, services.now() + 60, 1e13]) {
      await expect(clear(systemActor, time)).rejects.toMatchObject({ code: 'log.beforeInvalid' });
    }
    const traces = await services.database.audits.count({ where: { action: 'log.clearRefused' } });
    expect(traces).toBe(4);
  });

  it('keeps the books when rows go: per user, token and channel the sum of what went', async () => {
    const before = services.now() - 100_000;
    const many = Array.from({ length: 2500 }, (_, index) => ({
      created_at: before - 1 - (index % 50),
      token_id: 3 + (index % 2),
      channel_id: 7,
      quota: 2,
      type: index % 5 === 0 ? 4 : 2,
    }));
    await add(many);
    await add([{ created_at: before, quota: 1000 }]);
    const clear = (values: object) =>
      services.logs.clear(systemActor, logClearSchema.parse({ target_timestamp: before, ...values }));
    expect(await clear({ dry_run: true })).toBe(2500);
    const total = await services.database.logs.count();
    const counts = await Promise.all([clear({}), clear({})]);
    expect(counts[0] + counts[1]).toBe(2500);
    expect(await services.database.logs.count()).toBe(total - 2500);
    expect(await clear({})).toBe(0);
    const sums = await services.database.select(
      'SELECT subject, subject_id, quota FROM unlogged_sums ORDER BY subject, subject_id',
    );
    expect(sums).toEqual([
      { subject: 'channel', subject_id: 7, quota: 4000 },
      { subject: 'token', subject_id: 3, quota: 2000 },
      { subject: 'token', subject_id: 4, quota: 2000 },
      { subject: 'user', subject_id: alice.id, quota: 4000 },
    ]);
    const [mark] = await services.database.select<{ at: number }>("SELECT at FROM ledger_marks WHERE name = 'hourly'");
    expect(mark?.at).toBe(Math.ceil(before / 3600) * 3600);
  });

  it('takes notes about accounts', async () => {
    await services.logs.record({ type: 'topUp', user_id: bob.id, username: 'bob', content: 'redeemed', quota: 9 });
    const [row] = (await services.logs.list(bob, listOf({ type: 1 }))).items;
    expect(row).toMatchObject({ content: 'redeemed', quota: 9, request_id: null });
  });
});
