import { UniqueConstraintError } from 'sequelize';
import type { Database } from '../database/connect.ts';
import type { CreditEntry, Ledger } from './ledger.ts';
import { writeEntry } from './write-entry.ts';

/**
 * The ledger has connections of its own: in a rehearsal they would wait for its lock, and what they book would stay. There the
 * entry and the balance are written as the committer writes them, in the transaction that is taken back.
 */
export function withRehearsedCredit(database: Database, ledger: Pick<Ledger, 'credit'>): Pick<Ledger, 'credit'> {
  return { credit: (entry) => (database.rehearsal() ? rehearseCredit(database, entry) : ledger.credit(entry)) };
}

async function rehearseCredit(database: Database, entry: CreditEntry): Promise<boolean> {
  try {
    await database.transaction(async (transaction) => {
      await writeEntry(database, transaction, entry);
      const { userId, amount } = entry;
      await database.select(
        'UPDATE users SET quota = quota + :amount WHERE id = :userId RETURNING id',
        { userId, amount },
        transaction,
      );
    });
    return true;
  } catch (error) {
    if (error instanceof UniqueConstraintError) return false;
    throw error;
  }
}
