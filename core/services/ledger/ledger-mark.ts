import type { Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import { hourAtOrAfter } from '../../lib/clock.ts';

// SQL throughout: the table is the ledger's, and a mark only ever moves one way.

/** No hour is ever compared while hourly sums are not collected. */
const never = Number.MAX_SAFE_INTEGER;
/** Other processes learn of a changed option within a second; a minute covers the ones that lag. */
const lagSeconds = 60;

export type HourlyChange = { changedAt: number } | { clearedBefore: number } | 'stopped';

/** Log rows before this time may be gone: that one is missing says nothing any more. */
export async function markCleared(database: Database, before: number, transaction: Transaction): Promise<void> {
  await database.sequelize.query(
    `INSERT INTO ledger_marks (name, at) VALUES ('cleared', :before) ON CONFLICT (name) DO UPDATE SET at = excluded.at
     WHERE ledger_marks.at < excluded.at`,
    { replacements: { before }, transaction },
  );
}

/** Moves the mark from which on hourly sums must equal the log rows (table `ledger_marks`). */
export async function markHourlySums(
  database: Database,
  change: HourlyChange,
  transaction: Transaction,
): Promise<void> {
  const isClearing = typeof change === 'object' && 'clearedBefore' in change;
  const at = markFor(change);
  // Clearing never moves the mark back; collecting again does, from `never`.
  const next = isClearing
    ? 'CASE WHEN ledger_marks.at > excluded.at THEN ledger_marks.at ELSE excluded.at END'
    : 'excluded.at';
  await database.sequelize.query(
    `INSERT INTO ledger_marks (name, at) VALUES ('hourly', :at) ON CONFLICT (name) DO UPDATE SET at = ${next}`,
    { replacements: { at }, transaction },
  );
}

function markFor(change: HourlyChange): number {
  if (change === 'stopped') return never;
  return 'changedAt' in change ? hourAtOrAfter(change.changedAt + lagSeconds) : hourAtOrAfter(change.clearedBefore);
}
