import type { Database } from '../../database/connect.ts';
import { hourOf } from '../../lib/clock.ts';
import type { OverviewSpan, OverviewTotals } from '../../schemas/overview.ts';
import type { LogSelection } from '../log/filter.ts';
import { sumLogs } from '../log/sum.ts';
import { countFailures } from './failures.ts';

// SQL throughout: grouped sums.

/** Sums of a span, of one user or of all. */
export async function readTotals(
  database: Database,
  { start, end }: OverviewSpan,
  userId?: number,
): Promise<OverviewTotals> {
  const [sums, users, failed] = await Promise.all([
    sumLogs(database, selectionOf(userId), { start, end }),
    userId === undefined ? countUsers(database, { start, end }) : 0,
    countFailures(database, { start, end }, userId),
  ]);
  return { requests: sums.calls, quota: sums.quota, tokens: sums.tokens, users, failed };
}

/** Requests and tokens of the last minute. */
export async function readPace(database: Database, now: number, userId?: number) {
  const { calls, tokens } = await sumLogs(database, selectionOf(userId), { start: now - 60, end: 0 });
  return { rpm: calls, tpm: tokens };
}

const selectionOf = (userId: number | undefined): LogSelection => ({
  keys: userId === undefined ? [] : [{ column: 'user_id', test: '= :user_id' }],
  times: [],
  rest: [],
  replacements: { user_id: userId },
  isEmpty: false,
});

/** By the hour: a user of the hour that the span begins in counts. */
async function countUsers(database: Database, { start, end }: OverviewSpan): Promise<number> {
  const [row] = await database.select<{ users: number }>(
    'SELECT count(DISTINCT user_id) AS users FROM usage_data WHERE created_at >= :start AND created_at <= :end',
    { start: hourOf(start), end },
  );
  return row?.users ?? 0;
}
