import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hourOf } from '../../../../core/lib/clock.ts';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { logListSchema } from '../../../../core/schemas/log.ts';
import { type UsageSum, usageSubjects } from '../../../../core/schemas/usage-report.ts';
import { createLogService } from '../../../../core/services/log/log.ts';
import { createRetention } from '../../../../core/services/log/retention.ts';
import { archiveLogs } from '../../../../core/services/log-archive/archive.ts';
import { cellKey, readRows } from '../../../../core/services/rolled-hour/hour.ts';
import { roundedParts } from '../../../../core/services/rolled-hour/parts.ts';
import { createRollUp } from '../../../../core/services/rolled-hour/roll-up.ts';
import { type LogTaking, takeLogs } from '../../../../core/services/takeover/log.ts';
import type { TakeoverSource } from '../../../../core/services/takeover/source.ts';
import { failTask } from '../../../../core/services/task/refund.ts';
import { createUsageReportService } from '../../../../core/services/usage/usage-report.ts';
import { addCalls, someCalls } from '../../../support/hourly-calls.ts';
import { addChannel, settlementOf, songJob } from '../../../support/ledger-books.ts';
import { createLogStoreBed } from '../../../support/log-store.ts';
import { primaryReports } from '../../../support/primary-reports.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

const hour = 3600;
const forever = new AbortController().signal;

describe.each(engines)('hours of the log that are rolled up on %s', (engine) => {
  let services: TestServices;
  /** The running hour, and a moment within it. */
  let thisHour: number;
  let time: number;

  beforeEach(async () => {
    services = await createTestServices(engine);
    for (const name of ['alice', 'bob', 'carol']) await services.createUser(name);
    thisHour = hourOf(services.now());
    time = thisHour + 1800;
  });
  afterEach(() => services.remove());

  const rollUp = (maxMs = 60_000) => createRollUp({ database: services.database, now: () => time, maxMs })(forever);
  const add = (...calls: Parameters<typeof addCalls> extends [unknown, ...infer Rest] ? Rest : never) =>
    addCalls(services.database, ...calls);
  const someIn = (count: number, hours: number, salt?: number) =>
    someCalls(count, { from: thisHour - hours * hour, until: thisHour + 600 }, salt);
  const clearLog = (before = thisHour) =>
    services.database.sequelize.query(`DELETE FROM logs WHERE created_at < ${before}`);

  interface Asked {
    start?: number;
    end?: number;
    username?: string;
  }

  /** A report by each subject that there is. */
  async function reports({ start = thisHour - 100 * hour, end = time, username = '' }: Asked = {}) {
    const { read } = createUsageReportService({ reports: primaryReports(services.database), now: () => time });
    const all: Record<string, UsageSum[]> = {};
    for (const by of usageSubjects) {
      const input = { by, username, split: true, start_timestamp: start, end_timestamp: end };
      all[by] = await read(systemActor, input);
    }
    return all;
  }

  const channelSum = (channel: number, start_timestamp: number, end_timestamp: number) =>
    services.logs.stat(systemActor, logListSchema.parse({ channel, start_timestamp, end_timestamp }));

  const promptTokens = async (asked?: Asked) =>
    (await reports(asked)).model?.reduce((total, row) => total + (row.prompt_tokens ?? 0), 0);

  it('give the same reports as the rows themselves, whatever the range and the user', async () => {
    await add(someIn(400, 30));
    const ranges: Asked[] = [
      {},
      { start: thisHour - 20 * hour, end: thisHour - 3 * hour - 1 },
      { start: thisHour - 25 * hour + 77, end: thisHour - 2 * hour + 1234 },
      { start: thisHour - 5 * hour, end: thisHour - 5 * hour + 10 },
      { username: 'alice' },
      { username: 'carol', start: thisHour - 9 * hour + 1, end: thisHour - hour },
    ];
    const read = async () => Promise.all(ranges.map((range) => reports(range)));
    const before = await read();
    expect(before[0]?.model?.some(({ saved_quota }) => (saved_quota ?? 0) > 0)).toBe(true);
    expect(await rollUp()).toMatchObject({ left: 0 });
    expect(await read()).toEqual(before);
    // Of single calls, too.
    await add(someIn(40, 30, 2));
    const rolled = await read();
    await services.database.rolledHours.destroy({ where: {} });
    expect(rolled).toEqual(await read());
  });

  it('are read piece by piece where they are busy, with the same sums', async () => {
    await add(someIn(200, 1));
    const read = (calls: number) => readRows(services.database, thisHour - hour, { calls });
    const whole = await read(0);
    expect(whole.cells.length).toBeGreaterThan(1);
    const ordered = ({ cells, channels, lastId }: typeof whole) => [
      [...cells].map(roundedParts).sort((a, b) => (cellKey(a) < cellKey(b) ? -1 : 1)),
      [...channels].map(roundedParts).sort((a, b) => a.channel_id - b.channel_id),
      lastId,
    ];
    for (const calls of [20_000, 150_000, 1e9]) expect(ordered(await read(calls))).toEqual(ordered(whole));
  });

  it('do not wait for one that cannot be added up', async () => {
    await add(someIn(60, 3));
    await services.database.sequelize.query(
      `INSERT INTO logs (user_id, created_at, type, model_name, channel_id, prompt_tokens)
       VALUES (1, ${thisHour - hour}, 2, 'absurd', 1, 9000000000000000000), (1, ${thisHour - hour}, 2, 'absurd', 1, 9000000000000000000)`,
    );
    const all = createRollUp({ database: services.database, now: () => time, maxMs: 60_000 });
    for (let turn = 0; turn < 2; turn++) await expect(all(forever)).rejects.toThrow(/out of range|integer overflow/);
    const rows = await services.database.rolledHours.findAll({ attributes: ['created_at'], raw: true });
    const hours = rows.map(({ created_at }) => created_at);
    expect(hours).toEqual(expect.arrayContaining([thisHour - 2 * hour, thisHour - 3 * hour]));
    expect(hours).not.toContain(thisHour - hour);
  });

  it('tell of the same calls by whatever they are asked for, where a range ends within an hour or with one', async () => {
    await add(someIn(400, 30));
    const sums = (rows: UsageSum[] = []) =>
      rows.reduce((total, { calls, tokens, quota, prompt_tokens: prompt, completion_tokens: completion }) => {
        const all = [calls, tokens, quota, (prompt ?? 0) + (completion ?? 0)];
        return all.map((value, at) => value + (total[at] ?? 0));
      }, Array<number>(4).fill(0));
    for (const isRolled of [false, true]) {
      if (isRolled) await rollUp();
      const [whole, cut, shut] = await Promise.all(
        [-1, -1800, 0].map((end) => reports({ start: thisHour - 20 * hour, end: thisHour - 5 * hour + end })),
      );
      for (const asked of [whole, cut, shut]) {
        for (const by of usageSubjects) expect(sums(asked?.[by]), by).toEqual(sums(whole?.model));
        expect(sums(asked?.model)[1]).toBe(sums(asked?.model)[3]);
      }
    }
  });

  it('keep reports as they were when the rows of the log are cleared', async () => {
    await add(someIn(300, 20));
    await rollUp();
    const [before, own] = [await reports(), await reports({ username: 'bob' })];
    await clearLog();
    expect(await reports()).toEqual(before);
    const { channel: _, ...kept } = own;
    expect(await reports({ username: 'bob' })).toMatchObject(kept);
  });

  it('are rolled up before their rows are cleared by hand', async () => {
    await add(someCalls(50, { from: thisHour - 3 * hour, until: thisHour - hour }));
    const before = await reports();
    expect(before.model?.some(({ cached_tokens }) => (cached_tokens ?? 0) > 0)).toBe(true);
    await services.logs.clear(systemActor, { target_timestamp: thisHour - hour, dry_run: false });
    expect(await services.database.logs.count({ where: { type: 2 } })).toBe(0);
    expect(await reports()).toEqual(before);
  });

  it('are rolled up before their rows are archived, or deleted because they are old', async () => {
    await add(someCalls(50, { from: thisHour - 80 * hour, until: thisHour - 50 * hour }));
    const before = await reports();
    const { database, audit } = services;
    const folder = mkdtempSync(join(tmpdir(), 'archive-'));
    const wish = { folder, before: thisHour - 60 * hour - 1000, keep: false };
    expect(await archiveLogs(systemActor, { database, audit }, wish)).not.toMatchObject({ deleted: 0 });
    rmSync(folder, { recursive: true });
    expect(await reports()).toEqual(before);
    expect(await services.logs.retain(2, forever)).toBeGreaterThan(0);
    expect(await database.logs.count({ where: { type: 2 } })).toBe(0);
    expect(await reports()).toEqual(before);
  });

  it('tell of what was cleared while they are not over', async () => {
    const [early, late] = [0, 1000].map((from, salt) =>
      someCalls(30, { from: thisHour + from, until: thisHour + from + 900 }, salt + 1),
    );
    if (!early || !late) throw new Error('no calls');
    time = thisHour + 1950;
    const read = async () => {
      const { channel: _, ...own } = await reports({ username: 'alice' });
      return [await reports(), own];
    };
    await add([...early, ...late]);
    const whole = await read();
    await services.database.usageData.destroy({ where: {} });
    await services.database.logs.destroy({ where: {} });
    await add(early);
    await createLogService({ ...services, reports: primaryReports(services.database), now: () => time }).clear(
      systemActor,
      { target_timestamp: thisHour + 950, dry_run: false },
    );
    await add(late);
    expect(await read()).toEqual(whole);
  });

  it('keep what was cleared in the middle of them, once they are over', async () => {
    const [early, late, last] = [0, 1000, 2000].map((from, salt) =>
      someCalls(30, { from: thisHour + from, until: thisHour + from + 900 }, salt + 1),
    );
    if (!early || !late || !last) throw new Error('no calls');
    const clear = (target_timestamp: number) =>
      createLogService({ ...services, reports: primaryReports(services.database), now: () => time }).clear(
        systemActor,
        { target_timestamp, dry_run: false },
      );
    await add(early);
    time = thisHour + 950;
    await clear(thisHour + 700);
    await add(late);
    time = thisHour + 1950;
    await clear(thisHour + 1900);
    await add(last);
    time = thisHour + 2 * hour;
    await rollUp();
    const after = await reports();
    await services.database.usageData.destroy({ where: {} });
    await services.database.rolledHours.destroy({ where: {} });
    await services.database.logs.destroy({ where: {} });
    await add([...early, ...late, ...last]);
    expect(after).toEqual(await reports());
    expect(await rollUp()).toMatchObject({ left: 0 });
    expect(after).toEqual(await reports());
  });

  it('are rolled up with calls in them before the many that are empty, so that clearing loses nothing', async () => {
    const ago = [90, 60, 45].map((days) => thisHour - days * 24 * hour);
    for (const from of ago) await add(someCalls(10, { from, until: from + hour }));
    const asked = { start: thisHour - 95 * 24 * hour };
    const before = await reports(asked);
    for (const _ of ago) expect(await rollUp(0)).toMatchObject({ hours: 1 });
    await clearLog();
    expect(await reports(asked)).toEqual(before);
  });

  it('count a call of the running hour and a late one at once, and the late one is rolled up next', async () => {
    await add(someIn(50, 10));
    await rollUp();
    const before = (await promptTokens()) ?? 0;
    const [call] = someIn(1, 1);
    if (!call) throw new Error('no call');
    const [late, running] = [
      { ...call, at: thisHour - 4 * hour + 5, prompt: 1000 },
      { ...call, at: thisHour + 5, prompt: 20_000 },
    ];
    await add([late, running]);
    expect(await promptTokens()).toBe(before + 21_000);
    expect(await rollUp()).toEqual({ hours: 1, left: 0 });
    expect(await promptTokens()).toBe(before + 21_000);
    await clearLog();
    expect(await promptTokens()).toBe(before + 21_000);
  });

  it('lose nothing when a late call comes after the rows of its hour were cleared', async () => {
    await add(someIn(60, 3));
    await rollUp();
    const before = (await promptTokens()) ?? 0;
    const [call] = someIn(1, 1);
    if (!call) throw new Error('no call');
    await clearLog();
    await add([{ ...call, at: thisHour - hour + 5, prompt: 1000 }]);
    expect(await rollUp()).toEqual({ hours: 1, left: 0 });
    expect(await promptTokens()).toBe(before + 1000);
    // One that left no row cannot be counted; the others still are.
    await add([{ ...call, at: thisHour - hour + 6, prompt: 5000 }], { only: 'sums' });
    await rollUp();
    expect(await promptTokens()).toBe(before + 1000);
    expect(await rollUp()).toEqual({ hours: 0, left: 0 });
    await add([{ ...call, at: thisHour - hour + 7, prompt: 30_000 }]);
    await rollUp();
    expect(await promptTokens()).toBe(before + 31_000);
  });

  it('are read row by row where the hourly sums were off, and not tried again and again', async () => {
    await add(someIn(30, 6));
    await add(someCalls(5, { from: thisHour - 3 * hour, until: thisHour - 2 * hour }, 3), { only: 'rows' });
    const before = await reports();
    expect(await rollUp()).toMatchObject({ left: 0 });
    expect(await rollUp()).toEqual({ hours: 0, left: 0 });
    expect(await reports()).toEqual(before);
    await services.database.logs.destroy({ where: { channel_id: 1 } });
    const calls = (rows: UsageSum[] | undefined) => rows?.reduce((total, row) => total + row.calls, 0) ?? 0;
    const after = calls((await reports({ start: thisHour - 3 * hour, end: thisHour - 2 * hour - 1 })).channel);
    expect(after).toBe(
      await services.database.logs.count({
        where: { type: 2, created_at: Array.from({ length: hour }, (_, at) => thisHour - 3 * hour + at) },
      }),
    );
  });

  it('are done a little at a time, the newest first, and the next run goes on', async () => {
    await add(someCalls(40, { from: thisHour - 4 * hour, until: thisHour }));
    for (const left of [3, 2, 1, 0]) {
      expect(await rollUp(0)).toEqual({ hours: 1, left });
      const [oldest] = await services.database.select<{ at: number }>('SELECT min(created_at) AS at FROM rolled_hours');
      expect(oldest?.at).toBe(thisHour - (4 - left) * hour);
    }
    expect(await rollUp(0)).toEqual({ hours: 0, left: 0 });
  });

  it('wait for some minutes after the end of an hour', async () => {
    await add(someCalls(5, { from: thisHour - hour, until: thisHour }));
    time = thisHour + 299;
    expect(await rollUp()).toEqual({ hours: 0, left: 0 });
    time = thisHour + 300;
    expect(await rollUp()).toEqual({ hours: 1, left: 0 });
  });

  it('go with the hourly sums when their time is over', async () => {
    const day = 86_400;
    const old = hourOf(services.now() - 800 * day);
    await add(someCalls(10, { from: old, until: old + hour }));
    time = old + 2 * hour;
    await rollUp();
    await add(someCalls(10, { from: thisHour - hour, until: thisHour }));
    time = thisHour + 1800;
    await rollUp(0);
    const { database, options, now } = services;
    const oldest = async () => {
      const tables = ['rolled_hours', 'usage_parts', 'channel_hours'];
      const rows = await database.select<{ at: number }>(
        tables.map((table) => `SELECT min(created_at) AS at FROM ${table}`).join(' UNION ALL '),
      );
      return rows.map(({ at }) => at);
    };
    expect(await oldest()).toEqual([old, old, old]);
    await createRetention({ database, options, now })(forever);
    for (const at of await oldest()) expect(at).toBeGreaterThan(old);
  });

  it('give the same sums of a channel as the rows', async () => {
    await add(someIn(100, 24));
    // So many that they are not added up one by one.
    const numbers = `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 64000)`;
    await services.database.sequelize.query(
      `INSERT INTO logs (request_id, created_at, type, user_id, model_name, channel_id, quota, prompt_tokens)
        ${numbers} SELECT 'many-' || n, ${thisHour - 5 * hour} + n % 7200, 2, 1, 'm', 2, n % 7, n % 11 FROM numbers`,
    );
    await services.database.sequelize.query(
      `INSERT INTO usage_data (user_id, model_name, created_at, count, quota)
        SELECT 1, 'm', created_at - created_at % 3600, count(*), sum(quota) FROM logs WHERE model_name = 'm'
        GROUP BY created_at - created_at % 3600`,
    );
    const read = () =>
      Promise.all(
        [
          [0, 0],
          [thisHour - 20 * hour + 5, thisHour - 2 * hour + 9],
          [thisHour - 5 * hour, 0],
        ].map(([start = 0, end = 0]) => channelSum(2, start, end)),
      );
    const before = await read();
    await rollUp();
    expect(await read()).toEqual(before);
    // What the rows would no longer tell.
    await services.database.logs.destroy({ where: { request_id: ['many-7', 'many-6'] } });
    expect(await read()).toEqual(before);
    // Of calls that were cleared, the log says nothing any more.
    await services.logs.clear(systemActor, { target_timestamp: thisHour - 4 * hour, dry_run: false });
    const left = await services.database.logs.findAll({ where: { channel_id: 2, type: 2 }, raw: true });
    const quota = left.reduce((total, row) => total + row.quota, 0);
    expect(await channelSum(2, 0, 0)).toMatchObject({ quota });
  });

  it('count a task that failed later as a call whose quota went back', async () => {
    const { database, ledger } = services;
    const user = await database.users.findOne({ where: { username: 'alice' }, raw: true });
    const call = { userId: user?.id ?? 0, tokenId: 0, channelId: await addChannel(services.bed) };
    const from = thisHour - hour;
    for (const id of ['kept', 'failed']) {
      await ledger.hold({ id, ...call, amount: 0 });
      const { log, ...rest } = settlementOf({ id, ...call, actual: 100 });
      await ledger.settle({
        ...rest,
        log: log && { ...log, created_at: from + 10 },
        task: { ...songJob, task_id: id },
      });
    }
    const [task] = await database.tasks.findAll({ where: { request_id: 'failed' }, raw: true });
    expect(await failTask(database, { id: task?.id ?? 0, reason: 'moderation', at: from + 60 })).toBe(true);
    const before = await reports();
    for (const by of ['model', 'user', 'channel']) {
      expect(before[by]).toMatchObject([{ calls: 2, quota: 100, prompt_tokens: 20 }]);
    }
    // Those of the user are read from rows, and of a part of the hour too.
    const own = { username: 'alice', start: from, end: from + 30 };
    expect((await reports(own)).channel).toMatchObject([{ calls: 2, quota: 100 }]);
    // However a sum of the log is put together: of whole hours and of a part of one, by what hours know and by what they do not.
    const sums = async () => {
      const filters = [{ username: 'alice' }, { channel: call.channelId }, { token_name: 'token' }, {}];
      const times = [{}, { start_timestamp: from }, { start_timestamp: from + 5, end_timestamp: from + 20 }];
      const all = filters.flatMap((filter) => times.map((range) => logListSchema.parse({ ...filter, ...range })));
      return (await Promise.all(all.map((filter) => services.logs.stat(systemActor, filter)))).map(
        ({ quota }) => quota,
      );
    };
    expect(await sums()).toEqual(Array.from({ length: 12 }, () => 100));
    await rollUp();
    expect(await reports()).toEqual(before);
    expect(await sums()).toEqual(Array.from({ length: 12 }, () => 100));
    await clearLog();
    expect(await reports()).toEqual(before);
    expect((await reports(own)).channel).toEqual([]);
  });

  it('are read row by row again once rows of another installation are added to them', async () => {
    const { database } = services;
    await add(someIn(20, 3));
    await rollUp();
    const row = {
      created_at: thisHour - 2 * hour + 1,
      type: 2,
      channel_id: 9,
      model_name: 'old',
      quota: 7,
      prompt_tokens: 5,
    };
    const source = {
      kind: 'new-api',
      async *rows() {
        yield [{ id: 1, ...row }];
      },
    } as unknown as TakeoverSource;
    const ids = { users: new Map(), tokens: new Map(), channels: new Map([[9, 9]]) } as LogTaking['ids'];
    await takeLogs({ source, database, ids, now: time, signal: undefined });
    expect((await reports()).channel).toContainEqual(expect.objectContaining({ id: 9, calls: 1, prompt_tokens: 5 }));
    await rollUp();
    expect((await reports()).channel).toContainEqual(expect.objectContaining({ id: 9, calls: 1, prompt_tokens: 5 }));
  });
});

describe('hours of a log in a database of its own', () => {
  it('wait for the rows that are still on their way there', async () => {
    const bed = await createLogStoreBed(['sqlite', 'sqlite']);
    try {
      await bed.takeIntoUse();
      const now = hourOf(Date.now() / 1000) + 1800;
      const from = hourOf(now) - hour;
      const calls = someCalls(10, { from, until: from + hour });
      await addCalls(bed.database, calls);
      const rollUp = createRollUp({ database: bed.database, now: () => now });
      expect(await rollUp(forever)).toEqual({ hours: 0, left: 1 });
      await bed.moveAll();
      expect(await rollUp(forever)).toEqual({ hours: 1, left: 0 });
      await (await bed.logs()).logs.destroy({ where: {} });
      const { read } = createUsageReportService({ reports: primaryReports(bed.database) });
      const input = { by: 'channel' as const, username: '', split: true, start_timestamp: from, end_timestamp: now };
      const quota = (await read(systemActor, input)).reduce((total, row) => total + row.quota, 0);
      expect(quota).toBe(calls.reduce((total, call) => total + call.quota, 0));
    } finally {
      await bed.remove();
    }
  });
});
