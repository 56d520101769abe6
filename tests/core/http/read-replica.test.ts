import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../../core/app.ts';
import { loadConfig } from '../../../core/config.ts';
import { type ConsoleClient, createConsoleClient } from '../../support/console-client.ts';
import { type PostgresCluster, startPostgres } from '../../support/postgres.ts';
import { runCli } from '../../support/run-cli.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';

let primary: PostgresCluster;
let replica: PostgresCluster;
let gateway: TestGateway;
let root: ConsoleClient;
let environment: Record<string, string>;

async function ask<Row extends pg.QueryResultRow>({ url }: PostgresCluster, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Row>(sql);
  await client.end();
  return rows;
}

const inDatabase = ({ url }: PostgresCluster) => url.replace(/postgres$/, 'gateway');

/** Nothing that is written reaches it from now on. */
const hold = () => ask(replica, 'SELECT pg_wal_replay_pause()');
const release = () => ask(replica, 'SELECT pg_wal_replay_resume()');

async function until(what: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await what())) await wait(50);
}
const fault = () => gateway.app.reports.state()?.fault;
const logIds = async () => {
  const { items }: { items: { id: number }[] } = await root.data(root.get('/api/log/?type=2&page_size=100'));
  return items.map(({ id }) => id);
};
const doctorSays = async () => {
  const { stdout } = await runCli('doctor --json', { env: environment });
  const { items } = JSON.parse(stdout) as { items: { check: string; status: string; message: string }[] };
  return items.find(({ check }) => check === 'replica');
};

beforeAll(async () => {
  primary = await startPostgres();
  await ask(primary, 'CREATE DATABASE gateway');
  replica = await primary.startReplica();
  environment = { SQL_DSN: inDatabase(primary), SQL_READ_DSN: inDatabase(replica), SQL_READ_MAX_LAG: '10' };
  gateway = await startGateway('sqlite', environment);
  environment = gateway.environment;
  root = createConsoleClient(gateway.url);
  await root.signIn('root', 'correct horse battery');
});
afterAll(async () => {
  await gateway?.stop();
  replica?.remove();
  primary?.remove();
});
beforeEach(() => until(() => fault() === undefined));

describe('a read replica', () => {
  it('serves the lists, sums and charts of the log', async () => {
    await gateway.chat();
    await until(async () => (await logIds()).length > 0);
    const { primary: before, replica: served } = gateway.app.reports.counts();
    const paths = [
      '/api/log/',
      '/api/log/stat',
      '/api/log/search?keyword=2',
      '/api/data/',
      '/api/overview',
      '/api/log/self',
    ];
    for (const path of paths) expect([path, (await root.get(path)).status]).toEqual([path, 200]);
    const after = gateway.app.reports.counts();
    expect(after.replica - served).toBeGreaterThanOrEqual(paths.length);
    expect(after.primary).toBe(before);
  });

  it('never tells what a user has, and never hides what was just changed here', async () => {
    await gateway.chat();
    await until(async () => (await logIds()).length > 0);
    // Only what is older than a second is cleared below.
    await wait(1100);
    const before = await logIds();
    const quota = await gateway.quotaOf(gateway.userId);
    await hold();
    await gateway.chat();
    await until(async () => (await gateway.quotaOf(gateway.userId)) < quota);
    // The call is not in the replica: the list shows that it comes from there, the balance that it does not.
    expect(await logIds()).toEqual(before);
    const users: { items: { id: number; quota: number }[] } = await root.data(root.get('/api/user/'));
    expect(users.items.find(({ id }) => id === gateway.userId)?.quota).toBe(await gateway.quotaOf(gateway.userId));

    // A change through the console: from now on its effects are seen, which here only the primary has.
    const cleared = await root.delete(`/api/log/?target_timestamp=${Math.floor(Date.now() / 1000)}`);
    expect(cleared.status).toBe(200);
    const left = await gateway.app.database.logs.findAll({ where: { type: 2 }, order: [['id', 'DESC']], raw: true });
    expect(left.map(({ id }) => id)).not.toEqual(before);
    expect(await logIds()).toEqual(left.map(({ id }) => id));
    await release();
    await until(async () => {
      const { replica: served } = gateway.app.reports.counts();
      await logIds();
      return gateway.app.reports.counts().replica > served;
    });
  });

  it('is left alone while it is too far behind, and used again when it has caught up', async () => {
    expect(await doctorSays()).toMatchObject({ status: 'ok', message: expect.stringContaining('s behind') });
    await hold();
    await gateway.chat();
    await until(() => fault() === 'behind');
    await until(async () => (await gateway.logCount()) === (await logIds()).length);
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(metrics).toMatch(/^tollgate_read_replica_used 0$/m);
    expect(Number(/^tollgate_read_replica_lag_seconds (\S+)$/m.exec(metrics)?.[1])).toBeGreaterThan(10);
    expect(await doctorSays()).toMatchObject({ status: 'warn', message: expect.stringContaining('10 s behind') });
    await release();
    await until(() => fault() === undefined);
    const again = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(again).toMatch(/^tollgate_read_replica_used 1$/m);
    expect(again).toMatch(/^tollgate_report_reads_total\{database="replica"\} [1-9]/m);
  });

  it('that is idle, or whose primary is, is not taken for one that is behind', async () => {
    await wait(4000);
    expect(gateway.app.reports.state()).toMatchObject({ fault: undefined });
    expect(gateway.app.reports.state()?.lagSeconds).toBeLessThan(10);
  });

  it('may go at any moment: no list fails, and it comes back by itself', async () => {
    replica.stop('immediate');
    for (let turn = 0; turn < 5; turn++) expect((await root.get('/api/log/')).status).toBe(200);
    await until(() => fault() === 'unreachable');
    expect(await doctorSays()).toMatchObject({ status: 'warn', message: expect.stringContaining('does not respond') });
    expect((await root.get('/api/overview')).status).toBe(200);
    await replica.start();
    await until(() => fault() === undefined);
  });

  it('is not used where it is no replica, or one of another database', async () => {
    const env = { ...environment, SQL_READ_DSN: inDatabase(primary) };
    const writable = await runCli('doctor --json', { env });
    expect(writable.stdout).toContain('accepts writes');
    const other = await runCli('doctor --json', { env: { ...environment, SQL_READ_DSN: replica.url } });
    expect(other.stdout).toContain('replica of another database');
    const second = await createApp(loadConfig({}, env));
    await second.reports.start();
    expect(second.reports.state()).toMatchObject({ fault: 'notReplica' });
    expect(await second.reports.read(async ({ logs }) => logs.count())).toBe(await gateway.app.database.logs.count());
    await second.close();
  });

  it('needs PostgreSQL, and its password is not shown', async () => {
    const SQL_READ_DSN = 'postgres://reader:planted@127.0.0.1/gateway';
    const shown = await runCli('config show --json', { env: { ...environment, SQL_READ_DSN } });
    expect(shown.stdout).toContain('PostgreSQL 127.0.0.1/gateway');
    expect(shown.stdout).not.toContain('planted');
    const sqlite = await runCli('serve', { env: { TOLLGATE_HOME: gateway.directory, SQL_READ_DSN } });
    expect([sqlite.code, sqlite.stderr]).toEqual([2, expect.stringMatching(/SQLite, which has no replicas/)]);
    const form = await runCli('config check', { env: { ...environment, SQL_READ_DSN: 'mysql://u:planted@h/d' } });
    expect([form.code, form.stdout]).toEqual([2, expect.stringContaining('postgres://user:password@host/database')]);
    expect(form.stdout).not.toContain('planted');
  });
});
