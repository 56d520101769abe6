import { accessSync, chmodSync, constants, statSync } from 'node:fs';
import sqlite3 from 'sqlite3';
import { asDamage } from './sqlite-damage.ts';

export type SqlValue = string | number | bigint | null | Buffer;
export type SqlRow = Record<string, unknown>;

/** One sqlite3 connection with promises. A prepared statement is kept per SQL text, because preparing costs more than running. */
export interface SqliteConnection {
  exec(sql: string): Promise<void>;
  run(sql: string, parameters?: SqlValue[]): Promise<void>;
  all<T = SqlRow>(sql: string, parameters?: SqlValue[]): Promise<T[]>;
  close(): Promise<void>;
}

export interface SqliteOptions {
  readOnly?: boolean;
  busyTimeoutMs?: number;
}

export async function openSqlite(file: string, options: SqliteOptions = {}): Promise<SqliteConnection> {
  const mode = options.readOnly
    ? sqlite3.OPEN_READONLY | sqlite3.OPEN_URI
    : sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE;
  /** SQLite's errors do not say which file. */
  const named = (error: Error) => Object.assign(error, { path: file });
  const database = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened: sqlite3.Database = new sqlite3.Database(file, mode, (error) =>
      error ? reject(named(error)) : resolve(opened),
    );
  });
  // '' = a temporary database of its own.
  if (!options.readOnly && file !== ':memory:' && file !== '') claim(file);
  const statements = new Map<string, sqlite3.Statement>();

  const exec = (sql: string) =>
    new Promise<void>((resolve, reject) => database.exec(sql, (error) => (error ? reject(named(error)) : resolve())));

  function prepared(sql: string): Promise<sqlite3.Statement> | sqlite3.Statement {
    const known = statements.get(sql);
    if (known) return known;
    return new Promise((resolve, reject) => {
      const statement: sqlite3.Statement = database.prepare(sql, (error: Error | null) => {
        if (error) return reject(named(error));
        statements.set(sql, statement);
        resolve(statement);
      });
    });
  }

  async function all<T = SqlRow>(sql: string, parameters: SqlValue[] = []): Promise<T[]> {
    const statement = await prepared(sql);
    return new Promise<T[]>((resolve, reject) =>
      statement.all(parameters, (error: Error | null, rows: unknown[]) => {
        if (!error) return resolve(rows as T[]);
        // A statement that met a lock stays where it stands, and counts as a writer under way: until it is reset, no statement
        // beside it is committed when it ends, and its reset would undo them all.
        statement.reset(() => reject(named(error)));
      }),
    );
  }

  const connection: SqliteConnection = {
    exec,
    all,
    async run(sql, parameters) {
      await all(sql, parameters);
    },
    async close() {
      for (const statement of statements.values())
        await new Promise<void>((resolve) => statement.finalize(() => resolve()));
      statements.clear();
      await new Promise<void>((resolve, reject) => database.close((error) => (error ? reject(error) : resolve())));
    },
  };
  const settings = exec(
    `PRAGMA busy_timeout = ${options.busyTimeoutMs ?? 5000}; PRAGMA foreign_keys = ON;${
      options.readOnly
        ? ' PRAGMA query_only = ON;'
        : ' PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 67108864;'
    }`,
  );
  await settings.catch(async (error: unknown) => {
    await connection.close();
    throw asDamage(error, file) ?? error;
  });
  return connection;
}

/** Fails when the file cannot be written, which SQLite would say only at the first write. */
function claim(file: string): void {
  accessSync(file, constants.W_OK);
  const { mode } = statSync(file);
  // Balances and encrypted keys are inside: no other user of the machine needs to read them.
  if (mode & 0o077) chmodSync(file, mode & 0o700);
}
