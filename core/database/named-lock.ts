import type { Transaction } from 'sequelize';
import type { Database } from './connect.ts';

/**
 * Until the transaction ends, every other one that asks for the same name waits: for what no unique index can guard. SQLite
 * has one writer at a time anyway.
 */
export async function lockName(database: Database, name: string, transaction: Transaction): Promise<void> {
  if (database.engine === 'sqlite') return;
  await database.select('SELECT pg_advisory_xact_lock(hashtext(:name))', { name }, transaction);
}

/** As `lockName`, but only those wait for each other of whom one does not share. */
export async function shareName(database: Database, name: string, transaction: Transaction): Promise<void> {
  if (database.engine === 'sqlite') return;
  await database.select('SELECT pg_advisory_xact_lock_shared(hashtext(:name))', { name }, transaction);
}
