import { Op, type Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import { hourOf } from '../../lib/clock.ts';

// Rows that are written into the log without their hourly sums are not noticed by comparing those.

/** Hours that got rows which were never in the log before: they are read row by row until they are rolled up again. */
export async function forgetRolled(database: Database, times: number[], transaction: Transaction): Promise<void> {
  const created_at = [...new Set(times.map(hourOf))];
  await database.rolledHours.destroy({ where: { created_at }, transaction });
}

/** Hours whose rows came back. A proven one had them when it was rolled up; one that had none of them is tried again. */
export async function retryRolled(database: Database, times: number[]): Promise<void> {
  const created_at = [...new Set(times.map(hourOf))];
  const { col, where } = database.sequelize.Sequelize;
  const isUnproven = [
    { calls: 0 },
    where(col('calls'), { [Op.ne]: col('known_calls') }),
    where(col('quota'), { [Op.ne]: col('known_quota') }),
  ];
  await database.rolledHours.destroy({ where: { created_at, [Op.or]: isUnproven } });
}
