import { existsSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { PostgresTarget } from '../config/database.ts';
import type { Config } from '../config.ts';
import { AppError } from '../errors/app-error.ts';
import { copyDatabase } from './backup.ts';
import { migrationsTable } from './migrations-table.ts';
import { type MoveMark, movedError, moveMark } from './move-mark.ts';
import { requireSession } from './pooler.ts';
import { openPostgresClient, sessionUrl } from './postgres-client.ts';
import { requireRestored } from './restore-mark.ts';
import { openSqlite, type SqliteConnection } from './sqlite-connection.ts';

export interface MigrationContext {
  engine: 'sqlite' | 'postgres';
  run(sql: string): Promise<void>;
  /** For what SQL alone cannot work out. */
  rows<Row>(sql: string): Promise<Row[]>;
}

export interface Migration {
  name: string;
  up(context: MigrationContext): Promise<void>;
}

/** Another process changes the schema, or one that was killed has left a statement behind that PostgreSQL runs to its end. */
export interface MigrationWait {
  afterMs?: number;
  /** Told once, when it takes long. */
  onWait(): void;
}

const noWait: MigrationWait = { onWait: () => undefined };
const longMs = 5000;

/** From this one on a database knows whether it was moved. */
const marksMigration = '0034-move-marks';

/** A link that runs one migration at a time and knows which ones ran. */
interface MigrationLink extends MigrationContext {
  /** False before the first migration, and in a database that is not ours. */
  hasTable(): Promise<boolean>;
  executed(): Promise<string[]>;
  /** Shuts out writers, or on SQLite all other connections. */
  begin(lets?: 'readers'): Promise<void>;
  commit(name: string): Promise<void>;
  rollback(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Brings the schema up to date and returns the names of the migrations that ran now.
 * Each runs in one transaction together with its record, under a lock, so that two processes that start together are safe.
 * Throws `database.tooNew` when the database knows migrations this binary does not.
 */
export async function migrate(
  database: Config['database'],
  migrations: Migration[],
  wait: MigrationWait = noWait,
): Promise<string[]> {
  const link = await openLink(database, { wait });
  try {
    if (database.engine === 'postgres') {
      await requireRestored(link.rows);
      if (!(await link.hasTable())) await requireUnicode(link);
    }
    await link.run(migrationsTable);
    const known = new Set(migrations.map(({ name }) => name));
    const executed = await link.executed();
    const stranger = executed.find((name) => !known.has(name));
    if (stranger) throw new AppError('database.tooNew', { version: stranger });
    if (executed.length === known.size) return [];
    if (executed.includes(marksMigration)) await requireNotMovedAway(link);
    if (database.engine === 'sqlite') await copyBefore(database.file, link, migrations);
    const pending = migrations.filter(({ name }) => !executed.includes(name));
    for (const migration of pending) await runOne(link, migration);
    return pending.map(({ name }) => name);
  } finally {
    await link.close();
  }
}

function unlessOver(error: Error): void {
  if (!error.message.includes('no transaction is active')) throw error;
}

/** Any other one would refuse the first Chinese name. An installation that has lived with one may go on. */
async function requireUnicode({ rows }: MigrationContext): Promise<void> {
  const [server] = await rows<{ encoding: string }>(`SELECT current_setting('server_encoding') AS encoding`);
  if (server && server.encoding !== 'UTF8') throw new AppError('database.encoding', { encoding: server.encoding });
}

/** The one that is left behind stays as it was: without what came since, it may be gone back to. */
async function requireNotMovedAway({ rows }: MigrationContext): Promise<void> {
  const [mark] = await rows<MoveMark>(`SELECT name, value, at FROM move_marks WHERE name = '${moveMark.movedTo}'`);
  if (mark) throw movedError(mark);
}

/** For callers that may create a new database but not change the schema of an existing one. */
export async function requireSchema(
  database: Config['database'],
  migrations: Migration[],
  wait: MigrationWait = noWait,
): Promise<void> {
  const { executed, pending } = await migrationStatus(database, migrations, wait);
  if (executed.length > 0 && pending.length > 0) throw new AppError('database.schemaOld', { count: pending.length });
  await migrate(database, migrations, wait);
}

/** The names that ran and those that wait, without changing anything. */
export async function migrationStatus(database: Config['database'], migrations: Migration[], wait = noWait) {
  if (database.engine === 'sqlite' && !existsSync(database.file)) {
    return { executed: [], pending: migrations.map(({ name }) => name) };
  }
  const link = await openLink(database, { readOnly: true, wait });
  try {
    const executed = (await link.hasTable()) ? await link.executed() : [];
    return {
      executed,
      pending: migrations.map(({ name }) => name).filter((name) => !executed.includes(name)),
    };
  } finally {
    await link.close();
  }
}

const lockTries = 60;
/** Lock not given in time, deadlock. */
const inTheWay = ['55P03', '40P01'];

/** Where a table stays locked, the migration lets waiting calls through and is tried again. */
async function runOne(link: MigrationLink, migration: Migration): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await tryOne(link, migration);
    } catch (error) {
      if (tries < lockTries && inTheWay.includes(String((error as { code?: unknown }).code))) {
        await pause(500 + Math.random() * 1000);
        continue;
      }
      throw new Error(`The migration ${migration.name} failed: ${(error as Error).message}`, { cause: error });
    }
  }
}

async function tryOne(link: MigrationLink, { name, up }: Migration): Promise<void> {
  await link.begin();
  try {
    // Another process may have run it while this one waited for the lock.
    if (!(await link.executed()).includes(name)) {
      await up(link);
      await link.commit(name);
    } else {
      await link.rollback();
    }
  } catch (error) {
    await link.rollback();
    throw error;
  }
}

async function copyBefore(file: string, link: MigrationLink, migrations: Migration[]): Promise<void> {
  const executed = await link.executed();
  const pending = migrations.some(({ name }) => !executed.includes(name));
  if (!pending || executed.length === 0 || statSync(file).size === 0) return;
  const target = `${file}.before-${executed.at(-1)}`;
  // There are no writers meanwhile, so both hold the same rows, whatever of them lies in the log only.
  await link.begin('readers');
  try {
    await copyDatabase({ engine: 'sqlite', file }, target, {});
    const [rows, copied] = [await rowCounts(file), await rowCounts(target)];
    const table = Object.keys(rows).find((name) => rows[name] !== copied[name]);
    if (table === undefined) return;
    throw new AppError('database.copyIncomplete', { file: target, table, rows: rows[table] ?? 0 });
  } finally {
    await link.rollback();
  }
}

async function rowCounts(file: string): Promise<Record<string, number>> {
  const connection = await openSqlite(file, { readOnly: true });
  try {
    const tables = await connection.all<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    );
    const counts: Record<string, number> = {};
    for (const { name } of tables) counts[name] = await countOf(connection, name);
    return counts;
  } finally {
    await connection.close();
  }
}

async function countOf(connection: SqliteConnection, table: string): Promise<number> {
  const [row] = await connection.all<{ count: number }>(
    `SELECT count(*) AS count FROM "${table.replaceAll('"', '""')}"`,
  );
  return row?.count ?? 0;
}

interface LinkOptions {
  readOnly?: boolean;
  wait?: MigrationWait;
}

async function openLink(
  database: Config['database'],
  { readOnly = false, wait = noWait }: LinkOptions,
): Promise<MigrationLink> {
  return database.engine === 'sqlite' ? openSqliteLink(database.file, readOnly) : openPostgresLink(database, wait);
}

async function openSqliteLink(file: string, readOnly: boolean): Promise<MigrationLink> {
  const connection = await openSqlite(file, { busyTimeoutMs: 30_000, readOnly });
  let open = false;
  return {
    engine: 'sqlite',
    run: (sql) => connection.exec(sql),
    rows: (sql) => connection.all(sql),
    hasTable: async () =>
      (await connection.all("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'")).length > 0,
    executed: async () =>
      (await connection.all<{ name: string }>('SELECT name FROM migrations ORDER BY name')).map(({ name }) => name),
    async begin(lets) {
      await connection.exec(lets === 'readers' ? 'BEGIN IMMEDIATE' : 'BEGIN EXCLUSIVE');
      open = true;
    },
    async commit(name) {
      await connection.run('INSERT INTO migrations (name, ran_at) VALUES (?, unixepoch())', [name]);
      await connection.exec('COMMIT');
      open = false;
    },
    async rollback() {
      // A full disk has done it: SQLite's own error is the one to tell.
      if (open) await connection.exec('ROLLBACK').catch(unlessOver);
      open = false;
    },
    close: () => connection.close(),
  };
}

/** Any fixed number serves, as long as nothing else in the same database uses it. */
const advisoryLock = 7_205_119;

async function openPostgresLink(
  database: PostgresTarget,
  { onWait, afterMs = longMs }: MigrationWait,
): Promise<MigrationLink> {
  const client = await openPostgresClient(sessionUrl(database), 10_000);
  try {
    // Behind a pooler the lock would stay with a connection that others use.
    await requireSession(client, database);
  } catch (error) {
    await client.end();
    throw error;
  }
  const telling = setTimeout(onWait, afterMs);
  await client.query('SELECT pg_advisory_lock($1)', [advisoryLock]).finally(() => clearTimeout(telling));
  let open = false;
  return {
    engine: 'postgres',
    run: async (sql) => void (await client.query(sql)),
    rows: async <Row>(sql: string) => (await client.query(sql)).rows as Row[],
    hasTable: async () => (await client.query("SELECT 1 WHERE to_regclass('migrations') IS NOT NULL")).rows.length > 0,
    executed: async () =>
      (await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY name')).rows.map(({ name }) => name),
    async begin() {
      await client.query('BEGIN');
      open = true;
      // Servers of the former version wait behind a migration that waits, and their calls bear two seconds of that.
      await client.query('SET LOCAL lock_timeout = 1000');
    },
    async commit(name) {
      await client.query('INSERT INTO migrations (name, ran_at) VALUES ($1, extract(epoch FROM now())::bigint)', [
        name,
      ]);
      await client.query('COMMIT');
      open = false;
    },
    async rollback() {
      if (open) await client.query('ROLLBACK');
      open = false;
    },
    // Ends the session and with it the advisory lock.
    close: () => client.end(),
  };
}
