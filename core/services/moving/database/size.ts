import { openPostgresClient } from '../../../database/postgres-client.ts';
import { openSqlite } from '../../../database/sqlite-connection.ts';
import { openSnapshot, quoted } from '../table.ts';
import type { DatabasePlace } from './place.ts';

export interface TableSize {
  table: string;
  rows: number;
  /** With its indexes; undefined where the database cannot tell. */
  bytes: number | undefined;
}

/** What there is to move, the largest table first. */
export async function sizesOf(source: DatabasePlace): Promise<TableSize[]> {
  const snapshot = await openSnapshot(source);
  const names = await snapshot
    .tables()
    .then((tables) => tables.map(({ name }) => name))
    .finally(snapshot.close);
  const sizes = source.engine === 'sqlite' ? await ofSqlite(source.file, names) : await ofPostgres(source.url, names);
  return sizes.sort((a, b) => b.rows - a.rows || (a.table < b.table ? -1 : 1));
}

export const bytesOf = (sizes: TableSize[]): number | undefined =>
  sizes.some(({ bytes }) => bytes === undefined) ? undefined : sizes.reduce((sum, { bytes = 0 }) => sum + bytes, 0);

async function ofSqlite(file: string, names: string[]): Promise<TableSize[]> {
  const connection = await openSqlite(file, { readOnly: true });
  try {
    // Not in every build of SQLite.
    const pages = await connection
      .all<{ name: string; bytes: number }>(
        `SELECT tbl_name AS name, sum(pgsize) AS bytes FROM dbstat JOIN sqlite_schema ON sqlite_schema.name = dbstat.name
         WHERE aggregate = TRUE GROUP BY tbl_name`,
      )
      .catch(() => []);
    const bytes = new Map(pages.map((row) => [row.name, row.bytes]));
    const sizes: TableSize[] = [];
    for (const table of names) {
      const [row] = await connection.all<{ rows: number }>(`SELECT count(*) AS rows FROM ${quoted(table)}`);
      sizes.push({ table, rows: Number(row?.rows), bytes: bytes.get(table) });
    }
    return sizes;
  } finally {
    await connection.close();
  }
}

async function ofPostgres(url: string, names: string[]): Promise<TableSize[]> {
  const client = await openPostgresClient(url, 10_000);
  try {
    const sizes: TableSize[] = [];
    for (const table of names) {
      const { rows } = await client.query<{ rows: number; bytes: number }>(
        `SELECT count(*) AS rows, pg_total_relation_size('${quoted(table)}') AS bytes FROM ${quoted(table)}`,
      );
      sizes.push({ table, rows: Number(rows[0]?.rows), bytes: Number(rows[0]?.bytes) });
    }
    return sizes;
  } finally {
    await client.end();
  }
}
