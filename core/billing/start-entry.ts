import type { Transaction } from 'sequelize';
import type { Database } from '../database/connect.ts';

export interface StartEntry {
  userId: number;
  /** With kind `token_grant` only. */
  tokenId?: number;
  kind: string;
  ref: string;
  amount: number;
  actorId: number;
}

/**
 * Entries of an account or token that is being made, in the transaction that makes its row with their sum as balance. Nobody
 * can hold of a row that is not committed yet, so this way round the committer leaves no moment at which a new account lacks
 * its gift. Every later change of a balance goes through the ledger.
 */
export async function writeStartEntries(
  database: Database,
  transaction: Transaction,
  entries: readonly StartEntry[],
): Promise<void> {
  for (const { tokenId = 0, ...entry } of entries) {
    await database.sequelize.query(
      `INSERT INTO quota_entries (user_id, token_id, kind, ref, amount, actor_id, created_at)
       VALUES (:userId, :tokenId, :kind, :ref, :amount, :actorId, ${epoch[database.engine]})`,
      { replacements: { ...entry, tokenId }, transaction },
    );
  }
}

const epoch = { sqlite: 'unixepoch()', postgres: 'extract(epoch FROM now())::bigint' };
