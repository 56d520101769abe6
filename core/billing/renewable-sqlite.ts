import { statSync } from 'node:fs';
import { openSqlite, type SqliteConnection, type SqliteOptions } from '../database/sqlite-connection.ts';
import type { EndRow } from './ledger-store.ts';
import { openWalFlush, type WalFlush } from './wal-flush.ts';

/** A larger file takes too long to be read while calls wait: there only what was written last is looked for. */
const maxReadBytes = 1024 ** 3;

/** A connection that can be replaced by a new one to the same file without its users noticing. */
export async function openRenewable(
  file: string,
  options: SqliteOptions,
  setUp: (connection: SqliteConnection) => Promise<void>,
) {
  /** Whether the disk once failed to flush the log: from then on each COMMIT does it itself, and fails with it. */
  let isCautious = false;
  let { connection: inner, wal } = await open();

  async function open(): Promise<{ connection: SqliteConnection; wal: WalFlush }> {
    const opened = await openSqlite(file, options);
    try {
      await setUp(opened);
      // Reads, so the log is there from here on.
      const [mode] = await opened.all<{ journal_mode: string }>('PRAGMA journal_mode');
      if (mode?.journal_mode === 'wal' && !isCautious) return { connection: opened, wal: await openWalFlush(file) };
      // Or a file system without shared memory, where there is no log.
      await opened.exec('PRAGMA synchronous = FULL');
      return { connection: opened, wal: { flush: async () => {}, close: async () => {} } };
    } catch (error) {
      await opened.close().catch(() => {});
      throw error;
    }
  }

  async function close(): Promise<void> {
    try {
      await wal.close();
    } finally {
      await inner.close();
    }
  }

  const connection: SqliteConnection = {
    exec: (sql) => inner.exec(sql),
    run: (sql, parameters) => inner.run(sql, parameters),
    all: (sql, parameters) => inner.all(sql, parameters),
    close,
  };

  return {
    connection,
    /** Everything that was committed by now survives a power cut. */
    flush: () => wal.flush(),
    /** Throws what SQLite says of a broken file when it is one, or when what was flushed last is not in it. */
    async renew({ last, isUnflushed }: { last: EndRow | undefined; isUnflushed: boolean }): Promise<void> {
      // The failed one may not even close; what it holds is given up with it.
      await close().catch(() => {});
      isCautious ||= isUnflushed;
      ({ connection: inner, wal } = await open());
      if (statSync(file).size <= maxReadBytes) {
        const [row] = await inner.all<{ quick_check: string }>('PRAGMA quick_check(1)');
        if (row?.quick_check !== 'ok') throw damage(row?.quick_check ?? 'no response');
      }
      if (last && !(await holds(inner, last))) throw damage(`the call ${last.id} was booked and is not there`);
      if (isUnflushed) await moveLog(inner);
    },
  };
}

/**
 * Writes all that the log contains into the database file, and flushes that. A flush of the log alone would say that all is well: a system
 * tells only once that it could not write something.
 */
async function moveLog(connection: SqliteConnection): Promise<void> {
  const [row] = await connection.all<{ log: number; checkpointed: number }>('PRAGMA wal_checkpoint(PASSIVE)');
  if (row?.log !== row?.checkpointed) throw Object.assign(new Error('the log is being read'), { code: 'SQLITE_BUSY' });
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
