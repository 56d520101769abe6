import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Config } from '../../core/config.ts';
import { connect, type Database } from '../../core/database/connect.ts';
import { migrate } from '../../core/database/migrate.ts';
import { migrations } from '../../migrations/index.ts';
import { sharedPostgres } from './shared-postgres.ts';

export type Engine = Database['engine'];
export const engines: Engine[] = ['sqlite', 'postgres'];

export interface TemporaryDatabase {
  database: Database;
  /** For code that opens a connection of its own. */
  target: Config['database'];
  /** A folder of its own, also for spool and master key. */
  directory: string;
  remove(): Promise<void>;
}

export interface TemporaryTarget {
  target: Config['database'];
  directory: string;
  /** Call when nothing uses the database any more. */
  remove(): Promise<void>;
}

/** A place for a database, still without a schema, and a folder of its own. */
export async function createTemporaryTarget(engine: Engine): Promise<TemporaryTarget> {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
  const target: Config['database'] =
    engine === 'sqlite' ? { engine, file: join(directory, 'tollgate.db') } : { engine, url: await createPostgres() };
  return {
    target,
    directory,
    async remove() {
      if (target.engine === 'postgres') await dropPostgres(target.url);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** An empty database with the whole schema. */
export async function createTemporaryDatabase(engine: Engine): Promise<TemporaryDatabase> {
  const { target, directory, remove } = await createTemporaryTarget(engine);
  await migrate(target, migrations);
  const database = await connect(target);
  return {
    database,
    target,
    directory,
    async remove() {
      await database.close();
      await remove();
    },
  };
}

async function createPostgres(): Promise<string> {
  const url = new URL(await sharedPostgres());
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onCluster(url.href, `CREATE DATABASE ${name}`);
  url.pathname = `/${name}`;
  return url.href;
}

/** A test that failed may have left connections; its database goes anyway. */
async function dropPostgres(address: string): Promise<void> {
  const url = new URL(address);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  await onCluster(url.href, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

async function onCluster(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}
