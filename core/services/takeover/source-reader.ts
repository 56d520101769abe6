import { existsSync, statSync } from 'node:fs';
import pg from 'pg';
import { missingFile } from '../../errors/unreadable-file.ts';
import '../../database/postgres-types.ts';
import { openPostgresClient } from '../../database/postgres-client.ts';
import { openSqlite } from '../../database/sqlite-connection.ts';
import { AppError } from '../../errors/app-error.ts';
import { coded } from '../../text/coded.ts';
import { fileKind } from './file-kind.ts';
import { beginOf, wrongEncoding } from './mysql-dump.ts';
import { type StagedDump, stageDump } from './mysql-staging.ts';

export type SourceRow = Record<string, unknown>;

/** Plain access to the database of an old installation, as it stood when it was opened. */
export interface SourceReader {
  /** A dump in which nothing says whether it is whole. */
  isEndUnknown: boolean;
  columns(): Promise<{ table: string; name: string }[]>;
  /** `$1` stands for `after`. */
  query(sql: string, after?: number): Promise<SourceRow[]>;
  count(table: string): Promise<number>;
  close(): Promise<void>;
}

/** A file of SQLite, a dump of MySQL, or the address of a PostgreSQL database. */
export async function openReader(place: string, isWanted: (table: string) => boolean): Promise<SourceReader> {
  if (isMysqlAddress(place)) throw new AppError('takeover.mysql');
  if (/^postgres(ql)?:/.test(place)) return readPostgres(place);
  if (!existsSync(place)) throw missingFile(place);
  if (!statSync(place).isFile()) throw new AppError('takeover.foreign', { place });
  const { bytes, begin } = beginOf(place);
  if (fileKind(place, bytes, begin) === 'sqlite') return readSqlite(place);
  const encoding = wrongEncoding(begin);
  if (encoding === undefined) return readDumpFile(place, isWanted);
  throw new AppError('takeover.dumpDamaged', { file: place, reason: coded('takeover.dumpEncoding', { encoding }) });
}

const isMysqlAddress = (place: string) => /^mysql:|@tcp\(|@unix\(/.test(place);

async function readSqlite(file: string): Promise<SourceReader> {
  const connection = await openSqlite(file, { readOnly: true });
  await connection.exec('BEGIN');
  return sqliteReader({ connection, counts: new Map(), isEndUnknown: false });
}

async function readDumpFile(file: string, isWanted: (table: string) => boolean): Promise<SourceReader> {
  return sqliteReader(await stageDump(file, isWanted));
}

function sqliteReader({ connection, counts, isEndUnknown }: StagedDump): SourceReader {
  const query: SourceReader['query'] = (sql, after) =>
    connection.all(sql.replace('$1', '?'), after === undefined ? [] : [after]);
  return {
    isEndUnknown,
    columns: () =>
      connection.all(`SELECT tables.name AS "table", columns.name AS name
        FROM sqlite_schema tables, pragma_table_info(tables.name) columns
        WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%'`),
    query,
    count: async (table) => counts.get(table) ?? countBy(query, table),
    close: () => connection.close(),
  };
}

const int8 = 20;

/** Its 64-bit numbers may be larger than any of ours: kept as text then, and left to who reads the column. */
const types = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === int8 ? exactOrText : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};
const exactOrText = (text: string) => (Number.isSafeInteger(Number(text)) ? Number(text) : text);

async function readPostgres(url: string): Promise<SourceReader> {
  const client = await openPostgresClient(url, 10_000);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const query: SourceReader['query'] = async (sql, after) =>
    (await client.query({ text: sql, values: after === undefined ? [] : [after], types })).rows;
  return {
    isEndUnknown: false,
    columns: async () =>
      (
        await client.query(`SELECT table_name AS table, column_name AS name FROM information_schema.columns
          WHERE table_schema = current_schema()`)
      ).rows,
    query,
    count: (table) => countBy(query, table),
    close: () => client.end(),
  };
}

async function countBy(query: SourceReader['query'], table: string): Promise<number> {
  const [row] = await query(`SELECT count(*) AS n FROM "${table.replaceAll('"', '""')}"`);
  return Number(row?.n);
}
