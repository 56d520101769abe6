import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../core/database/connect.ts';
import { type Actor, role, systemActor } from '../../../../core/schemas/actor.ts';
import { logListSchema, logStatSchema } from '../../../../core/schemas/log.ts';
import { createLogService, type LogService } from '../../../../core/services/log/log.ts';
import { rareChannel, rareGroup, rareModel, rareUser, seedLogs } from '../../../bench/list-seed.ts';
import { primaryReports } from '../../../support/primary-reports.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

const rowCount = 60_000;
const heavy: Actor = { id: 1, name: 'root', role: role.user, address: '' };

describe.each(engines)('reading a long log on %s', (engine) => {
  let services: TestServices;
  let logs: LogService;
  let queries: { sql: string; replacements: Record<string, unknown> }[];
  let until: number;

  beforeAll(async () => {
    services = await createTestServices(engine);
    await services.createUser('root');
    until = services.now();
    const { sequelize } = services.database;
    const run = async (sql: string) => void (await sequelize.query(sql));
    const rows = async <Row>(sql: string) => (await sequelize.query(sql))[0] as Row[];
    await seedLogs({ engine, run, rows }, { rows: rowCount, until });
    const watched: Database = {
      ...services.database,
      select(sql, replacements = {}, transaction) {
        queries.push({ sql, replacements });
        return services.database.select(sql, replacements, transaction);
      },
      logHome: async () => watched,
    };
    logs = createLogService({
      database: watched,
      reports: primaryReports(watched),
      secretBox: services.secretBox,
      audit: services.audit,
    });
  });
  afterAll(() => services.remove());

  /** How the database carries out what a call of the service asks it. */
  async function plansOf(call: () => Promise<unknown>): Promise<string> {
    queries = [];
    await call();
    const plans: string[] = [];
    for (const { sql, replacements } of queries.filter(({ sql }) => / logs\b/.test(sql))) {
      const explain = engine === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
      const steps = await services.database.select<Record<string, string>>(`${explain} ${sql}`, replacements);
      plans.push(steps.map((step) => step.detail ?? step['QUERY PLAN']).join('\n'));
    }
    return plans.join('\n');
  }

  const list = (values: object, actor: Actor = systemActor) =>
    plansOf(() => logs.list(actor, logListSchema.parse({ page_size: 100, ...values })));

  // A month without rows costs nothing to go through.
  const wholeLog = engine === 'sqlite' ? /SCAN logs$/m : /Seq Scan on logs.*\(cost=0\.00\.\.(?!0\.00 )/;

  it('D6 never goes through the whole log', async () => {
    const day = { start_timestamp: until - 86_400, end_timestamp: until };
    const month = { start_timestamp: until - 80 * 86_400, end_timestamp: until - 50 * 86_400 };
    const plans = [
      await list({}),
      await list({ page: 50 }),
      await list(day),
      await list(month),
      await list({ type: 2 }),
      await list({ type: 4, ...month }),
      await list({ username: 'root', ...month, page: 20 }),
      await list({ token_name: 'token-7', ...day }),
      await list({ model_name: 'model-1%' }),
      await list({ group: 'vip', channel: 3 }),
      await list({ before_id: 30_000 }),
      await list({ after_id: 30_000 }),
      await list({ type: 2 }, heavy),
      await plansOf(() => logs.search(systemActor, '4')),
      await plansOf(() => logs.search(systemActor, 'Note 12')),
      await plansOf(() => logs.searchOwn(heavy, '2')),
      await plansOf(() => logs.stat(systemActor, logStatSchema.parse(day))),
      await plansOf(() => logs.stat(systemActor, logStatSchema.parse({ ...day, channel: 7 }))),
    ];
    expect(plans.filter((plan) => wholeLog.test(plan))).toEqual([]);
  });

  it.each([
    ['user_id', { user_id: rareUser }],
    ['channel_id', { channel: rareChannel }],
    ['model_name', { model_name: rareModel }],
    ['group', { group: rareGroup }],
    ['token_name', { token_name: 'rare-token' }],
    ['model_name', { model_name: 'rare%' }],
    // The rare value leads, whatever it is asked together with.
    ['model_name', { user_id: 1, group: 'default', model_name: rareModel }],
    ['channel_id', { user_id: 1, channel: rareChannel }],
  ])('D6 finds the rows of a rare value through the index on %s', async (column, filter) => {
    const plan = await list(filter);
    expect(plan).not.toMatch(wholeLog);
    expect(plan).toMatch(new RegExp(`logs_(before_|\\d{4}_\\d{2}_)?${column}`));
    const page = await logs.list(systemActor, logListSchema.parse({ ...filter, page_size: 100 }));
    expect(page.total_capped).toBe(false);
  });

  it('counts up to ten thousand rows, leads on to the page behind, and says where pages end', async () => {
    const read = (values: object) => logs.list(systemActor, logListSchema.parse({ page_size: 100, ...values }));
    expect(await read({})).toMatchObject({ total: 10_000, total_capped: true });
    expect((await read({ page: 100 })).items).toHaveLength(100);
    await expect(read({ page: 101 })).rejects.toMatchObject({ code: 'log.pageTooDeep' });
    const last = (await read({ page: 100 })).items.at(-1);
    const next = await read({ before_id: last?.id });
    expect(next.items).toHaveLength(100);
    expect(next.items[0]?.created_at).toBeLessThanOrEqual(last?.created_at ?? 0);
    // One token of three thousand in the heavy user's thirty thousand rows: what the count saw ends before the list does.
    const page = await read({ user_id: 1, group: 'vip', page: 3 });
    expect(page.total).toBeGreaterThan(300);
  });

  it('returns the whole sum of a range, however long', async () => {
    const [right] = await services.database.select<{ quota: number }>(
      'SELECT CAST(sum(quota) AS BIGINT) AS quota FROM logs WHERE type = 2',
    );
    expect(await logs.stat(systemActor, logStatSchema.parse({}))).toMatchObject({ quota: right?.quota });
  });

  it('exports every row once, a thousand at a time', async () => {
    let lines = 0;
    for await (const piece of logs.exportCsv(systemActor, { user_id: 1 }, { language: 'en', moneyOf: String }))
      lines += piece.split('\r\n').length - 1;
    const count = await services.database.logs.count({ where: { user_id: 1 } });
    expect(lines).toBe(count + 1);
  });

  it('retention deletes what is old in small batches, keeps the books, and stops when told', async () => {
    const stop = new AbortController();
    stop.abort();
    expect(await services.logs.retain(30, stop.signal)).toBe(0);
    const old = await services.logs.clear(systemActor, {
      target_timestamp: services.now() - 85 * 86_400,
      dry_run: true,
    });
    const oldQuota = await services.database.select<{ quota: number }>(
      'SELECT CAST(sum(quota) AS BIGINT) AS quota FROM logs WHERE type = 2 AND user_id = 1 AND created_at < :before',
      { before: services.now() - 85 * 86_400 },
    );
    const deleted = await services.logs.retain(85, new AbortController().signal);
    expect(deleted).toBe(old);
    expect(deleted).toBeGreaterThan(1000);
    const [kept] = await services.database.select<{ quota: number }>(
      "SELECT quota FROM unlogged_sums WHERE subject = 'user' AND subject_id = 1",
    );
    expect(kept).toEqual(oldQuota[0]);
    const [trace] = await services.database.audits.findAll({ where: { action: 'log.retained' }, raw: true });
    expect(JSON.parse(trace?.after ?? '')).toMatchObject({ deleted, days: 85 });
  });
});
