import type { Database } from '../../database/connect.ts';
import { parseRecord } from '../../lib/json-value.ts';
import { logType } from '../../schemas/log-type.ts';
import type { OverviewSpan } from '../../schemas/overview.ts';
import { conditionsOf, type UsageScope } from '../usage/usage-source.ts';

// SQL throughout: counts and columns of rows that one index must find.

/** The second half of the condition is that of the index. */
export const isError = `type = ${logType.error} AND type <> 2`;
export const maxCounting = 10_000;

/** How many requests failed in a span. */
export async function countFailures(
  database: Database,
  { start, end }: OverviewSpan,
  scope: UsageScope = {},
): Promise<number> {
  const where = [isError, 'created_at >= :start', 'created_at <= :end', ...conditionsOf(scope)].join(' AND ');
  const replacements = { start, end, ...scope };
  const logs = await database.logHome();
  const [single] = await logs.select<{ count: number }>(
    `SELECT count(*) AS count FROM logs WHERE ${where} AND request_id IS NOT NULL`,
    replacements,
  );
  // Beyond so many in a minute one row says how many more there were.
  const sums = await logs.select<{ other: string }>(
    `SELECT other FROM logs WHERE ${where} AND request_id IS NULL LIMIT ${maxCounting}`,
    replacements,
  );
  return sums.reduce((sum, { other }) => sum + countIn(other), single?.count ?? 0);
}

/** Of how many requests a counting row tells. */
export function countIn(other: string): number {
  const count = parseRecord(other)?.count;
  return typeof count === 'number' && count > 0 ? count : 1;
}
