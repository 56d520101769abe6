import type { Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import { AppError } from '../../errors/app-error.ts';
import { nameSkeleton } from '../../lib/confusable-name.ts';
import { usernameKey } from '../../schemas/user.ts';

interface WantedName {
  name: string;
  /** The account that is renamed; 0 for a new one. */
  ownId: number;
}

/** A name that a person reads as the name of another account, in whichever letters. Throws `account.lookAlike`. */
export async function refuseLookAlike(
  database: Database,
  { name, ownId }: WantedName,
  transaction?: Transaction,
): Promise<void> {
  // The same name itself is told by its own unique column.
  const [twin] = await database.select(
    `SELECT 1 AS one FROM users
    WHERE username_skeleton = :skeleton AND username_skeleton <> '' AND username_key <> :key AND id <> :ownId LIMIT 1`,
    { skeleton: nameSkeleton(name), key: usernameKey(name), ownId },
    transaction,
  );
  if (twin) throw new AppError('account.lookAlike', { name });
}
