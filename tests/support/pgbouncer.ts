import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from './postgres.ts';
import { until } from './redis.ts';

export interface Pooler {
  /** Of the one database, through the pooler. */
  url: string;
  /** A command for its console, such as KILL. */
  command(sql: string): Promise<pg.QueryResult>;
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface PoolerOptions {
  mode: 'transaction' | 'session';
  /** To PostgreSQL, for all clients together. */
  connections?: number;
  /** Lines of the section [pgbouncer] and words of the database's line. */
  settings?: Record<string, string>;
  database?: string;
}

/** PgBouncer in front of one database. */
export async function startPgbouncer(target: string, options: PoolerOptions): Promise<Pooler> {
  const { mode, connections = 4, settings = {}, database = '' } = options;
  const to = new URL(target);
  const name = to.pathname.slice(1);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-pgbouncer-'));
  // It refuses to run as root.
  chmodSync(folder, 0o755);
  const file = join(folder, 'pgbouncer.ini');
  const lines = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'any',
    admin_users: 'tollgate',
    pool_mode: mode,
    default_pool_size: String(connections),
    max_client_conn: '500',
    // After a connection it could not make it would refuse all for 15 seconds.
    server_login_retry: '1',
    ...settings,
  };
  writeFileSync(
    file,
    [
      '[databases]',
      `${name} = host=127.0.0.1 port=${to.port} dbname=${name} user=${to.username} ${database}`,
      '[pgbouncer]',
      ...Object.entries(lines).map(([key, value]) => `${key} = ${value}`),
      '',
    ].join('\n'),
  );
  const url = `postgres://tollgate@127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  let ended: Promise<void> = Promise.resolve();

  async function ask(path: string, sql: string): Promise<pg.QueryResult> {
    const client = new pg.Client({ connectionString: `${url}/${path}` });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await client.query(sql);
    } finally {
      await client.end();
    }
  }

  async function start(): Promise<void> {
    const words = process.getuid?.() === 0 ? ['-u', 'postgres', file] : [file];
    let said = '';
    const started = spawn('pgbouncer', words, { stdio: ['ignore', 'ignore', 'pipe'] });
    child = started;
    started.stderr.on('data', (bytes: Buffer) => {
      said += bytes.toString();
    });
    ended = new Promise((resolve) => started.once('exit', () => resolve()));
    await until('PgBouncer passes queries on', async () => {
      if (started.exitCode !== null) throw new Error(`pgbouncer ended: ${said}`);
      return ask(name, 'SELECT 1').then(
        () => true,
        () => false,
      );
    });
  }

  async function kill(): Promise<void> {
    child?.kill('SIGKILL');
    await ended;
  }

  await start();
  return {
    url: `${url}/${name}`,
    command: (sql) => ask('pgbouncer', sql),
    kill,
    start,
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
