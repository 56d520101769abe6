import { Op } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import { type Clock, nowSeconds, secondsPerDay } from '../../lib/clock.ts';
import { runEach } from '../../lib/run-each.ts';
import { logType } from '../../schemas/log-type.ts';
import { markHourlySums } from '../ledger/ledger-mark.ts';
import type { OptionService } from '../option/option.ts';
import { deleteOldest } from './clear.ts';
import { removeInBatches } from './pace.ts';

export interface RetentionDependencies {
  database: Database;
  options: Pick<OptionService, 'get'>;
  now?: Clock;
}

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

  function removeFailures(before: number, limit: number): Promise<number> {
    const where = { action: ['session.signInFailed', 'session.stepUpFailed'], created_at: { [Op.lt]: before } };
    return database.audits.destroy({ where, limit });
  }

  // SQL: the index of the rows that are no consumption is found by these very words.
  async function removeErrors(before: number, limit: number): Promise<number> {
    const logs = await database.logHome();
    const rows = await logs.select(`${deleteOldest(logs, `type = ${logType.error} AND type <> 2 AND `)} RETURNING id`, {
      before,
      limit,
    });
    return rows.length;
  }

  function removeOrders(before: number, limit: number): Promise<number> {
    const where = { status: 'pending', create_time: { [Op.lt]: before } };
    return database.topUps.destroy({ where, limit });
  }

  /** A day at a time; hours without their sums are not compared with the log any more. */
  async function removeHours(before: number, signal: AbortSignal): Promise<number> {
    let count = 0;
    while (!signal.aborted) {
      const oldest: number | null = await database.usageData.min('created_at');
      if (oldest === null || oldest >= before) break;
      const until = Math.min(oldest + secondsPerDay, before);
      count += await database.transaction(async (transaction) => {
        const where = { created_at: { [Op.lt]: until } };
        const gone = await database.usageData.destroy({ where, transaction });
        await database.rolledHours.destroy({ where, transaction });
        await database.usageParts.destroy({ where, transaction });
        await database.channelHours.destroy({ where, transaction });
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
    const batches = async (before: number | undefined, remove: (before: number, limit: number) => Promise<number>) => {
      if (before !== undefined) count += await removeInBatches((limit) => remove(before, limit), { signal });
    };
    const steps = {
      'error rows': () => batches(errors, removeErrors),
      'failed sign-ins': () => batches(failures, removeFailures),
      orders: () => batches(orders, removeOrders),
      async 'hourly sums'() {
        if (hours !== undefined) count += await removeHours(hours, signal);
      },
    };
    await runEach(steps, signal);
    return count;
  };
}
