import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  const directory = createDirectory();
  if (engine === 'sqlite') return temporary({ engine, file: fileIn(directory) }, directory);
  return temporary({ engine, url: await createPostgres() }, directory);
}

/** The same with the whole schema: a copy of what the migrations made once in this process. */
export async function createMigratedTarget(engine: Engine): Promise<TemporaryTarget> {
  const directory = createDirectory();
  if (engine === 'sqlite') {
    writeFileSync(fileIn(directory), await sqliteTemplate(), { mode: 0o600 });
    return temporary({ engine, file: fileIn(directory) }, directory);
  }
  return temporary({ engine, url: await createPostgres(await postgresTemplate()) }, directory);
}

const createDirectory = () => mkdtempSync(join(tmpdir(), 'tollgate-test-'));
const fileIn = (directory: string) => join(directory, 'tollgate.db');

function temporary(target: Config['database'], directory: string): TemporaryTarget {
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
  const { target, directory, remove } = await createMigratedTarget(engine);
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

/** The file of a migrated database that nothing was written to. */
const sqliteTemplate = madeOnce(async () => {
  const { target, directory, remove } = await createTemporaryTarget('sqlite');
  await migrate(target, migrations);
  const bytes = readFileSync(fileIn(directory));
  await remove();
  return bytes;
});

/** The name of a migrated database in the cluster of the run, which ends with it. */
const postgresTemplate = madeOnce(async () => {
  const url = await createPostgres();
  await migrate({ engine: 'postgres', url }, migrations);
  return new URL(url).pathname.slice(1);
});

/** What failed is made again for the next test: one late connection must not fail all tests of the process. */
function madeOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** An empty database, or a copy of another one that has no connection meanwhile. */
async function createPostgres(template = 'template1'): Promise<string> {
  const url = new URL(await sharedPostgres());
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onCluster(url.href, `CREATE DATABASE ${name} TEMPLATE ${template}`);
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
