import { Op, type Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import { lockName } from '../../database/named-lock.ts';
import { AppError } from '../../errors/app-error.ts';
import { nameSkeleton } from '../../lib/confusable-name.ts';
import { usernameKey } from '../../schemas/user.ts';

interface WantedName {
  name: string;
  /** The account that is renamed; 0 for a new one. */
  ownId: number;
}

/**
 * A name that a person reads as the name of another account, in whichever letters. Throws `account.lookAlike`. Callers wait for each
 * other: two must not both find that there is no such account.
 */
export async function refuseLookAlike(
  database: Database,
  { name, ownId }: WantedName,
  transaction: Transaction,
): Promise<void> {
  const skeleton = nameSkeleton(name);
  await lockName(database, `name:${skeleton}`, transaction);
  // The same name itself is told by its own unique column.
  const where = {
    // The index contains accounts that have a name: the second condition is what it is found by.
    username_skeleton: { [Op.eq]: skeleton, [Op.ne]: '' },
    username_key: { [Op.ne]: usernameKey(name) },
    id: { [Op.ne]: ownId },
  };
  const twin = await database.users.findOne({ attributes: ['id'], where, raw: true, transaction });
  if (twin) throw new AppError('account.lookAlike', { name });
}
