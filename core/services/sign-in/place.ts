import { Op, type Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import { networkOf } from '../../lib/address-network.ts';

/** The newest ones of each account are kept. */
const maxPlaces = 20;

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
  const { signInPlaces } = database;
  await signInPlaces.upsert({ user_id: userId, network: networkOf(address), seen_at: time }, { transaction });
  const where = { user_id: userId };
  const order: [string, string][] = [
    ['seen_at', 'DESC'],
    ['network', 'ASC'],
  ];
  const kept = await signInPlaces.findAll({ where, order, limit: maxPlaces, raw: true, transaction });
  const networks = kept.map(({ network }) => network);
  await signInPlaces.destroy({ where: { ...where, network: { [Op.notIn]: networks } }, transaction });
}

/** Whether a user who knew the password signed in from there before. */
export async function isKnownPlace(database: Database, { userId, address }: Place): Promise<boolean> {
  const where = { user_id: userId, network: networkOf(address) };
  return (await database.signInPlaces.count({ where })) > 0;
}
