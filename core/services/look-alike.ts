import type { Transaction } from 'sequelize';
import type { Database } from '../database/connect.ts';
import { AppError } from '../errors/app-error.ts';
import { readAs } from '../lib/confusable-name.ts';

/** A name in other letters that a person reads as the name of an account that is there already. Throws `account.lookAlike`. */
export async function refuseLookAlike(database: Database, name: string, transaction?: Transaction): Promise<void> {
  const read = readAs(name);
  if (read === undefined) return;
  const where = { username_key: read };
  const twin = await database.users.findOne({ where, attributes: ['id'], ...(transaction && { transaction }) });
  if (twin) throw new AppError('account.lookAlike', { name });
}
