import type { Transaction } from 'sequelize';
import type { Database } from '../database/connect.ts';
import type { CreditEntry } from './ledger.ts';

/** One row of `quota_entries`; the database refuses a second one of the same kind and ref. The balance is its caller's. */
export async function writeEntry(
  database: Database,
  transaction: Transaction,
  { tokenId = 0, note = '', ...entry }: CreditEntry,
): Promise<void> {
  await database.sequelize.query(
    `INSERT INTO quota_entries (user_id, token_id, kind, ref, amount, actor_id, created_at, note)
     VALUES (:userId, :tokenId, :kind, :ref, :amount, :actorId, ${epoch[database.engine]}, :note)`,
    { replacements: { ...entry, tokenId, note }, transaction },
  );
}

const epoch = { sqlite: 'unixepoch()', postgres: 'extract(epoch FROM now())::bigint' };
