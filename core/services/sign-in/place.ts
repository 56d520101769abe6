import type { Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import { networkOf } from '../../lib/address-network.ts';

/** The newest ones of each account are kept. */
const mostPlaces = 20;

interface Place {
  userId: number;
  address: string;
}

export async function rememberPlace(
  database: Database,
  { userId, address }: Place,
  time: number,
  transaction: Transaction,
): Promise<void> {
  if (address === '') return;
  const replacements = { userId, network: networkOf(address), time, most: mostPlaces };
  await database.sequelize.query(
    `INSERT INTO sign_in_places (user_id, network, seen_at) VALUES (:userId, :network, :time)
     ON CONFLICT (user_id, network) DO UPDATE SET seen_at = excluded.seen_at`,
    { replacements, transaction },
  );
  await database.sequelize.query(
    `DELETE FROM sign_in_places WHERE user_id = :userId AND network NOT IN
       (SELECT network FROM sign_in_places WHERE user_id = :userId ORDER BY seen_at DESC, network LIMIT :most)`,
    { replacements, transaction },
  );
}

/** Whether somebody who knew the password was there before. */
export async function isKnownPlace(database: Database, { userId, address }: Place): Promise<boolean> {
  const rows = await database.select(
    'SELECT 1 AS one FROM sign_in_places WHERE user_id = :userId AND network = :network',
    { userId, network: networkOf(address) },
  );
  return rows.length > 0;
}
