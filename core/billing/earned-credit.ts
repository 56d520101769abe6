import type { Transaction } from 'sequelize';
import type { Database } from '../database/connect.ts';
import { AppError } from '../errors/app-error.ts';
import { missingSubject } from './missing-subject.ts';

export interface EarnedCredit {
  userId: number;
  /** Together with `ref` the entry's identity: the same pair is booked once, ever. */
  kind: string;
  ref: string;
  amount: number;
  actorId: number;
  note?: string;
}

/**
 * A credit in the transaction of what earned it (a code used, an order paid, a reward moved): both are there or neither, so a
 * process that dies leaves nothing to be made good. Booked before: the database refuses the second entry. Call it last: from
 * here to the commit the user's row is locked, and calls of that user wait. No deadlock with the committer, which locks users
 * first: nothing it locks after them is held by a caller of this.
 */
export async function bookEarnedCredit(
  database: Database,
  transaction: Transaction,
  { note = '', ...credit }: EarnedCredit,
): Promise<void> {
  const replacements = { ...credit, note, most: Number.MAX_SAFE_INTEGER };
  await database.sequelize.query(
    `INSERT INTO quota_entries (user_id, token_id, kind, ref, amount, actor_id, created_at, note)
     VALUES (:userId, 0, :kind, :ref, :amount, :actorId, ${epoch[database.engine]}, :note)`,
    { replacements, transaction },
  );
  const changed = await database.select(
    'UPDATE users SET quota = quota + :amount WHERE id = :userId AND quota <= :most - :amount RETURNING id',
    replacements,
    transaction,
  );
  if (changed.length > 0) return;
  const known = await database.select('SELECT 1 AS one FROM users WHERE id = :userId', replacements, transaction);
  throw known.length > 0 ? new AppError('user.quotaRange') : missingSubject(credit.userId, 0);
}

const epoch = { sqlite: 'unixepoch()', postgres: 'extract(epoch FROM now())::bigint' };
