import { writeFileSync } from 'node:fs';
import pg from 'pg';
import { openSqlite } from '../../core/database/sqlite-connection.ts';
import type { OldRow, OldTables } from './old-database.ts';

/** Many times what is read or written at once. */
export const manyRows = 20_000;
const first = 1000;
/** What each of them cost. */
export const costOfRow = 7;

const columns = [
  ...['id', 'user_id', 'created_at', 'type', 'content', 'username', 'token_name', 'model_name'],
  ...['quota', 'prompt_tokens', 'completion_tokens', 'channel_id', 'is_stream'],
];

/** The log row of number `n`: consumption of user 2 on channel 1, one second after the other. */
const selected = (user: string, yes: string) =>
  `n, 2, 1700000000 + n, 2, '', '${user}', 'many', 'gpt-4o', ${costOfRow}, 10, 5, 1, ${yes}`;

const insertHead = `INSERT INTO logs (${columns.join(', ')})`;

export async function addLogsToSqlite(file: string, user: string, rows = manyRows): Promise<void> {
  const connection = await openSqlite(file);
  await connection.exec(`WITH RECURSIVE numbers (n) AS
    (SELECT ${first} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${first + rows - 1})
    ${insertHead} SELECT ${selected(user, '1')} FROM numbers`);
  await connection.close();
}

export async function addLogsToPostgres(url: string, user: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `${insertHead} SELECT ${selected(user, 'TRUE')} FROM generate_series(${first}, ${first + manyRows - 1}) AS n`,
  );
  await client.end();
}

/** As mysqldump writes: a statement has many rows, and no column is named. */
export function writeMysqlDump(file: string, tables: OldTables, user?: string): void {
  const parts = ['-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)\n'];
  for (const [table, { columns: list, rows }] of Object.entries(tables)) {
    const names = namesOf(list);
    parts.push(
      `DROP TABLE IF EXISTS \`${table}\`;\nCREATE TABLE \`${table}\` (\n  ${list.replaceAll('"', '`')}\n) ENGINE=InnoDB;\n`,
    );
    const tuples = rows.map((row) => tupleOf(row, names));
    if (table === 'logs' && user !== undefined) {
      for (let n = first; n < first + manyRows; n++) tuples.push(tupleOf(logRow(n, user), names));
    }
    for (let at = 0; at < tuples.length; at += 5000) {
      parts.push(`INSERT INTO \`${table}\` VALUES ${tuples.slice(at, at + 5000).join(',')};\n`);
    }
  }
  writeFileSync(file, `${parts.join('')}-- Dump completed on 2026-11-01 10:00:00\n`);
}

/** The names that a list of columns begins with. */
const namesOf = (list: string) =>
  list
    .replace(/\([^)]*\)/g, '')
    .split(',')
    .map((part) => part.trim().split(/\s/)[0]?.replaceAll('"', '') ?? '');

const tupleOf = (row: OldRow, names: string[]) => `(${names.map((name) => mysqlLiteral(row[name])).join(',')})`;

function mysqlLiteral(value: OldRow[string] | undefined): string {
  if (value === undefined || value === null) return 'NULL';
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'number') return String(value);
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
}

const logRow = (id: number, username: string): OldRow => ({
  id,
  user_id: 2,
  created_at: 1_700_000_000 + id,
  type: 2,
  content: '',
  username,
  token_name: 'many',
  model_name: 'gpt-4o',
  quota: costOfRow,
  prompt_tokens: 10,
  completion_tokens: 5,
  channel_id: 1,
  is_stream: true,
});
