import type { Database } from '../../database/connect.ts';
import { hourOf } from '../../lib/clock.ts';
import type { OverviewSpan, OverviewTotals } from '../../schemas/overview.ts';
import { sumLogs } from '../log/sum.ts';
import { isHourly, selectionOf, sourceDatabase, sourceOf, type UsageScope } from '../usage/usage-source.ts';
import { countFailures } from './failures.ts';

// SQL throughout: grouped sums.

/** Sums of a span. */
export async function readTotals(
  database: Database,
  { start, end }: OverviewSpan,
  scope: UsageScope = {},
): Promise<OverviewTotals> {
  const [sums, users, failed] = await Promise.all([
    sumLogs(database, selectionOf(scope), { start, end }),
    countUsers(database, { start, end }, scope),
    countFailures(database, { start, end }, scope),
  ]);
  return { requests: sums.calls, quota: sums.quota, tokens: sums.tokens, users, failed };
}

/** Requests and tokens of the minute before a moment. */
export async function readPace(database: Database, at: number, scope: UsageScope = {}) {
  const { calls, tokens } = await sumLogs(database, selectionOf(scope), { start: at - 60, end: at });
  return { rpm: calls, tpm: tokens };
}

/** Hourly sums count a user of the hour that the span begins in. Of a single user there is nothing to count. */
async function countUsers(database: Database, { start, end }: OverviewSpan, scope: UsageScope): Promise<number> {
  if (scope.userId !== undefined) return 0;
  const { table, where, replacements } = sourceOf(scope);
  const conditions = ['created_at >= :start', 'created_at <= :end', ...where];
  const source = await sourceDatabase(database, table);
  const [row] = await source.select<{ users: number }>(
    `SELECT count(DISTINCT user_id) AS users FROM ${table} WHERE ${conditions.join(' AND ')}`,
    { ...replacements, start: isHourly(scope) ? hourOf(start) : start, end },
  );
  return row?.users ?? 0;
}
