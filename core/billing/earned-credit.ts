import type { Transaction } from 'sequelize';
import type { Database } from '../database/connect.ts';
import { AppError } from '../errors/app-error.ts';
import type { CreditEntry } from './ledger.ts';
import { missingSubject } from './missing-subject.ts';
import { writeEntry } from './write-entry.ts';

/** Of a user, never of a token. */
export type EarnedCredit = Omit<CreditEntry, 'tokenId'>;

/**
 * A credit in the transaction of what earned it (a code used, an order paid, a reward moved): both are there or neither, so a
 * process that dies leaves nothing to be made good. Booked before: the database refuses the second entry. Call it last: from
 * here to the commit the user's row is locked, and calls of that user wait. No deadlock with the committer, which locks users
 * first: nothing it locks after them is held by a caller of this.
 */
export async function bookEarnedCredit(
  database: Database,
  transaction: Transaction,
  credit: EarnedCredit,
): Promise<void> {
  await writeEntry(database, transaction, credit);
  const { userId, amount } = credit;
  const replacements = { userId, amount, max: Number.MAX_SAFE_INTEGER };
  const changed = await database.select(
    'UPDATE users SET quota = quota + :amount WHERE id = :userId AND quota <= :max - :amount RETURNING id',
    replacements,
    transaction,
  );
  if (changed.length > 0) return;
  const known = await database.select('SELECT 1 AS one FROM users WHERE id = :userId', replacements, transaction);
  throw known.length > 0 ? new AppError('user.quotaRange') : missingSubject(userId, 0);
}
