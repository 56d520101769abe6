import { statSync } from 'node:fs';
import { openSqlite, type SqliteConnection, type SqliteOptions } from '../database/sqlite-connection.ts';
import type { EndRow } from './ledger-store.ts';

/** A larger file takes too long to be read while calls wait: there only what was written last is looked for. */
const maxReadBytes = 1024 ** 3;

/** A connection that can be replaced by a new one to the same file without its users noticing. */
export async function openRenewable(
  file: string,
  options: SqliteOptions,
  setUp: (connection: SqliteConnection) => Promise<void>,
) {
  let inner = await open();

  async function open(): Promise<SqliteConnection> {
    const opened = await openSqlite(file, options);
    await setUp(opened);
    return opened;
  }

  const connection: SqliteConnection = {
    exec: (sql) => inner.exec(sql),
    run: (sql, parameters) => inner.run(sql, parameters),
    all: (sql, parameters) => inner.all(sql, parameters),
    close: () => inner.close(),
  };

  return {
    connection,
    /** Throws what SQLite says of a broken file when it is one, or when what was committed last is not in it. */
    async renew(last: EndRow | undefined): Promise<void> {
      // The failed one may not even close; what it holds is given up with it.
      await inner.close().catch(() => {});
      inner = await open();
      if (statSync(file).size <= maxReadBytes) {
        const [row] = await inner.all<{ quick_check: string }>('PRAGMA quick_check(1)');
        if (row?.quick_check !== 'ok') throw damage(row?.quick_check ?? 'no answer');
      }
      if (last && !(await holds(inner, last))) throw damage(`the call ${last.id} was booked and is not there`);
    },
  };
}

async function holds(connection: SqliteConnection, { id, log }: EndRow): Promise<boolean> {
  const rows = await connection.all(
    `SELECT 1 FROM logs WHERE request_id = ?
     UNION ALL SELECT 1 FROM moved_calls WHERE id = ?
     UNION ALL SELECT 1 FROM ledger_marks WHERE name = 'cleared' AND at > ?`,
    [id, id, log?.created_at ?? 0],
  );
  return rows.length > 0;
}

const damage = (reason: string) => Object.assign(new Error(reason), { code: 'SQLITE_CORRUPT' });
