import type { Database } from '../../database/connect.ts';
import { type Clock, nowSeconds, secondsPerDay } from '../../lib/clock.ts';
import { markHourlySums } from '../ledger/ledger-mark.ts';
import type { OptionService } from '../option/option.ts';

export interface RetentionDependencies {
  database: Database;
  options: Pick<OptionService, 'get'>;
  now?: Clock;
}

const batchSize = 1000;

/** Rows that strangers or time make without end, and that nobody reads any more. Returns how many went. */
export function createRetention({ database, options, now = nowSeconds }: RetentionDependencies) {
  type Days = 'FailedSignInRetentionDays' | 'PendingOrderRetentionDays' | 'UsageDataRetentionDays';

  /** Undefined: kept for ever. */
  function beforeOf(option: Days): number | undefined {
    const days = options.get(option);
    return days > 0 ? now() - days * secondsPerDay : undefined;
  }

  async function removeRows(table: string, condition: string, before: number, signal: AbortSignal): Promise<number> {
    const sql = `DELETE FROM ${table} WHERE id IN (
      SELECT id FROM ${table} WHERE ${condition} ORDER BY id LIMIT ${batchSize}) RETURNING id`;
    let count = 0;
    for (let gone = batchSize; gone === batchSize && !signal.aborted; count += gone) {
      gone = (await database.select(sql, { before })).length;
    }
    return count;
  }

  /** A day at a time; hours without their sums are not compared with the log any more. */
  async function removeHours(before: number, signal: AbortSignal): Promise<number> {
    let count = 0;
    while (!signal.aborted) {
      const [oldest] = await database.select<{ at: number | null }>('SELECT min(created_at) AS at FROM usage_data');
      if (oldest?.at === null || oldest === undefined || oldest.at >= before) break;
      const until = Math.min(oldest.at + secondsPerDay, before);
      count += await database.transaction(async (transaction) => {
        const sql = 'DELETE FROM usage_data WHERE created_at < :until RETURNING user_id';
        const rows = await database.select(sql, { until }, transaction);
        await markHourlySums(database, { clearedBefore: until }, transaction);
        return rows.length;
      });
    }
    return count;
  }

  return async function removeOld(signal: AbortSignal): Promise<number> {
    const failures = "action IN ('session.signInFailed', 'session.stepUpFailed') AND created_at < :before";
    const orders = "status = 'pending' AND create_time < :before";
    const before = {
      failures: beforeOf('FailedSignInRetentionDays'),
      orders: beforeOf('PendingOrderRetentionDays'),
      hours: beforeOf('UsageDataRetentionDays'),
    };
    let count = 0;
    if (before.failures !== undefined) count += await removeRows('audits', failures, before.failures, signal);
    if (before.orders !== undefined) count += await removeRows('top_ups', orders, before.orders, signal);
    if (before.hours !== undefined) count += await removeHours(before.hours, signal);
    return count;
  };
}
