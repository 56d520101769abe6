import type { Transaction } from 'sequelize';
import type { Database } from '../database/connect.ts';

/**
 * Whether an account that is not deleted has this address, however its letters are written. Elsewhere than on SQLite, which has
 * one writer, this waits for every other transaction that asks for the same address: two must not both find it free.
 */
export async function isEmailTaken(
  database: Database,
  email: string,
  transaction: Transaction,
  exceptUserId = 0,
): Promise<boolean> {
  const address = email.toLowerCase();
  if (database.engine === 'postgres') {
    await database.select('SELECT pg_advisory_xact_lock(hashtext(:address))', { address }, transaction);
  }
  const rows = await database.select(
    `SELECT 1 AS one FROM users
     WHERE lower(email) = :address AND email <> '' AND deleted_at IS NULL AND id <> :exceptUserId LIMIT 1`,
    { address, exceptUserId },
    transaction,
  );
  return rows.length > 0;
}
