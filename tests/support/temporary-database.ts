import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Config } from '../../core/config.ts';
import { connect, type Database } from '../../core/database/connect.ts';
import { migrate } from '../../core/database/migrate.ts';
import { migrations } from '../../migrations/index.ts';
import { type PostgresCluster, startPostgres } from './postgres.ts';

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

/** One cluster for all databases a test process has open: starting one takes a second or two. */
let cluster: Promise<PostgresCluster> | undefined;
let databasesOnCluster = 0;

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
      if (engine === 'postgres') await releaseCluster();
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
  databasesOnCluster++;
  cluster ??= startPostgres();
  const { url } = await cluster;
  const name = `test_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const own = new URL(url);
  own.pathname = `/${name}`;
  return own.href;
}

/** The test runner ends its processes without an exit event, so the last database takes the cluster with it. */
async function releaseCluster(): Promise<void> {
  databasesOnCluster--;
  if (databasesOnCluster > 0) return;
  const unused = await cluster;
  cluster = undefined;
  unused?.remove();
}
