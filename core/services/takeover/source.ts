import { existsSync } from 'node:fs';
import '../../database/postgres-types.ts';
import { openPostgresClient } from '../../database/postgres-client.ts';
import { asDamage, openSqlite } from '../../database/sqlite-connection.ts';
import { AppError } from '../../errors/app-error.ts';

export type SourceRow = Record<string, unknown>;

/** The database of a one-api or new-api installation, read as it stood when it was opened. */
export interface TakeoverSource {
  kind: 'one-api' | 'new-api';
  /** Empty for a table that does not exist. */
  columnsOf(table: string): ReadonlySet<string>;
  count(table: string): Promise<number>;
  /** In order of their ids, a page at a time. */
  rows(table: string): AsyncGenerator<SourceRow[]>;
  /** A table without ids, whole. */
  all(table: string): Promise<SourceRow[]>;
  close(): Promise<void>;
}

interface Reader {
  columns(): Promise<{ table: string; name: string }[]>;
  query(sql: string, after?: number): Promise<SourceRow[]>;
  close(): Promise<void>;
}

const pageSize = 1000;

/** `place` is a file of SQLite or the address of a PostgreSQL database. */
export async function openSource(place: string): Promise<TakeoverSource> {
  if (isMysql(place)) throw new AppError('takeover.mysql');
  const reader = /^postgres(ql)?:/.test(place) ? await readPostgres(place) : await readSqlite(place);
  try {
    const columns = new Map<string, Set<string>>();
    for (const { table, name } of await reader.columns()) {
      columns.set(table, (columns.get(table) ?? new Set()).add(name));
    }
    return createSource(reader, columns, place);
  } catch (error) {
    await reader.close();
    throw asDamage(error, place) ?? error;
  }
}

function createSource(
  reader: Reader,
  columns: ReadonlyMap<string, ReadonlySet<string>>,
  place: string,
): TakeoverSource {
  const columnsOf = (table: string) => columns.get(table) ?? new Set<string>();
  if (columns.has('quota_entries')) throw new AppError('takeover.ownFormat');
  const isFamily = ['users', 'tokens', 'channels', 'options'].every((table) => columns.has(table));
  if (!isFamily) throw new AppError('takeover.foreign', { place: shownPlace(place) });
  const isNewApi = columns.has('midjourneys') || columnsOf('channels').has('tag');
  const orEmpty = <T>(table: string, work: () => Promise<T>, empty: T) => (columns.has(table) ? work() : empty);

  async function* rows(table: string): AsyncGenerator<SourceRow[]> {
    if (!columns.has(table)) return;
    for (let after = 0; ; ) {
      const page = await reader.query(`SELECT * FROM ${table} WHERE id > $1 ORDER BY id LIMIT ${pageSize}`, after);
      if (page.length > 0) yield page;
      if (page.length < pageSize) return;
      after = Number(page.at(-1)?.id);
    }
  }

  return {
    kind: isNewApi ? 'new-api' : 'one-api',
    columnsOf,
    count: (table) =>
      Promise.resolve(
        orEmpty(table, async () => Number((await reader.query(`SELECT count(*) AS n FROM ${table}`))[0]?.n), 0),
      ),
    rows,
    all: (table) => Promise.resolve(orEmpty(table, () => reader.query(`SELECT * FROM ${table}`), [])),
    close: reader.close,
  };
}

async function readSqlite(file: string): Promise<Reader> {
  if (!existsSync(file)) throw new AppError('cli.fileUnreadable', { path: file, reason: 'ENOENT' });
  const connection = await openSqlite(file, { readOnly: true });
  await connection.exec('BEGIN');
  return {
    columns: () =>
      connection.all(`SELECT tables.name AS "table", columns.name AS name
        FROM sqlite_schema tables, pragma_table_info(tables.name) columns WHERE tables.type = 'table'`),
    query: (sql, after) => connection.all(sql.replace('$1', '?'), after === undefined ? [] : [after]),
    close: () => connection.close(),
  };
}

async function readPostgres(url: string): Promise<Reader> {
  const client = await openPostgresClient(url, 10_000);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  return {
    columns: async () =>
      (
        await client.query(`SELECT table_name AS table, column_name AS name FROM information_schema.columns
          WHERE table_schema = current_schema()`)
      ).rows,
    query: async (sql, after) => (await client.query(sql, after === undefined ? [] : [after])).rows,
    close: () => client.end(),
  };
}

const isMysql = (place: string) => /^mysql:|@tcp\(|@unix\(/.test(place);

/** Without what opens it. */
function shownPlace(place: string): string {
  return /^postgres(ql)?:/.test(place) && URL.canParse(place) ? `PostgreSQL ${new URL(place).host}` : place;
}
