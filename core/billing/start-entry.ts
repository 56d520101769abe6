import type { Transaction } from 'sequelize';
import type { Database } from '../database/connect.ts';
import type { CreditEntry } from './ledger.ts';
import { writeEntry } from './write-entry.ts';

/**
 * Entries of an account or token that is being made, in the transaction that makes its row with their sum as balance. A hold
 * needs a committed row, so with this order there is no moment at which a new account lacks
 * its gift. Every later change of a balance goes through the ledger.
 */
export async function writeStartEntries(
  database: Database,
  transaction: Transaction,
  entries: readonly CreditEntry[],
): Promise<void> {
  for (const entry of entries) await writeEntry(database, transaction, entry);
}
