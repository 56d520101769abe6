import '../../database/postgres-types.ts';
import type { Config } from '../../config.ts';
import { openPostgresClient, sessionUrl } from '../../database/postgres-client.ts';
import { openSqlite, type SqlValue } from '../../database/sqlite-connection.ts';

export type ColumnFamily = 'flag' | 'whole' | 'real' | 'text';

export interface PortableColumn {
  name: string;
  family: ColumnFamily;
}

/** A table as both engines have it. */
export interface PortableTable {
  name: string;
  /** By name, so that both engines write the same text. */
  columns: PortableColumn[];
  /** The primary key, in its order. */
  key: PortableColumn[];
  /** The highest id that was ever given; undefined for a table without numbers of its own. */
  lastId: number | undefined;
}

export type PortableRow = Record<string, string | number | boolean | null>;

/** The whole content of a database at one moment. */
export interface Snapshot {
  tables(): Promise<PortableTable[]>;
  /** In the order of the key, a page at a time. */
  rows(table: PortableTable): AsyncGenerator<PortableRow[]>;
  close(): Promise<void>;
}

/** A stored response or a task has a text of up to megabytes in each row. */
const pageSizes: Record<string, number> = { stored_responses: 50, tasks: 100, drawings: 100 };
const pageSizeOf = (table: string) => pageSizes[table] ?? 1000;

/**
 * What is not moved: the records of migrations and moves, which each database has of its own; processes and their notes to each
 * other, which stay behind.
 */
const leftTables = ['migrations', 'move_marks', 'changes', 'ledger_owners', 'limit_counts'];

const families: Record<string, ColumnFamily> = {
  text: 'text',
  integer: 'whole',
  bigint: 'whole',
  boolean: 'flag',
  'double precision': 'real',
};

export const quoted = (name: string): string => `"${name}"`;

export function openSnapshot(target: Config['database']): Promise<Snapshot> {
  return target.engine === 'sqlite' ? snapshotSqlite(target.file) : snapshotPostgres(sessionUrl(target));
}

interface FoundColumn {
  table: string;
  name: string;
  type: string;
  /** Its place in the primary key, from 1; 0 = not in it. */
  place: number;
}

export const sqliteColumns = `SELECT tables.name AS "table", columns.name AS name, lower(columns.type) AS type, columns.pk AS place
  FROM sqlite_schema tables, pragma_table_info(tables.name) columns
  WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%'`;

/** A table that is in parts counts as one; its rows are numbered like any other's, although no index says so for all parts. */
const postgresTables = "relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = current_schema()::regnamespace";

export const postgresColumns = `SELECT relname AS table, attname AS name, format_type(atttypid, NULL) AS type,
    coalesce(array_position(indkey::int2[], attnum) + 1, CASE WHEN relkind = 'p' AND attname = 'id' THEN 1 ELSE 0 END) AS place
  FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
  LEFT JOIN pg_index ON indrelid = pg_class.oid AND indisprimary
  WHERE ${postgresTables}`;

export function tablesOf(found: FoundColumn[], lastIds: ReadonlyMap<string, number>): PortableTable[] {
  const names = [...new Set(found.map(({ table }) => table))].filter((name) => !leftTables.includes(name)).sort();
  return names.map((name) => {
    const columns = found.filter(({ table }) => table === name);
    const asColumn = ({ name: column, type }: FoundColumn) => ({ name: column, family: families[type] ?? 'text' });
    const byName = [...columns].sort((a, b) => (a.name < b.name ? -1 : 1));
    const key = columns.filter(({ place }) => Number(place) > 0).sort((a, b) => Number(a.place) - Number(b.place));
    return { name, columns: byName.map(asColumn), key: key.map(asColumn), lastId: lastIds.get(name) };
  });
}

async function snapshotSqlite(file: string): Promise<Snapshot> {
  const connection = await openSqlite(file, { readOnly: true });
  await connection.exec('BEGIN');
  return {
    async tables() {
      const rows = await connection.all<{ name: string; seq: number }>('SELECT name, seq FROM sqlite_sequence');
      const lastIds = new Map(rows.map(({ name, seq }) => [name, seq]));
      const found = await connection.all<FoundColumn>(sqliteColumns);
      // A table that never had a row is not in the list of sequences.
      for (const { table, name, place } of found) {
        if (name === 'id' && place === 1 && (await isNumbered(table))) lastIds.set(table, lastIds.get(table) ?? 0);
      }
      return tablesOf(found, lastIds);
    },
    async *rows({ name, columns, key }) {
      const list = columns.map((column) => quoted(column.name)).join(', ');
      const order = key.map((column) => quoted(column.name)).join(', ');
      const marks = key.map(() => '?').join(', ');
      const pageSize = pageSizeOf(name);
      for (let after: SqlValue[] | undefined; ; ) {
        const where = after === undefined ? '' : `WHERE (${order}) > (${marks}) `;
        const sql = `SELECT ${list} FROM ${quoted(name)} ${where}ORDER BY ${order} LIMIT ${pageSize}`;
        const page = await connection.all<PortableRow>(sql, after);
        const flags = columns.filter(({ family }) => family === 'flag');
        for (const row of page) for (const flag of flags) row[flag.name] = row[flag.name] === 1;
        if (page.length > 0) yield page;
        const last = page.at(-1);
        if (!last || page.length < pageSize) return;
        after = key.map((column) => last[column.name] as SqlValue);
      }
    },
    close: () => connection.close(),
  };

  async function isNumbered(table: string): Promise<boolean> {
    const sql = "SELECT 1 FROM sqlite_schema WHERE name = ? AND sql LIKE '%AUTOINCREMENT%'";
    return (await connection.all(sql, [table])).length > 0;
  }
}

async function snapshotPostgres(url: string): Promise<Snapshot> {
  const client = await openPostgresClient(url, 10_000);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  return {
    async tables() {
      const { rows } = await client.query<{ name: string; last: number | null }>(
        `SELECT relname AS name, pg_sequence_last_value(pg_get_serial_sequence(relname::text, 'id')::regclass) AS last
         FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attname = 'id' AND attidentity <> ''
         WHERE ${postgresTables}`,
      );
      const lastIds = new Map(rows.map(({ name, last }) => [name, last ?? 0]));
      return tablesOf((await client.query<FoundColumn>(postgresColumns)).rows, lastIds);
    },
    async *rows({ name, columns, key }) {
      const list = columns.map((column) => quoted(column.name)).join(', ');
      const pageSize = pageSizeOf(name);
      // By bytes, as SQLite sorts.
      const order = key.map((column) => quoted(column.name) + (column.family === 'text' ? ' COLLATE "C"' : ''));
      await client.query(
        `DECLARE moved NO SCROLL CURSOR FOR SELECT ${list} FROM ${quoted(name)} ORDER BY ${order.join(', ')}`,
      );
      for (;;) {
        const { rows } = await client.query<PortableRow>(`FETCH ${pageSize} FROM moved`);
        if (rows.length > 0) yield rows;
        if (rows.length < pageSize) break;
      }
      await client.query('CLOSE moved');
    },
    close: () => client.end(),
  };
}
