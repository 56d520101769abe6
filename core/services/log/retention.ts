import { Op } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import { type Clock, nowSeconds, secondsPerDay } from '../../lib/clock.ts';
import { logType } from '../../schemas/log-type.ts';
import { markHourlySums } from '../ledger/ledger-mark.ts';
import type { OptionService } from '../option/option.ts';

export interface RetentionDependencies {
  database: Database;
  options: Pick<OptionService, 'get'>;
  now?: Clock;
}

const batchSize = 1000;

/** Rows that strangers or time make without end, and that are no longer needed. Returns how many went. */
export function createRetention({ database, options, now = nowSeconds }: RetentionDependencies) {
  type Days =
    | 'LogErrorRetentionDays'
    | 'FailedSignInRetentionDays'
    | 'PendingOrderRetentionDays'
    | 'UsageDataRetentionDays';

  /** Undefined: kept forever. */
  function beforeOf(option: Days): number | undefined {
    const days = options.get(option);
    return days > 0 ? now() - days * secondsPerDay : undefined;
  }

  async function inBatches(remove: () => Promise<number>, signal: AbortSignal): Promise<number> {
    let count = 0;
    for (let gone = batchSize; gone === batchSize && !signal.aborted; count += gone) gone = await remove();
    return count;
  }

  function removeFailures(before: number): Promise<number> {
    const where = { action: ['session.signInFailed', 'session.stepUpFailed'], created_at: { [Op.lt]: before } };
    return database.audits.destroy({ where, limit: batchSize });
  }

  // SQL: the index of the rows that are no consumption is found by these very words.
  async function removeErrors(before: number): Promise<number> {
    const rows = await database.select(
      `DELETE FROM logs WHERE id IN (SELECT id FROM logs WHERE type = ${logType.error} AND type <> 2
        AND created_at < :before ORDER BY created_at LIMIT ${batchSize}) RETURNING id`,
      { before },
    );
    return rows.length;
  }

  function removeOrders(before: number): Promise<number> {
    const where = { status: 'pending', create_time: { [Op.lt]: before } };
    return database.topUps.destroy({ where, limit: batchSize });
  }

  /** A day at a time; hours without their sums are not compared with the log any more. */
  async function removeHours(before: number, signal: AbortSignal): Promise<number> {
    let count = 0;
    while (!signal.aborted) {
      const oldest: number | null = await database.usageData.min('created_at');
      if (oldest === null || oldest >= before) break;
      const until = Math.min(oldest + secondsPerDay, before);
      count += await database.transaction(async (transaction) => {
        const gone = await database.usageData.destroy({ where: { created_at: { [Op.lt]: until } }, transaction });
        await markHourlySums(database, { clearedBefore: until }, transaction);
        return gone;
      });
    }
    return count;
  }

  return async function removeOld(signal: AbortSignal): Promise<number> {
    const errors = beforeOf('LogErrorRetentionDays');
    const failures = beforeOf('FailedSignInRetentionDays');
    const orders = beforeOf('PendingOrderRetentionDays');
    const hours = beforeOf('UsageDataRetentionDays');
    let count = 0;
    if (errors !== undefined) count += await inBatches(() => removeErrors(errors), signal);
    if (failures !== undefined) count += await inBatches(() => removeFailures(failures), signal);
    if (orders !== undefined) count += await inBatches(() => removeOrders(orders), signal);
    if (hours !== undefined) count += await removeHours(hours, signal);
    return count;
  };
}
