import type { Transaction } from 'sequelize';
import type { Database } from '../database/connect.ts';
import { AppError } from '../errors/app-error.ts';
import { writeEntry } from './write-entry.ts';

export interface TokenGrant {
  userId: number;
  tokenId: number;
  /** The entry's identity: the same one is booked once, ever. */
  ref: string;
  /** Negative takes quota back. */
  amount: number;
  actorId: number;
}

/**
 * What an edit adds to a token's quota, in the transaction that read the row: two edits at the same moment count one after the
 * other. The caller holds the token's row and no user's, so it never waits for the committer in a circle.
 */
export async function bookTokenGrant(database: Database, transaction: Transaction, grant: TokenGrant): Promise<void> {
  await writeEntry(database, transaction, { ...grant, kind: 'token_grant' });
  const { tokenId, amount } = grant;
  const replacements = { tokenId, amount, max: Number.MAX_SAFE_INTEGER };
  const changed = await database.select(
    `UPDATE tokens SET remain_quota = remain_quota + :amount
     WHERE id = :tokenId AND remain_quota + :amount BETWEEN 0 - :max AND :max RETURNING id`,
    replacements,
    transaction,
  );
  if (changed.length === 0) throw new AppError('user.quotaRange');
}
