import type { Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import { logStoreName, readLogStore } from '../../database/log-store.ts';
import type { LogRow } from '../../database/models/log.ts';
import { shareName } from '../../database/named-lock.ts';
import { AppError } from '../../errors/app-error.ts';
import { bookChange, bookChanges, keepChange, type LogChange, withLogs } from './change.ts';
import { forget, moveLogs } from './move.ts';

type Keep = (change: LogChange, transaction: Transaction) => Promise<void>;

/** Where rows of the log are deleted and put back, with the books kept right. */
export interface LogHome {
  /** The database that has the rows. */
  logs: Database;
  /**
   * Work in a transaction of that database; `keep` says what its rows had counted. Rows older than `before` that have been copied to
   * a log database are gone from the main one by then.
   */
  change<T>(
    work: (transaction: Transaction, keep: Keep) => Promise<T>,
    scope?: { before?: number | undefined },
  ): Promise<T>;
}

/** Where a test stops the process: rows are gone and not booked, or booked and still kept as not booked. */
type KillPoint = (name: 'removed' | 'booked') => void;

export async function homeOfLogs(main: Database, killPoint?: KillPoint): Promise<LogHome> {
  const logs = await main.logHome();
  return logs === main ? inMain(main) : inLogDatabase(main, logs, killPoint);
}

/** As `homeOfLogs`, once the rows that wait in the main database are there too. */
export async function homeOfMovedLogs(main: Database): Promise<LogHome> {
  const home = await homeOfLogs(main);
  if (home.logs === main) return home;
  // Under load new ones come all the time: what was there by now has moved after so many batches.
  const waiting = await main.logs.count();
  for (let moved = 0; moved < waiting; ) {
    const count = await moveLogs({ main, logs: home.logs });
    if (count === 0) break;
    moved += count;
  }
  return home;
}

function inMain(main: Database): LogHome {
  return {
    logs: main,
    change: (work) =>
      main.transaction(async (transaction) => {
        // A process that begins to copy the log waits for this.
        await shareName(main, logStoreName, transaction);
        const state = await readLogStore(main, transaction);
        if (state?.phase === 'filling') throw new AppError('logStore.filling');
        if (state && state.phase !== 'returned') throw new AppError('logStore.notSet');
        return work(transaction, (change, inWork) => bookChange(main, change, inWork));
      }),
  };
}

function inLogDatabase(main: Database, logs: Database, killPoint: KillPoint = () => {}): LogHome {
  return {
    logs,
    async change<T>(work: (transaction: Transaction, keep: Keep) => Promise<T>, { before }: { before?: number } = {}) {
      const [result] = (await withLogs(logs, async (transaction) => {
        await bookChanges({ main, logs }, transaction);
        if (before !== undefined) await forgetCopied(main, logs, before, transaction);
        return [await work(transaction, (change, inWork) => keepChange({ main, logs }, change, inWork))] as const;
      })) ?? [undefined];
      killPoint('removed');
      await withLogs(logs, async (transaction) => {
        await bookChanges({ main, logs }, transaction);
        killPoint('booked');
      });
      return result as T;
    },
  };
}

const rowsAtOnce = 1000;

/** A row that was copied and not deleted yet would be copied again once it is gone from the log database. */
async function forgetCopied(main: Database, logs: Database, before: number, transaction: Transaction): Promise<void> {
  for (let after = 0; ; ) {
    const waiting = await main.select<Pick<LogRow, 'id' | 'created_at' | 'request_id'>>(
      'SELECT id, created_at, request_id FROM logs WHERE created_at < :before AND id > :after ORDER BY id LIMIT :limit',
      { before, after, limit: rowsAtOnce },
    );
    const id = waiting.map((row) => row.id);
    const found =
      id.length === 0
        ? []
        : await logs.logs.findAll({ attributes: ['id', 'created_at'], where: { id }, raw: true, transaction });
    const known = new Map(found.map((row) => [row.id, row.created_at]));
    const copied = waiting.filter((row) => known.get(row.id) === row.created_at);
    if (copied.length > 0) await forget(main, copied);
    if (waiting.length < rowsAtOnce) return;
    after = waiting.at(-1)?.id ?? after;
  }
}
