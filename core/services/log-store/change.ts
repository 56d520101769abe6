import type { Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import { lockLogs } from '../../database/log-store.ts';
import { markCleared, markHourlySums } from '../ledger/ledger-mark.ts';
import { addKeptSums, type KeptSum } from '../log/kept-sum.ts';

/** What goes into the books when rows of the log go or come back. */
export interface LogChange {
  sums: KeptSum[];
  /** Rows before this time may be gone. */
  before?: number | undefined;
}

/** In the main database. */
export async function bookChange(main: Database, { sums, before }: LogChange, transaction: Transaction): Promise<void> {
  await addKeptSums(main, sums, transaction);
  if (before === undefined) return;
  await markCleared(main, before, transaction);
  await markHourlySums(main, { clearedBefore: before }, transaction);
}

// Two databases have no transaction in common. So the log database keeps what its removed rows had counted in the transaction that
// removes them, and the main database books it afterwards: in order, each once, because it remembers the last one that it has.

const markName = 'log_change';

interface KeptChange {
  seq: number;
  change: string;
}

/** With the transaction that changes the rows, which holds the lock. */
export async function keepChange(
  { main, logs }: { main: Database; logs: Database },
  change: LogChange,
  transaction: Transaction,
): Promise<void> {
  const [last] = await logs.select<{ seq: number | null }>('SELECT max(seq) AS seq FROM log_changes', {}, transaction);
  // Also above what a former log database had got to.
  const seq = Math.max(last?.seq ?? 0, await bookedChange(main)) + 1;
  await logs.sequelize.query('INSERT INTO log_changes (seq, change) VALUES (:seq, :change)', {
    replacements: { seq, change: JSON.stringify(change) },
    transaction,
  });
}

/** Books what the log database keeps. With its lock; wherever it is stopped, the next one goes on. */
export async function bookChanges(
  { main, logs }: { main: Database; logs: Database },
  transaction: Transaction,
): Promise<void> {
  const kept = await logs.select<KeptChange>('SELECT seq, change FROM log_changes ORDER BY seq', {}, transaction);
  for (const { seq, change } of kept) {
    await main.transaction(async (inMain) => {
      await main.sequelize.query(
        'INSERT INTO ledger_marks (name, at) VALUES (:name, 0) ON CONFLICT (name) DO NOTHING',
        {
          replacements: { name: markName },
          transaction: inMain,
        },
      );
      const taken = await main.select(
        'UPDATE ledger_marks SET at = :seq WHERE name = :name AND at < :seq RETURNING at',
        { name: markName, seq },
        inMain,
      );
      if (taken.length > 0) await bookChange(main, JSON.parse(change) as LogChange, inMain);
    });
  }
  const last = kept.at(-1);
  if (!last) return;
  await logs.sequelize.query('DELETE FROM log_changes WHERE seq <= :seq', {
    replacements: { seq: last.seq },
    transaction,
  });
}

async function bookedChange(main: Database): Promise<number> {
  const [mark] = await main.select<{ at: number }>('SELECT at FROM ledger_marks WHERE name = :name', {
    name: markName,
  });
  return mark?.at ?? 0;
}

/** Work in a transaction of the log database that no other process changes meanwhile; undefined when one does. */
export function withLogs<T>(
  logs: Database,
  work: (transaction: Transaction) => Promise<T>,
  isPatient = true,
): Promise<T | undefined> {
  return logs.transaction(async (transaction) =>
    (await lockLogs(logs, transaction, isPatient)) ? work(transaction) : undefined,
  );
}
