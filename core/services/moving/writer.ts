import type { Config } from '../../config.ts';
import { openPostgresClient, sessionUrl } from '../../database/postgres-client.ts';
import { openSqlite, type SqliteConnection, type SqlValue } from '../../database/sqlite-connection.ts';
import { type PortableRow, type PortableTable, postgresColumns, quoted, sqliteColumns, tablesOf } from './table.ts';

/** Fills the tables of a database in one transaction, or in several with `turn`. */
export interface TableWriter {
  tables(): Promise<PortableTable[]>;
  count(table: string): Promise<number>;
  clear(table: string): Promise<void>;
  insert(table: PortableTable, rows: PortableRow[]): Promise<void>;
  /** No id up to this one is given again. */
  skipIds(table: string, last: number): Promise<void>;
  /** What is noted about a move, by name. */
  marks(): Promise<ReadonlyMap<string, string>>;
  /** The first one of a name stays, unless it is to be replaced. */
  mark(name: string, value: string, replace: boolean): Promise<void>;
  /** Commits, and goes on in a new transaction. */
  turn(): Promise<void>;
  commit(): Promise<void>;
  /** Takes everything back that was not committed. */
  close(): Promise<void>;
}

export interface WriterOptions {
  /** Only the last commit waits for the disk; a machine that crashes loses the newest turns, each of them whole. */
  isRelaxed?: boolean;
}

export function openWriter(
  target: Config['database'],
  { isRelaxed = false }: WriterOptions = {},
): Promise<TableWriter> {
  return target.engine === 'sqlite' ? writeSqlite(target.file) : writePostgres(sessionUrl(target), isRelaxed);
}

const readMarks = 'SELECT name, value FROM move_marks';
const asMap = (rows: { name: string; value: string }[]) => new Map(rows.map(({ name, value }) => [name, value]));
const markConflict = (replace: boolean) =>
  `ON CONFLICT (name) DO ${replace ? 'UPDATE SET value = excluded.value, at = excluded.at' : 'NOTHING'}`;

/** Values of one statement; SQLite allows 32,766. */
const maxValues = 10_000;

async function writeSqlite(file: string): Promise<TableWriter> {
  const connection = await openSqlite(file, { busyTimeoutMs: 30_000 });
  await connection.exec('BEGIN IMMEDIATE');
  return {
    tables: async () => tablesOf(await connection.all(sqliteColumns), new Map()),
    count: (table) => countSqlite(connection, table),
    clear: (table) => connection.exec(`DELETE FROM ${quoted(table)}`),
    async insert({ name, columns }, rows) {
      const tuple = `(${columns.map(() => '?').join(', ')})`;
      const head = `INSERT INTO ${quoted(name)} (${columns.map((column) => quoted(column.name)).join(', ')}) VALUES `;
      const size = Math.floor(maxValues / columns.length);
      for (let at = 0; at < rows.length; at += size) {
        const part = rows.slice(at, at + size);
        const values = part.flatMap((row) => columns.map((column) => asSqlite(row[column.name])));
        await connection.run(head + part.map(() => tuple).join(', '), values);
      }
    },
    async skipIds(table, last) {
      await connection.run('DELETE FROM sqlite_sequence WHERE name = ?', [table]);
      await connection.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', [table, last]);
    },
    marks: async () => asMap(await connection.all(readMarks)),
    mark: (name, value, replace) =>
      connection.run(`INSERT INTO move_marks VALUES (?, ?, unixepoch()) ${markConflict(replace)}`, [name, value]),
    turn: () => connection.exec('COMMIT; BEGIN IMMEDIATE'),
    commit: () => connection.exec('COMMIT'),
    close: () => connection.close(),
  };
}

async function countSqlite(connection: SqliteConnection, table: string): Promise<number> {
  const [row] = await connection.all<{ n: number }>(`SELECT count(*) AS n FROM ${quoted(table)}`);
  return Number(row?.n);
}

const asSqlite = (value: PortableRow[string] | undefined): SqlValue =>
  typeof value === 'boolean' ? Number(value) : (value ?? null);

async function writePostgres(url: string, isRelaxed: boolean): Promise<TableWriter> {
  const client = await openPostgresClient(url, 10_000);
  if (isRelaxed) await client.query('SET synchronous_commit = off');
  await client.query('BEGIN');
  return {
    tables: async () => tablesOf((await client.query(postgresColumns)).rows, new Map()),
    count: async (table) => Number((await client.query(`SELECT count(*) AS n FROM ${quoted(table)}`)).rows[0]?.n),
    clear: async (table) => void (await client.query(`DELETE FROM ${quoted(table)}`)),
    async insert({ name, columns }, rows) {
      const list = columns.map((column) => quoted(column.name)).join(', ');
      // One parameter however many values there are, and the table's own types.
      const sql = `INSERT INTO ${quoted(name)} (${list}) SELECT ${list} FROM json_populate_recordset(NULL::${quoted(name)}, $1::json)`;
      await client.query(sql, [JSON.stringify(rows)]);
    },
    async skipIds(table, last) {
      const sequence = "pg_get_serial_sequence($1, 'id')";
      // A sequence that gave nothing yet starts with 1.
      await client.query(`SELECT setval(${sequence}, greatest($2::bigint, 1), $2::bigint > 0)`, [table, last]);
    },
    marks: async () => asMap((await client.query(readMarks)).rows),
    async mark(name, value, replace) {
      const values = '($1, $2, extract(epoch FROM now())::bigint)';
      await client.query(`INSERT INTO move_marks VALUES ${values} ${markConflict(replace)}`, [name, value]);
    },
    turn: async () => void (await client.query('COMMIT; BEGIN')),
    // A commit that waits for the disk waits for all before it.
    commit: async () => void (await client.query('SET LOCAL synchronous_commit = on; COMMIT')),
    close: () => client.end(),
  };
}
