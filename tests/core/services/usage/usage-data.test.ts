import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, systemActor } from '../../../../core/schemas/actor.ts';
import { createUsageDataService, type UsageDataService } from '../../../../core/services/usage/usage-data.ts';
import { primaryReports } from '../../../support/primary-reports.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

const hour = 3600;
const day = 86_400;

describe.each(engines)('hourly sums on %s', (engine) => {
  let services: TestServices;
  let usageData: UsageDataService;
  let alice: Actor;
  let bob: Actor;
  let newest: number;

  const range = (start: number, end: number) => ({ start_timestamp: start, end_timestamp: end });
  const add = (userId: number, model: string, at: number, quota: number) =>
    services.database.sequelize.query(
      `INSERT INTO usage_data (user_id, model_name, created_at, username, token_used, count, quota)
        VALUES (${userId}, '${model}', ${at}, 'user ${userId}', ${quota * 2}, 1, ${quota})`,
    );

  beforeAll(async () => {
    services = await createTestServices(engine);
    usageData = createUsageDataService({ reports: primaryReports(services.database), now: services.now });
    alice = await services.createUser('alice');
    bob = await services.createUser('bob');
    newest = Math.floor(services.now() / hour) * hour;
    await add(alice.id, 'a', newest, 1);
    await add(alice.id, 'b', newest, 2);
    await add(alice.id, 'a', newest - hour, 4);
    await add(bob.id, 'a', newest, 8);
    await add(bob.id, 'a', newest - 40 * day, 16);
  });
  afterAll(() => services.remove());

  it('are added up per model and hour for all users, oldest first', async () => {
    const rows = await usageData.list(systemActor, { username: '', ...range(newest - day, newest + hour) });
    expect(
      rows.map(({ model_name, created_at, quota, count, token_used }) => [
        model_name,
        created_at,
        quota,
        count,
        token_used,
      ]),
    ).toEqual([
      ['a', newest - hour, 4, 1, 8],
      ['a', newest, 9, 2, 18],
      ['b', newest, 2, 1, 4],
    ]);
    expect(rows.every(({ id, user_id, username }) => id === 0 && user_id === 0 && username === '')).toBe(true);
  });

  it('are added up per user, the largest first, for admins alone', async () => {
    const rows = await usageData.listUsers(systemActor, range(newest - day, newest + hour));
    expect(rows).toEqual([
      { user_id: bob.id, username: `user ${bob.id}`, token_used: 16, count: 1, quota: 8 },
      { user_id: alice.id, username: `user ${alice.id}`, token_used: 14, count: 3, quota: 7 },
    ]);
    await expect(usageData.listUsers(alice, range(0, 0))).rejects.toMatchObject({ code: 'permission.denied' });
  });

  it('without a range are those of the last 30 days, with one those of the range', async () => {
    expect(await usageData.listOwn(bob, range(0, 0))).toHaveLength(1);
    expect(await usageData.list(systemActor, { username: 'BOB', ...range(0, newest + hour) })).toHaveLength(2);
    expect(
      await usageData.list(systemActor, { username: 'bob', ...range(newest - 41 * day, newest - 39 * day) }),
    ).toMatchObject([{ user_id: bob.id, quota: 16 }]);
    expect((await usageData.listOwn(alice, range(0, 0))).map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it('of one’s own cover 30 days at most', async () => {
    await usageData.listOwn(alice, range(newest - 30 * day, newest));
    for (const [start, end] of [
      [newest - 30 * day - 1, newest],
      [0, newest],
    ] as const) {
      await expect(usageData.listOwn(alice, range(start, end))).rejects.toMatchObject({
        code: 'usageData.spanTooLong',
      });
    }
    await expect(usageData.list(alice, { username: '', ...range(0, 0) })).rejects.toMatchObject({
      code: 'permission.denied',
    });
  });

  it('that are too many to draw are refused rather than cut short', async () => {
    const numbers =
      engine === 'postgres'
        ? 'SELECT n FROM generate_series(1, 50001) AS series(n)'
        : 'WITH RECURSIVE series(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < 50001) SELECT n FROM series';
    await services.database.sequelize.query(
      `INSERT INTO usage_data (user_id, model_name, created_at) SELECT 77, 'many', n * ${hour} FROM (${numbers}) AS numbered`,
    );
    const many = { username: '', unit: 'hour' as const, ...range(hour, 50_001 * hour) };
    await expect(usageData.list(systemActor, many)).rejects.toMatchObject({ code: 'usageData.tooMany' });
    expect(await usageData.list(systemActor, { ...many, end_timestamp: 50_000 * hour })).toHaveLength(50_000);
  });

  it('are added up by day where the range is long, with the models that cost least as one', async () => {
    const [models, days] = [1000, 365];
    const first = 400 * day;
    const series = (count: number, name: string) =>
      engine === 'postgres'
        ? `${name} AS (SELECT n FROM generate_series(0, ${count - 1}) AS numbers(n))`
        : `${name}(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM ${name} WHERE n < ${count - 1})`;
    // Two hours of each day belong to one day in Greenwich, and to two in Honolulu.
    await services.database.sequelize.query(
      `WITH ${engine === 'sqlite' ? 'RECURSIVE ' : ''}${series(models, 'model')}, ${series(days, 'day')}
       INSERT INTO usage_data (user_id, model_name, created_at, count, quota, token_used)
       SELECT 88, 'model ' || model.n, ${first} + day.n * ${day} + (model.n % 2) * 12 * ${hour}, 1, 1 + model.n, 2 FROM model, day`,
    );
    const year = { username: '', ...range(first, first + days * day - 1) };
    const rows = await usageData.list(systemActor, year);
    expect(rows.length).toBeLessThanOrEqual(50_000);
    expect(rows.every(({ created_at }) => created_at % day === 0)).toBe(true);
    expect(rows.reduce((sum, { quota }) => sum + quota, 0)).toBe((days * models * (models + 1)) / 2);
    const names = new Set(rows.map(({ model_name }) => model_name));
    expect(names.has('model 999') && names.has('other') && !names.has('model 1')).toBe(true);
    const away = await usageData.list(systemActor, { ...year, utc_offset: -600 });
    expect(new Set(away.map(({ created_at }) => created_at)).size).toBe(days + 1);
    expect(away.every(({ created_at }) => (created_at - 10 * hour) % day === 0)).toBe(true);
  });

  it('are added up by the days that the clocks of the reader show, also before they were set back', async () => {
    const at = (text: string) => Date.parse(text) / 1000;
    // Berlin has two hours ahead of Greenwich until the night to the 25th, then one; Kolkata five and a half.
    const hours = ['2026-10-22T22', '2026-10-23T21', '2026-10-24T22', '2026-10-25T22', '2026-10-25T23'];
    for (const [index, time] of hours.entries()) {
      await services.database.sequelize.query(
        `INSERT INTO usage_data (user_id, model_name, created_at, count, quota)
          VALUES (99, 'clocks', ${at(`${time}:00Z`)}, 1, ${10 ** index})`,
      );
    }
    const asked = { username: '', unit: 'day' as const, ...range(at('2026-10-22T22:00Z'), at('2026-10-26T23:00Z')) };
    const days = async (time_zone: string | undefined, utc_offset: number) =>
      (await usageData.list(systemActor, { ...asked, time_zone, utc_offset })).map(({ created_at, quota }) => [
        new Date(created_at * 1000).toISOString().slice(0, 16),
        quota,
      ]);
    expect(await days('Europe/Berlin', 60)).toEqual([
      ['2026-10-22T22:00', 11],
      ['2026-10-24T22:00', 1100],
      ['2026-10-25T23:00', 10_000],
    ]);
    expect(await days('Asia/Kolkata', 60)).toEqual([
      ['2026-10-22T18:30', 1],
      ['2026-10-23T18:30', 10],
      ['2026-10-24T18:30', 100],
      ['2026-10-25T18:30', 11_000],
    ]);
    expect(await days(undefined, 60)).toHaveLength(5);
  });
});
