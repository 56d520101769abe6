import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LogRow } from '../../../../core/database/models/log.ts';
import { role, systemActor } from '../../../../core/schemas/actor.ts';
import type { UsageSubject } from '../../../../core/schemas/usage-report.ts';
import { createUsageReportService, type UsageReportService } from '../../../../core/services/usage/usage-report.ts';
import { primaryReports } from '../../../support/primary-reports.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

const hour = 3600;
/** Noon of a day in the time zone of the machine. */
const noon = new Date(2025, 2, 10, 12).getTime() / 1000;

const whole = { prompt_tokens: null, completion_tokens: null, cached_tokens: null, saved_quota: null };
const uncached = { cached_tokens: 0, saved_quota: 0 };

describe.each(engines)('reports of usage on %s', (engine) => {
  let services: TestServices;
  let report: UsageReportService;

  const ask = (by: UsageSubject, values: { username?: string; start?: number; end?: number; split?: boolean } = {}) =>
    report.read(systemActor, {
      by,
      username: values.username ?? '',
      split: values.split ?? false,
      start_timestamp: values.start ?? noon - hour,
      end_timestamp: values.end ?? noon + 2 * 86_400,
    });
  const addHour = (userId: number, model: string, at: number, quota: number) =>
    services.database.sequelize.query(
      `INSERT INTO usage_data (user_id, model_name, created_at, username, token_used, count, quota)
        VALUES (${userId}, '${model}', ${at}, 'user ${userId}', ${quota * 2}, 1, ${quota})`,
    );
  const addRow = (channel_id: number, quota: number, type = 2, more: Partial<LogRow> = {}) =>
    services.database.logs.create({
      user_id: 1,
      created_at: noon,
      type,
      channel_id,
      quota,
      prompt_tokens: 3,
      completion_tokens: 4,
      username: 'alice',
      content: '',
      model_name: 'a',
      other: '',
      ...more,
    });

  beforeAll(async () => {
    services = await createTestServices(engine);
    report = createUsageReportService({ reports: primaryReports(services.database) });
    await services.createUser('alice');
    await services.createUser('bob');
    const [alice, bob] = await services.database.users.findAll({ order: [['id', 'ASC']], raw: true });
    await addHour(alice?.id ?? 0, 'a', noon, 1);
    await addHour(alice?.id ?? 0, 'b', noon, 2);
    await addHour(bob?.id ?? 0, 'a', noon + 86_400, 8);
    await addHour(bob?.id ?? 0, 'a', noon - 40 * 86_400, 100);
    await addRow(7, 5);
    await addRow(7, 6);
    await addRow(9, 20);
    await addRow(9, 1000, 3);
  });
  afterAll(() => services.remove());

  it('add up by model and by user from the hourly sums, the largest spending first', async () => {
    expect(await ask('model')).toEqual([
      { name: 'a', id: 0, calls: 2, tokens: 18, quota: 9, ...whole },
      { name: 'b', id: 0, calls: 1, tokens: 4, quota: 2, ...whole },
    ]);
    expect((await ask('user')).map(({ quota, calls }) => [quota, calls])).toEqual([
      [8, 1],
      [3, 2],
    ]);
    expect((await ask('model', { username: 'Alice' })).map(({ quota }) => quota)).toEqual([2, 1]);
    expect(await ask('user', { username: 'nobody' })).toEqual([]);
  });

  it('add up by the days of the reader, in their order', async () => {
    expect(await ask('day')).toEqual([
      { name: '2025-03-10', id: 0, calls: 2, tokens: 6, quota: 3, ...whole },
      { name: '2025-03-11', id: 0, calls: 1, tokens: 16, quota: 8, ...whole },
    ]);
  });

  it('begin at the full hour, so that every report of a range tells of the same calls', async () => {
    expect(await ask('model', { start: noon + hour - 1, end: noon + hour })).toHaveLength(2);
    expect(await ask('model', { start: noon + hour, end: noon + hour })).toEqual([]);
  });

  it('count the hour with midnight once where midnight is not at a full hour, for the day before', async () => {
    const midnight = Date.parse('2025-07-01T18:30:00Z') / 1000;
    const hours = [midnight - 1800, midnight + 1800, midnight + 86_400 - 1800, midnight + 86_400 + 1800];
    for (const [index, at] of hours.entries()) await addHour(77, 'india', at, 10 ** index);
    const day = async (start: number) => {
      const sums = await ask('model', { start, end: start + 86_399 });
      return sums.find(({ name }) => name === 'india')?.quota;
    };
    expect([await day(midnight - 86_400), await day(midnight), await day(midnight + 86_400)]).toEqual([1, 110, 1000]);
    // A range within an hour is that hour.
    const half = await ask('model', { start: midnight, end: midnight + 60 });
    expect(half.find(({ name }) => name === 'india')?.quota).toBe(1);
  });

  it('add up by channel from the calls in the log; a removed channel keeps its number', async () => {
    expect(await ask('channel')).toEqual([
      { name: '', id: 9, calls: 1, tokens: 7, quota: 20, prompt_tokens: 3, completion_tokens: 4, ...uncached },
      { name: '', id: 7, calls: 2, tokens: 14, quota: 11, prompt_tokens: 6, completion_tokens: 8, ...uncached },
    ]);
  });

  it('tell how much of the prompts was cached, and what that saved after the cost of writing the cache', async () => {
    const created_at = noon + 30 * 86_400;
    const rates = { model_ratio: 2, group_ratio: 1.5, cache_ratio: 0.1 };
    const others = [
      // 1000 x 0.9 = 900 tokens at 3 quota units each.
      { ...rates, cache_tokens: 1000, bill: { usage: { cache_tokens: 7 } } },
      // 100 x 0.9 - 80 x 0.25 - 20 x 1 = 50 tokens.
      {
        ...rates,
        ...{ cache_tokens: 100, cache_creation_tokens: 100, cache_creation_ratio: 1.25 },
        ...{ cache_creation_tokens_1h: 20, cache_creation_ratio_1h: 2 },
      },
      { ...rates, model_ratio: 1e-7 },
    ].map((other) => JSON.stringify(other));
    for (const other of [...others, '', '"cache_tokens": no JSON', '{"cache_ratio": 1.2.3'])
      await addRow(11, 1, 2, { created_at, prompt_tokens: 2000, other });
    const range = { start: created_at - hour, end: created_at + hour };
    expect(await ask('channel', range)).toMatchObject([
      { id: 11, prompt_tokens: 12_000, cached_tokens: 1100, saved_quota: 2850 },
    ]);
    await addHour(1, 'a', created_at - (created_at % hour), 5);
    expect(await ask('model', { ...range, split: true })).toMatchObject([
      { name: 'a', cached_tokens: 1100, saved_quota: 2850 },
    ]);
  });

  it('count no absurd number of an imported row, and tell of the rest', async () => {
    const created_at = noon + 32 * 86_400;
    const good = { model_ratio: 2, group_ratio: 1, cache_tokens: 1000, cache_ratio: 0.1 };
    const absurd = ['1e30', '-1e30', '1E+400', '9'.repeat(40), `1${'0'.repeat(12)}`, `0.${'1'.repeat(20_000)}`];
    for (const other of [
      JSON.stringify(good),
      ...absurd.map((number) => JSON.stringify(good).replace('1000', number)),
      ...absurd.slice(0, 4).map((number) => JSON.stringify({ ...good, cache_tokens: 0 }).replace('0.1', number)),
    ])
      await addRow(13, 1, 2, { created_at, other });
    const range = { start: created_at - hour, end: created_at + hour };
    expect(await ask('channel', range)).toMatchObject([{ id: 13, cached_tokens: 1000, saved_quota: 1800 }]);
  });

  it('tell what caches saved at the rates of the service tier and of long prompts', async () => {
    const created_at = noon + 31 * 86_400;
    const rates = { model_ratio: 2, group_ratio: 1, cache_tokens: 1000, cache_ratio: 0.1 };
    const others = [
      // 1000 x 0.9 x 2 = 1800 quota units, of which a batch pays half.
      { ...rates, service_tier: 'batch+us', service_tier_ratio: { batch: 0.5, us: 1.1 } },
      { ...rates, service_tier: 'priority' },
      // 1000 x (2 - 0.1 x 1.5) x 2, less 100 x 0.25 x 2 x 2.
      {
        ...{ ...rates, cache_creation_tokens: 100, cache_creation_ratio: 1.25 },
        long_prompt: { above: 9, prompt: 2, cached: 1.5, completion: 7 },
        bill: { rates: { longPrompt: { prompt: 5 }, tierRatios: { batch: 3 } } },
      },
    ];
    for (const other of others) await addRow(12, 1, 2, { created_at, other: JSON.stringify(other) });
    expect(await ask('channel', { start: created_at - hour, end: created_at + hour })).toMatchObject([
      { id: 12, cached_tokens: 3000, saved_quota: 990 + 1800 + 3600 },
    ]);
  });

  it('tell prompt and completion tokens apart where that is asked for, of the calls in the log', async () => {
    const parts = async (by: UsageSubject) =>
      (await ask(by, { split: true })).map(({ name, prompt_tokens, completion_tokens }) => [
        name,
        prompt_tokens,
        completion_tokens,
      ]);
    expect(await parts('model')).toEqual([
      ['a', 9, 12],
      ['b', 0, 0],
    ]);
    expect(await parts('day')).toEqual([
      ['2025-03-10', 9, 12],
      ['2025-03-11', 0, 0],
    ]);
    expect((await ask('user', { split: true })).map(({ prompt_tokens }) => prompt_tokens)).toEqual([0, 9]);
  });

  it('tell users what their own calls used, with the parts, and nothing of others', async () => {
    const times = { start_timestamp: noon - hour, end_timestamp: noon + 3 * 86_400 };
    const own = (id: number) =>
      report.readOwn({ id, name: '', role: role.user, address: '' }, { by: 'model', ...times });
    const users = await services.database.users.findAll({ order: [['id', 'ASC']], raw: true });
    const [alice, bob] = await Promise.all(users.map(({ id }) => own(id)));
    expect(alice).toMatchObject([
      { name: 'b', quota: 2 },
      { name: 'a', quota: 1 },
    ]);
    expect(bob).toMatchObject([{ name: 'a', quota: 8 }]);
    expect(await own(1)).toEqual(await own(1));
    expect((await own(1))[0]).toHaveProperty('cached_tokens', expect.any(Number));
  });

  it('tell the last days of a time that ends in the future', async () => {
    const { createUser, database, now } = services;
    const { id } = await createUser('carol');
    const at = now() - (now() % hour) - hour;
    await addHour(id, 'future', at, 7);
    await addRow(8, 7, 2, { user_id: id, created_at: at, model_name: 'future' });
    const own = { id, name: 'carol', role: role.user, address: '' };
    const times = { start_timestamp: 0, end_timestamp: at + 4000 * 86_400 };
    expect(await report.readOwn(own, { by: 'model', ...times })).toMatchObject([{ name: 'future', quota: 7 }]);
    await database.users.destroy({ where: { id } });
    await database.usageData.destroy({ where: { user_id: id } });
    await database.logs.destroy({ where: { user_id: id } });
  });

  it('name users as they are named now, and one who was erased as at the time', async () => {
    const at = noon + 60 * 86_400;
    const { id } = await services.createUser('dora');
    await addHour(id, 'a', at - (at % hour), 2);
    await addHour(7777, 'a', at - (at % hour), 1);
    const names = async (split: boolean) =>
      (await ask('user', { split, start: at - hour, end: at + hour })).map(({ name }) => name);
    for (const split of [false, true]) expect(await names(split)).toEqual(['dora', 'user 7777']);
    await services.database.users.update({ username: '' }, { where: { id } });
    expect(await names(true)).toEqual([`user ${id}`, 'user 7777']);
    await services.database.users.destroy({ where: { id } });
  });

  it('are for admins alone', async () => {
    const user = { id: 2, name: 'alice', role: role.user, address: '' };
    const input = { by: 'model' as const, username: '', start_timestamp: 0, end_timestamp: noon, split: false };
    await expect(report.read(user, input)).rejects.toMatchObject({ code: 'permission.denied' });
    await expect(report.readShared(user, input)).rejects.toMatchObject({ code: 'permission.denied' });
  });
});
