import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LogRow } from '../../../../core/database/models/log.ts';
import { type Actor, role, systemActor } from '../../../../core/schemas/actor.ts';
import { type LogFilter, logListSchema, logStatSchema } from '../../../../core/schemas/log.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

/** The same numbers in every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const userIds = [101, 102, 103];
const pick = <T>(random: (below: number) => number, values: T[]): T => values[random(values.length)] as T;

function makeRows(newest: number): Partial<LogRow>[] {
  const random = createRandom(7);
  return Array.from({ length: 3000 }, () => ({
    type: random(20) === 0 ? pick(random, [1, 3, 4]) : 2,
    // Four days; several rows in one second, and no order between time and id.
    created_at: newest - random(200) * 1700 - random(3),
    user_id: pick(random, userIds),
    username: 'somebody',
    token_name: pick(random, ['a', 'b', 'c']),
    model_name: pick(random, ['gpt-4', 'gpt-4o', 'gpt_4', 'claude', 'o1%']),
    channel_id: 1 + random(4),
    group: pick(random, ['default', 'vip']),
    quota: random(1000),
    prompt_tokens: random(50),
    completion_tokens: random(50),
    use_time: random(60),
    content: random(5) === 0 ? 'broken' : '',
  }));
}

const patternOf = (text: string) =>
  new RegExp(
    `^${text
      .split('%')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  );

/** The filter again, in plain words. */
function fits(row: LogRow, filter: Partial<LogFilter>): boolean {
  const { start_timestamp, end_timestamp, model_name, cut, min_seconds = 0, min_quota = 0, ...rest } = filter;
  const columns: Partial<Record<keyof LogFilter, keyof LogRow>> = { channel: 'channel_id' };
  return (
    (!start_timestamp || row.created_at >= start_timestamp) &&
    (!end_timestamp || row.created_at <= end_timestamp) &&
    (!cut || (row.type === 2 && row.content !== '')) &&
    row.use_time >= min_seconds &&
    (!min_quota || (row.type === 2 && row.quota >= min_quota)) &&
    (!model_name || patternOf(model_name).test(row.model_name)) &&
    (Object.entries(rest) as [keyof LogFilter, unknown][]).every(
      ([name, value]) => !value || row[columns[name] ?? (name as keyof LogRow)] === value,
    )
  );
}

describe.each(engines)('log lists on %s', (engine) => {
  let services: TestServices;
  let rows: LogRow[];
  let newest: number;

  beforeAll(async () => {
    services = await createTestServices(engine);
    newest = Math.floor(services.now() / 3600) * 3600 + 1799;
    await services.database.logs.bulkCreate(makeRows(newest));
    rows = (await services.database.logs.findAll({ raw: true })).sort(
      (a, b) => b.created_at - a.created_at || b.id - a.id,
    );
    await services.database.sequelize.query(`INSERT INTO usage_data
      (user_id, model_name, created_at, username, token_used, count, quota)
      SELECT user_id, model_name, created_at - created_at % 3600, max(username),
        sum(prompt_tokens + completion_tokens), count(*), sum(quota)
      FROM logs WHERE type = 2 GROUP BY user_id, model_name, created_at - created_at % 3600`);
  });
  afterAll(() => services.remove());

  function someFilters(): { actor: Actor; filter: Partial<LogFilter> }[] {
    const random = createRandom(engine.length);
    const maybe = <T>(value: T) => (random(3) === 0 ? value : undefined);
    return Array.from({ length: 120 }, () => {
      const start = newest - random(200) * 1700;
      const isAdmin = random(3) > 0;
      const own = { id: pick(random, userIds), name: 'somebody', role: role.user, address: '' };
      const filter = {
        type: maybe(1 + random(4)),
        user_id: isAdmin ? maybe(pick(random, userIds)) : undefined,
        token_name: maybe(pick(random, ['a', 'b', 'none'])),
        model_name: maybe(pick(random, ['gpt-4', 'gpt-4%', '%4', '%', 'o1%', 'none%', 'claude'])),
        channel: isAdmin ? maybe(1 + random(6)) : undefined,
        group: maybe(pick(random, ['vip', 'default'])),
        cut: random(6) === 0 ? true : undefined,
        min_seconds: random(6) === 0 ? random(60) : undefined,
        min_quota: random(6) === 0 ? random(1000) : undefined,
        start_timestamp: maybe(start),
        end_timestamp: maybe(start + random(200_000)),
      };
      const used = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
      return { actor: isAdmin ? systemActor : own, filter: used };
    });
  }

  it('have exactly the rows that were asked for, whichever filters come together', async () => {
    for (const { actor, filter } of someFilters()) {
      const right = rows.filter((row) => fits(row, filter) && (actor.role >= role.admin || row.user_id === actor.id));
      const page = await services.logs.list(actor, logListSchema.parse({ ...filter, page: 2, page_size: 7 }));
      const described = JSON.stringify({ filter, user: actor.id });
      expect(
        page.items.map(({ id }) => id),
        described,
      ).toEqual(right.slice(7, 14).map(({ id }) => id));
      expect(page, described).toMatchObject({ total: right.length, total_capped: false });
    }
  });

  it('M14 sums equal the rows of the range to the unit, whole hours from the hourly sums and the rest row by row', async () => {
    for (const { actor, filter } of someFilters()) {
      const sum = rows
        .filter((row) => row.type === 2 && fits(row, { ...filter, type: 0 }))
        .filter((row) => actor.role >= role.admin || row.user_id === actor.id)
        .reduce((total, { quota }) => total + quota, 0);
      const { quota } = await services.logs.stat(actor, logStatSchema.parse(filter));
      expect(quota, JSON.stringify({ filter, user: actor.id })).toBe(sum);
    }
  });

  it('sums read hourly sums where those are complete, and rows before that', async () => {
    const { database } = services;
    const all = () => services.logs.stat(systemActor, logStatSchema.parse({}));
    const { quota } = await all();
    await database.sequelize.query('UPDATE usage_data SET quota = quota + 1');
    expect((await all()).quota).toBeGreaterThan(quota);
    const mark = Math.floor(newest / 3600) * 3600 + 3600;
    await database.sequelize.query(`INSERT INTO ledger_marks (name, at) VALUES ('hourly', ${mark})`);
    expect((await all()).quota).toBe(quota);
    await database.sequelize.query('DELETE FROM ledger_marks');
    await database.sequelize.query('UPDATE usage_data SET quota = quota - 1');
  });

  it('go on from a row without counting, over rows of the same second and over a row that is gone', async () => {
    const seen: number[] = [];
    let before_id: number | undefined;
    for (;;) {
      const { items } = await services.logs.list(systemActor, logListSchema.parse({ before_id, page_size: 100 }));
      seen.push(...items.map(({ id }) => id));
      before_id = items.at(-1)?.id;
      if (before_id === undefined) break;
    }
    expect(seen).toEqual(rows.map(({ id }) => id));
    const [gone] = rows.splice(50, 1);
    await services.database.logs.destroy({ where: { id: gone?.id } });
    const { items } = await services.logs.list(systemActor, logListSchema.parse({ before_id: gone?.id, page_size: 1 }));
    expect(items).toHaveLength(1);
  });

  it('find rows by type or by the beginning of their content', async () => {
    const { database, logs } = services;
    const content = ['50% off', '5 coins', 'Zoe', 'zoe', '变更额度', '2nd'];
    await database.logs.bulkCreate(
      content.map((text) => ({ type: 3, created_at: newest + 9, user_id: 101, content: text })),
    );
    const found = async (keyword: string) => (await logs.search(systemActor, keyword)).map((log) => log.content);
    expect(await found('5')).toEqual(['5 coins', '50% off']);
    expect(await found('5%')).toEqual([]);
    expect(await found('50%')).toEqual(['50% off']);
    expect(await found('_')).toEqual([]);
    expect(await found('Z')).toEqual(['Zoe']);
    expect(await found('变更')).toEqual(['变更额度']);
    expect((await found('2')).filter((text) => text !== '' && text !== 'broken')).toEqual(['2nd']);
    expect(await logs.search(systemActor, '')).toHaveLength(100);
    const own: Actor = { id: 101, name: '', role: role.user, address: '' };
    expect((await logs.searchOwn(own, '1')).every((log) => log.type === 1 && log.user_id === 101)).toBe(true);
    expect(await logs.searchOwn(own, 'Zoe')).toEqual([]);
  });
});
