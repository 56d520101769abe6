import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askedUsage, callOnce } from '../support/call-load.ts';
import { runBinary } from '../support/gateway-process.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { type Pooler, startPgbouncer } from '../support/pgbouncer.ts';
import { has } from '../support/proxy-server.ts';
import { runCli } from '../support/run-cli.ts';
import { createMigratedTarget, type TemporaryTarget } from '../support/temporary-database.ts';
import { expectBooks } from './books.ts';
import {
  type ClusterNode,
  createNode,
  isWhole,
  markOf,
  report,
  servesAgain,
  sharedSettings,
  since,
  underLoad,
} from './node.ts';

const limits = "connect_query='SET statement_timeout = 30000; SET lock_timeout = 5000'";

describe.skipIf(!has('pgbouncer'))('two nodes behind a pooler that shares connections between transactions', () => {
  let place: TemporaryTarget;
  let direct: string;
  let pooler: Pooler;
  let installation: Installation;
  let nodes: ClusterNode[];

  beforeAll(async () => {
    place = await createMigratedTarget('postgres');
    direct = place.target.engine === 'postgres' ? place.target.url : '';
    pooler = await startPgbouncer(direct, { mode: 'transaction', database: limits });
    installation = await createInstallation('postgres', {
      place,
      through: pooler.url,
      environment: { ...sharedSettings, SQL_DIRECT_DSN: direct },
    });
    installation.upstream.always(askedUsage(5));
    nodes = await Promise.all(['node0', 'node1'].map((name) => createNode(installation, name)));
    await Promise.all(nodes.map((node) => node.start()));
  });
  afterAll(async () => {
    await installation?.remove();
    await pooler?.stop();
  });

  const nameOf = () => new URL(direct).pathname.slice(1);

  it('serve and book every call over four connections, the ledger with its time limits', async () => {
    await underLoad(nodes, { key: installation.key, clientsPerNode: 8 }, async () => {
      const mark = markOf(nodes);
      await wait(isWhole ? 20_000 : 1000);
      const { good, failed } = since(nodes, mark);
      expect(failed).toEqual([]);
      report('PgBouncer in transaction mode, 16 clients', { calls: good, failed: 0 });
    });
    const { rows } = await pooler.command('SHOW SERVERS');
    expect(rows.filter(({ database }) => database === nameOf()).length).toBeLessThanOrEqual(4);
    await expectBooks(installation, nodes);
  });

  it('D8 hear of changes at once: LISTEN does not go through the pooler', async () => {
    const [first, second] = nodes as [ClusterNode, ClusterNode];
    const status = async ({ url }: ClusterNode) =>
      (await callOnce({ url, key: installation.key }, second.result, false))?.status;
    await installation.cli('channel', 'disable', 'initial');
    const changedAt = performance.now();
    for (const node of [first, second]) await expect.poll(() => status(node), { interval: 10 }).toBe(503);
    report('a change behind a pooler', { 'in force after ms': Math.round(performance.now() - changedAt) });
    await installation.cli('channel', 'enable', 'initial');
    for (const node of [first, second]) await expect.poll(() => status(node), { interval: 10 }).toBe(undefined);
  });

  it('go on when the pooler cuts their connections, and when it is killed', async () => {
    await underLoad(nodes, installation, async () => {
      const mark = markOf(nodes);
      for (let times = 0; times < (isWhole ? 20 : 3); times++) {
        await pooler.command(`KILL ${nameOf()}`);
        await wait(100);
        await pooler.command(`RESUME ${nameOf()}`);
        await Promise.all(nodes.map((node) => servesAgain(node)));
      }
      const cut = since(nodes, mark);
      await pooler.kill();
      await wait(isWhole ? 8000 : 500);
      await pooler.start();
      const againMs = Math.max(...(await Promise.all(nodes.map((node) => servesAgain(node)))));
      const { good, failed } = since(nodes, mark);
      expect(failed.filter(({ status, code }) => status !== 503 || code === '')).toEqual([]);
      report('connections cut by the pooler, then the pooler killed', {
        good,
        'told 503 while cut': cut.failed.length,
        'told 503 in all': failed.length,
        'serve after ms': againMs,
      });
    });
    await expectBooks(installation, nodes);
  });

  it('leave no setting in a shared connection', async () => {
    const shared = await startPgbouncer(direct, { mode: 'transaction', connections: 1 });
    const environment = { ...installation.environment, SQL_DSN: shared.url, ...nodes[0]?.environment, PORT: '0' };
    const server = await installation.start({ environment });
    const result = { seen: [], failed: [], begun: 0 };
    await callOnce({ url: server.url, key: installation.key }, result);
    expect(result.failed).toEqual([]);
    server.signal('SIGTERM');
    await server.ended;
    const client = new pg.Client({ connectionString: shared.url });
    await client.connect();
    const { rows } = await client.query(
      `SELECT name, setting FROM pg_settings WHERE source = 'session' AND name IN
         ('statement_timeout', 'lock_timeout', 'client_min_messages', 'search_path', 'synchronous_commit')
       UNION ALL SELECT 'lock', count(*)::text FROM pg_locks WHERE locktype = 'advisory' HAVING count(*) > 0`,
    );
    await client.end();
    await shared.stop();
    expect(rows).toEqual([]);
    nodes[0]?.result.seen.push(...result.seen);
    if (nodes[0]) nodes[0].result.begun += result.begun;
  });

  it.each(['transaction', 'session'] as const)(
    'do not start without SQL_DIRECT_DSN in %s mode, and say what to set',
    async (mode) => {
      const other = await startPgbouncer(direct, { mode });
      const environment = { ...installation.environment, SQL_DSN: other.url, SQL_DIRECT_DSN: '', LOG_LEVEL: 'silent' };
      const { code, stderr } = await runBinary({ words: ['serve'], environment });
      expect(code).not.toBe(0);
      expect(stderr).toContain('SQL_DSN leads to a connection pooler');
      expect(stderr).toContain('SQL_DIRECT_DSN');
      await other.stop();
    },
  );

  it('are told by doctor when the two addresses are not what they should be', async () => {
    const doctor = async (change: Record<string, string>) => {
      const { stdout } = await runCli(['doctor', '--json'], { env: { ...installation.environment, ...change } });
      const { items } = JSON.parse(stdout) as { items: { check: string; status: string; message: string }[] };
      return items.find(({ check, status }) => check === 'pooler' || (check === 'database' && status === 'fail'));
    };
    expect(await doctor({})).toMatchObject({ check: 'pooler', status: 'ok' });
    expect(await doctor({ SQL_DIRECT_DSN: pooler.url })).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('SQL_DIRECT_DSN leads to a connection pooler'),
    });
    const elsewhere = await createMigratedTarget('postgres');
    const url = elsewhere.target.engine === 'postgres' ? elsewhere.target.url : '';
    expect(await doctor({ SQL_DIRECT_DSN: url })).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('SQL_DSN and SQL_DIRECT_DSN lead to different databases'),
    });
    await elsewhere.remove();
    const bare = await startPgbouncer(direct, { mode: 'transaction' });
    expect(await doctor({ SQL_DSN: bare.url })).toMatchObject({
      check: 'pooler',
      status: 'warn',
      message: expect.stringContaining('connect_query'),
    });
    await bare.stop();
    const { stdout } = await runCli(['config', 'show', '--json'], {
      env: { ...installation.environment, SQL_DIRECT_DSN: 'postgres://someone:secret@127.0.0.1:1/place' },
    });
    expect(stdout).toContain('PostgreSQL 127.0.0.1:1/place');
    expect(stdout).not.toContain('secret');
  });

  it('book all of it once', async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    const { acknowledged } = await expectBooks(installation, nodes);
    report('all faults of the pooler', { acknowledged, lost: 0, doubled: 0 });
  });
});
