import { expect } from 'vitest';
import { connect, type Database } from '../../core/database/connect.ts';
import { migrate } from '../../core/database/migrate.ts';
import { migrations } from '../../migrations/index.ts';
import { type FakeUpstream, startFakeUpstream } from './fake-upstream.ts';
import {
  type Ending,
  type GatewayProcess,
  runBinary,
  type StartOrder,
  startGatewayProcess,
} from './gateway-process.ts';
import { freePort } from './postgres.ts';
import { type CliRun, runCli } from './run-cli.ts';
import { createMigratedTarget, type Engine, type TemporaryTarget } from './temporary-database.ts';

export interface Installation {
  engine: Engine;
  target: TemporaryTarget['target'];
  directory: string;
  environment: Record<string, string>;
  upstream: FakeUpstream;
  /** The test's own look at the database, past every fault. */
  database: Database;
  /** Of root, without a limit of its own. */
  key: string;
  /** The same for every server that is started here. */
  url: string;
  start(order?: Partial<StartOrder>): Promise<GatewayProcess>;
  /** A command on the same data, run in this process: to a server it is another program anyway, and it saves a start. */
  cli(...words: string[]): Promise<CliRun>;
  /** The build itself, to its end. */
  program(...words: string[]): Promise<Ending>;
  count(from: string): Promise<number>;
  /** On PostgreSQL an owner is dead after a minute without a sign; here that minute is over at once. */
  forgetTheDead(): Promise<void>;
  /** `ledger verify` says that the books agree, and nothing is held. */
  expectCleanBooks(): Promise<void>;
  remove(): Promise<void>;
}

export interface InstallationOptions {
  environment?: Record<string, string>;
  /** In place of a database of its own. */
  place?: TemporaryTarget;
  /** How the servers and commands reach the database, when that is not the test's way. */
  through?: string;
}

/** A data directory, a database with its schema, a fake upstream and its channel: what servers of the build are started on. */
export async function createInstallation(engine: Engine, options: InstallationOptions = {}): Promise<Installation> {
  const place = options.place ?? (await createMigratedTarget(engine));
  const { target, directory } = place;
  const upstream = await startFakeUpstream();
  await migrate(target, migrations);
  const database = await connect(target);
  const port = await freePort();
  const key = 'sk-0123456789abcdefABCDEF';
  const environment: Record<string, string> = {
    TOLLGATE_HOME: directory,
    PORT: String(port),
    LOG_LEVEL: 'warn',
    LOG_FORMAT: 'json',
    LANG: 'C',
    // Two cores run tests, databases and servers at once: being late says nothing here.
    LOOP_DELAY_LIMIT: '0',
    TOLLGATE_ROOT_PASSWORD: 'correct horse battery',
    INITIAL_ROOT_TOKEN: key,
    INITIAL_CHANNEL: JSON.stringify({ type: 1, key: 'upstream-key', models: 'gpt-4o-mini', base_url: upstream.url }),
    ...(target.engine === 'postgres' ? { SQL_DSN: options.through ?? target.url } : {}),
    ...options.environment,
  };
  const started: GatewayProcess[] = [];

  async function count(from: string): Promise<number> {
    const [row] = await database.select<{ count: number }>(`SELECT count(*) AS count FROM ${from}`);
    return Number(row?.count);
  }

  const installation: Installation = {
    engine,
    target,
    directory,
    environment,
    upstream,
    database,
    key,
    count,
    url: `http://127.0.0.1:${port}`,
    async start(order = {}) {
      const process = await startGatewayProcess({ ...order, environment: { ...environment, ...order.environment } });
      started.push(process);
      return process;
    },
    cli: (...words) => runCli(words, { env: environment }),
    program: (...words) => runBinary({ words, environment }),
    async forgetTheDead() {
      if (engine === 'postgres') await database.sequelize.query('UPDATE ledger_owners SET seen_at = seen_at - 100');
    },
    async expectCleanBooks() {
      const { code, stdout, stderr } = await installation.cli('ledger', 'verify', '--json');
      expect({ code, stderr, report: JSON.parse(stdout) as unknown }).toMatchObject({
        code: 0,
        report: { ok: true, differences: [] },
      });
      expect(await count('quota_holds WHERE state = 0')).toBe(0);
    },
    async remove() {
      for (const process of started) process.signal('SIGKILL');
      await Promise.all(started.map(({ ended }) => ended));
      await upstream.close();
      await database.close();
      await place.remove();
    },
  };
  return installation;
}
