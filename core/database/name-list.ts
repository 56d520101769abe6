import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import type { Config } from '../config.ts';
import { driverUrl, sessionUrl } from './postgres-client.ts';
import { openSqlite } from './sqlite-connection.ts';

export type NameKind = 'channel' | 'token' | 'user' | 'redemption' | 'tag' | 'model' | 'group' | 'task' | 'drawing';

const maxNames = 200;

/** `$1` is how the name begins. Each reads only as far as its limit, because a Tab key waits for the result. */
const queries: Record<NameKind, string> = {
  channel: named('name', 'channels'),
  token: named('name', 'tokens', 'deleted_at IS NULL'),
  user: named('username', 'users', 'deleted_at IS NULL'),
  redemption: named('name', 'redemptions', 'deleted_at IS NULL'),
  tag: named('tag', 'channels'),
  model: named('model', 'abilities'),
  group: named('"group"', 'abilities'),
  task: newestTasks("platform <> 'mj'"),
  drawing: newestTasks("platform = 'mj'"),
};

function named(column: string, table: string, condition = 'TRUE'): string {
  return `SELECT DISTINCT ${column} AS name FROM ${table} WHERE ${condition} AND ${column} <> ''
    AND substr(${column}, 1, length(CAST($1 AS TEXT))) = CAST($1 AS TEXT) LIMIT ${maxNames}`;
}

/** Of millions of rows only the newest are worth a completion. */
function newestTasks(condition: string): string {
  return `SELECT DISTINCT name FROM
    (SELECT task_id AS name FROM tasks WHERE ${condition} AND task_id <> '' ORDER BY id DESC LIMIT ${maxNames}) AS newest
    WHERE substr(name, 1, length(CAST($1 AS TEXT))) = CAST($1 AS TEXT)`;
}

export interface NameQuestion {
  kind: NameKind;
  prefix: string;
  limitMs: number;
}

/**
 * Names that an installation contains, read past everything that would create, migrate or change it: a shell asks for them while
 * a user types. Nothing is found where there is no installation.
 */
export async function readNames(
  database: Config['database'],
  { kind, prefix, limitMs }: NameQuestion,
): Promise<string[]> {
  return namesOf(await readRows<{ name: string }>(database, { sql: queries[kind], parameters: [prefix], limitMs }));
}

/** The stored text of an option; undefined where it has its default. */
export async function readOptionText(
  database: Config['database'],
  { key, limitMs }: { key: string; limitMs: number },
): Promise<string | undefined> {
  const sql = 'SELECT value AS name FROM options WHERE key = $1';
  return namesOf(await readRows<{ name: string }>(database, { sql, parameters: [key], limitMs }))[0];
}

interface Question {
  sql: string;
  parameters: string[];
  limitMs: number;
}

async function readRows<T extends object>(database: Config['database'], question: Question): Promise<T[]> {
  return database.engine === 'sqlite'
    ? fromSqlite(database.file, question)
    : fromPostgres(sessionUrl(database), question);
}

async function fromSqlite<T extends object>(file: string, { sql, parameters, limitMs }: Question): Promise<T[]> {
  if (!existsSync(file)) return [];
  const connection = await openSqlite(readableName(file), { readOnly: true, busyTimeoutMs: limitMs });
  try {
    return await connection.all<T>(sql, parameters);
  } finally {
    await connection.close();
  }
}

/** A reader beside a server shares its files; one that is alone would make them, and they could belong to the wrong person. */
function readableName(file: string): string {
  return existsSync(`${file}-wal`) ? file : `${pathToFileURL(file)}?immutable=1`;
}

async function fromPostgres<T extends object>(url: string, { sql, parameters, limitMs }: Question): Promise<T[]> {
  const client = new pg.Client({
    connectionString: driverUrl(url),
    connectionTimeoutMillis: limitMs,
    statement_timeout: limitMs,
    query_timeout: limitMs,
    application_name: 'tollgate',
  });
  // A link that breaks is told by the query that fails.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<T>(sql, parameters)).rows;
  } finally {
    await client.end();
  }
}

const namesOf = (rows: { name: string }[]) => rows.map(({ name }) => name).sort();
