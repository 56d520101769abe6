import type { Database } from '../../database/connect.ts';
import type { LogRow } from '../../database/models/log.ts';
import { callsPerStatement, refundedCalls } from '../rolled-hour/given-back.ts';
import type { LogRange } from '../rolled-hour/split-range.ts';
import { conditionsOf, type UsageScope } from './usage-source.ts';

export type RefundedRow = Pick<LogRow, 'created_at' | 'user_id' | 'token_id' | 'channel_id' | 'model_name' | 'quota'>;

/** Rows of the log whose quota went back because their jobs failed later. They stay as they were, so sums over rows are less by them. */
export async function refundedRows(
  database: Database,
  { start, end }: LogRange,
  scope: UsageScope = {},
): Promise<RefundedRow[]> {
  const calls = await refundedCalls(database, [{ start, end }], scope.userId);
  if (calls.length === 0) return [];
  const logs = await database.logHome();
  const where = ['created_at >= :start', 'created_at <= :end', ...conditionsOf(scope), 'type = 2'].join(' AND ');
  const rows: RefundedRow[] = [];
  for (let from = 0; from < calls.length; from += callsPerStatement) {
    const ids = calls.slice(from, from + callsPerStatement).map(({ request_id }) => request_id);
    // SQL: the condition of the index that finds them.
    const some = await logs.select<RefundedRow>(
      `SELECT created_at, user_id, token_id, channel_id, model_name, quota FROM logs WHERE ${where} AND request_id IN (:ids)`,
      { ...scope, start, end, ids },
    );
    rows.push(...some);
  }
  return rows;
}

interface Refunds<Sum> {
  refunded: readonly RefundedRow[];
  /** Which sum a row is a part of. */
  rowKey(row: RefundedRow): string;
  sumKey(sum: Sum): string;
}

export function lessRefunded<Sum extends { quota: number }>(
  sums: readonly Sum[],
  { refunded, rowKey, sumKey }: Refunds<NoInfer<Sum>>,
): Sum[] {
  const back = new Map<string, number>();
  for (const row of refunded) back.set(rowKey(row), (back.get(rowKey(row)) ?? 0) + row.quota);
  return sums.map((sum) => ({ ...sum, quota: sum.quota - (back.get(sumKey(sum)) ?? 0) }));
}
