import { AppError } from '../errors/app-error.ts';
import { openPostgresClient } from './postgres-client.ts';

/**
 * What a restore into PostgreSQL writes on its schema until the tables are whole, with the schema that has the former ones behind it.
 * A comment, because no copy brings one of its own.
 */
export const restoreMark = 'tollgate: restore unfinished; former tables in ';

const sql = "SELECT obj_description(to_regnamespace(quote_ident(current_schema())), 'pg_namespace') AS mark";

type Rows = (sql: string) => Promise<{ mark: string | null }[]>;

const connectMs = 10_000;

/** Throws where a restore was killed: a server would begin a new installation on the empty tables. */
export async function requireRestored(rows: Rows): Promise<void> {
  const former = await formerIn(rows);
  if (former !== undefined) throw new AppError('database.halfRestored', { former });
}

/** The schema with the former tables, where a restore was killed. */
export async function unfinishedRestore(url: string): Promise<string | undefined> {
  const client = await openPostgresClient(url, connectMs);
  try {
    return await formerIn(async (text) => (await client.query(text)).rows);
  } finally {
    await client.end();
  }
}

async function formerIn(rows: Rows): Promise<string | undefined> {
  const [row] = await rows(sql);
  return row?.mark?.startsWith(restoreMark) ? row.mark.slice(restoreMark.length) : undefined;
}
