import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createApp } from '../../../core/app.ts';
import { loadConfig } from '../../../core/config.ts';
import { createGateway } from '../../../core/gateway.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { logListSchema } from '../../../core/schemas/log.ts';
import type { EnginePair } from '../../support/log-store.ts';
import { enginePairs } from '../../support/log-store.ts';
import { type PostgresCluster, startPostgres } from '../../support/postgres.ts';
import { runCli } from '../../support/run-cli.ts';
import { sharedCounter } from '../../support/shared-counter.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { createTemporaryTarget } from '../../support/temporary-database.ts';

describe('a database for the log alone', () => {
  const leave: (() => Promise<unknown> | unknown)[] = [];
  afterEach(async () => {
    for (const step of leave.splice(0).reverse()) await step();
  });

  async function logDsn(engine: EnginePair[1]): Promise<string> {
    if (engine === 'sqlite') return 'sqlite:logs.db';
    const { target, remove } = await createTemporaryTarget('postgres');
    leave.push(remove);
    return target.engine === 'postgres' ? target.url : '';
  }

  async function start([main, logs]: EnginePair, dsn?: string): Promise<TestGateway> {
    const gateway = await startGateway(main, { LOG_SQL_DSN: dsn ?? (await logDsn(logs)), METRICS_TOKEN: 'm' });
    leave.push(gateway.stop);
    await untilUsed(gateway);
    return gateway;
  }

  /** Another node on the same databases. */
  async function startNode({ environment }: TestGateway, extra: Record<string, string> = {}) {
    const settings = Object.fromEntries(
      Object.entries({ ...environment, ...extra }).filter(([, value]) => value !== ''),
    );
    const app = await createApp(loadConfig({}, settings));
    const gateway = await createGateway(app, { criticalCalls: 1_000_000, counter: sharedCounter });
    const port = await gateway.listen('127.0.0.1', 0);
    const stop = async () => {
      await gateway.drain(0);
      await gateway.close();
      await app.close();
    };
    return { app, url: `http://127.0.0.1:${port}`, stop };
  }

  const phaseOf = async ({ app }: Pick<TestGateway, 'app'>) =>
    (await app.database.select<{ phase: string }>('SELECT phase FROM log_store'))[0]?.phase;

  async function until(isSo: () => Promise<boolean>): Promise<void> {
    while (!(await isSo())) await pause(100);
  }

  /** Taken into use, and past the seconds in which rows stay. */
  async function untilUsed(gateway: TestGateway): Promise<void> {
    await until(async () => (await phaseOf(gateway)) === 'used');
    await gateway.app.database.sequelize.query('UPDATE log_store SET changed_at = changed_at - 60');
  }

  const waiting = ({ app }: Pick<TestGateway, 'app'>) => app.database.logs.count();
  const untilMoved = (gateway: Pick<TestGateway, 'app'>) => until(async () => (await waiting(gateway)) === 0);

  async function callMany(gateway: TestGateway, count: number, atOnce = 8): Promise<string[]> {
    const ids: string[] = [];
    for (let at = 0; at < count; at += atOnce) {
      const responses = await Promise.all(Array.from({ length: Math.min(atOnce, count - at) }, () => gateway.chat()));
      for (const response of responses) {
        expect(response.status).toBe(200);
        ids.push(response.headers.get('x-request-id') ?? '');
        await response.text();
      }
    }
    return ids;
  }

  const listed = async ({ app }: Pick<TestGateway, 'app'>) => {
    const { items, total } = await app.services.logs.list(
      systemActor,
      logListSchema.parse({ type: 2, page_size: 100 }),
    );
    return { ids: items.map(({ request_id }) => request_id).sort(), total };
  };

  it.each(enginePairs)('lists what was called, once, with all sums right: %s and %s', async (...pair) => {
    const gateway = await start(pair);
    const ids = await callMany(gateway, 60);
    // The receipt is there at once, wherever the row is.
    expect(await gateway.app.services.logs.get(systemActor, ids.at(-1) ?? '')).toMatchObject({ type: 2 });
    await gateway.verifyBooks();
    await untilMoved(gateway);
    expect(await listed(gateway)).toEqual({ ids: [...ids].sort(), total: 60 });
    const { services } = gateway.app;
    const { quota } = (await gateway.app.database.usageData.findOne({ raw: true })) ?? { quota: 0 };
    const narrow = logListSchema.parse({ token_name: 'test' });
    expect((await services.logs.stat(systemActor, narrow)).quota).toBe(quota);
    let csv = '';
    for await (const piece of services.logs.exportCsv(systemActor, { type: 2 }, { language: 'en', moneyOf: String }))
      csv += piece;
    expect(ids.filter((id) => csv.includes(id))).toEqual(ids);
    const now = Math.floor(Date.now() / 1000);
    const range = { start_timestamp: now - 3600, end_timestamp: now + 60, username: '' };
    const [channel] = await services.usageReport.readShared(systemActor, { ...range, by: 'channel' });
    expect(channel).toMatchObject({ name: 'fake', calls: 60, quota });
    const overview = await services.overview.readChannel(systemActor, channel?.id ?? 0, {
      days: 1,
      unit: 'hour',
      utc_offset: 0,
    } as never);
    expect(overview.current).toMatchObject({ requests: 60, quota, users: 1 });
    expect(await services.search.find(systemActor, { q: ids[0] ?? '', kind: 'request' })).toHaveLength(1);
    await gateway.verifyBooks();
    const verified = await runCli('ledger verify --json', { env: gateway.environment });
    expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true, withoutLogs: false });
  });

  it('can be away: calls are served and billed, lists say so, and the rows come when it is back', async () => {
    const cluster: PostgresCluster = await startPostgres();
    leave.push(() => cluster.remove());
    const gateway = await start(['sqlite', 'postgres'], cluster.url);
    const before = await callMany(gateway, 10);
    await untilMoved(gateway);
    let isLoaded = true;
    const during: string[] = [];
    const load = (async () => {
      while (isLoaded) during.push(...(await callMany(gateway, 4, 4)));
    })();
    cluster.stop('immediate');
    await until(async () => during.length > 40);
    await expect(listed(gateway)).rejects.toMatchObject({ code: 'logStore.away' });
    const { url } = gateway;
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const metrics = async () => (await fetch(`${url}/metrics`, { headers: { authorization: 'Bearer m' } })).text();
    await until(async () => (await metrics()).includes('tollgate_log_database_up 0'));
    expect(Number(/^tollgate_log_rows_waiting (\d+)/m.exec(await metrics())?.[1])).toBeGreaterThan(20);
    const { stdout } = await runCli('doctor --json', { env: gateway.environment });
    expect(stdout).toContain('"check":"logDatabase","status":"warn"');
    await cluster.start();
    isLoaded = false;
    await load;
    await untilMoved(gateway);
    expect((await listed(gateway)).total).toBe(before.length + during.length);
    await until(async () => (await metrics()).includes('tollgate_log_database_up 1'));
    await gateway.verifyBooks();
  });

  it('is filled beside the calls when there are rows already, and turning it off is noticed', async () => {
    const gateway = await startGateway('sqlite');
    leave.push(gateway.stop);
    const ids = await callMany(gateway, 12);
    const env = { ...gateway.environment, LOG_SQL_DSN: 'sqlite:logs.db' };
    const node = await startNode(gateway, { LOG_SQL_DSN: 'sqlite:logs.db' });
    await until(async () => (await phaseOf(node)) === 'used');
    expect(await listed(node)).toEqual({ ids: [...ids].sort(), total: 12 });
    await untilMoved(node);
    ids.push(...(await callMany(gateway, 3)));
    await untilMoved(node);
    expect(await listed(node)).toEqual({ ids: [...ids].sort(), total: 15 });
    // The first node was never told where the rows are: it does not show half of them.
    await pause(5100);
    await expect(listed(gateway)).rejects.toMatchObject({ code: 'logStore.notSet' });
    await expect(startNode(gateway)).rejects.toMatchObject({ code: 'logStore.notSet' });
    const busy = await runCli('log bring-back --yes', { env });
    expect(busy).toMatchObject({ code: 5, stderr: expect.stringContaining('in use') });
    await node.stop();
  });

  it('gives its rows back', async () => {
    const gateway = await start(['sqlite', 'sqlite']);
    const ids = await callMany(gateway, 5);
    await untilMoved(gateway);
    const { directory } = gateway;
    const env: Record<string, string> = { ...gateway.environment };
    await gateway.gateway.drain(0);
    await gateway.gateway.close();
    await gateway.app.close();
    leave.pop();
    leave.push(gateway.upstream.close);
    const back = await runCli('log bring-back --yes', { env });
    expect(back).toMatchObject({ code: 0, stdout: expect.stringContaining('6 log rows are back') });
    const { LOG_SQL_DSN: _, ...without } = env;
    const verified = await runCli('ledger verify --json', { env: without });
    expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true, withoutLogs: false });
    const found = await runCli('log list --json', { env: without });
    expect(ids.filter((id) => found.stdout.includes(id))).toEqual(ids);
    const twice = await runCli('log bring-back --yes', { env });
    expect(twice.stderr).toContain('in the main database already');
    // And can be used again.
    const again = await createApp(loadConfig({}, { ...env, TOLLGATE_HOME: directory }));
    await again.logStore.begin();
    expect(await phaseOf({ app: again })).toBe('filling');
    await again.close();
  });

  it('is moved to by one node at a time, whichever runs', async () => {
    const gateway = await start(['postgres', 'postgres']);
    const node = await startNode(gateway);
    leave.push(node.stop);
    const ids = await callMany(gateway, 40);
    await untilMoved(gateway);
    expect(await listed(node)).toEqual({ ids: [...ids].sort(), total: 40 });
    await gateway.verifyBooks();
  });

  it('must fit: another database than the main one, of this installation, and shared by all machines', async () => {
    const gateway = await start(['sqlite', 'sqlite']);
    const code = async (env: Record<string, string>) =>
      createApp(loadConfig({}, { ...gateway.environment, ...env })).then(
        async (app) =>
          app.logStore
            .open()
            .then(
              () => 'fits',
              (error: { code: string }) => error.code,
            )
            .finally(app.close),
        (error: { code: string }) => error.code,
      );
    const settings = (env: Record<string, string>) => {
      try {
        return loadConfig({}, { ...gateway.environment, ...env }).logDatabase;
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    expect(settings({ LOG_SQL_DSN: 'user:pass@tcp(mysql:3306)/logs' })).toBe('config.logDatabaseKind');
    expect(settings({ LOG_SQL_DSN: 'sqlite:tollgate.db' })).toBe('config.logSameDatabase');
    expect(settings({ SQL_DSN: 'postgres://u@127.0.0.1/x' })).toBe('config.logNeedsPostgres');
    expect(await code({ LOG_SQL_DSN: 'sqlite:other.db' })).toBe('logStore.otherInstallation');
    expect(await code({ SQLITE_PATH: 'logs.db', LOG_SQL_DSN: 'sqlite:third.db' })).toBe('logStore.isLogDatabase');
    const other = await startGateway('sqlite');
    leave.push(other.stop);
    const occupied = join(gateway.directory, 'logs.db');
    const app = await createApp(loadConfig({}, { ...other.environment, LOG_SQL_DSN: `sqlite:${occupied}` }));
    await expect(app.logStore.open()).rejects.toMatchObject({ code: 'logStore.occupied' });
    await app.close();
  });
});
