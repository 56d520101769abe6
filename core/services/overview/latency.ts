import type { Database } from '../../database/connect.ts';
import { parseRecord } from '../../lib/json-value.ts';
import type { OverviewLatency, OverviewSpan } from '../../schemas/overview.ts';
import { conditionsOf, type UsageScope } from '../usage/usage-source.ts';

/** The latest of a span say how fast it is; more would cost more than they tell. */
const maxRead = 1000;

/** How long the latest requests of a span took. */
export async function readLatency(
  database: Database,
  { start, end }: OverviewSpan,
  scope: UsageScope = {},
): Promise<OverviewLatency> {
  const logs = await database.logHome();
  // SQL: one column of many rows.
  const rows = await logs.select<{ other: string }>(
    `SELECT other FROM logs WHERE ${[...conditionsOf(scope), 'created_at >= :start'].join(' AND ')}
      AND created_at <= :end AND type = 2 ORDER BY created_at DESC LIMIT ${maxRead}`,
    { start, end, ...scope },
  );
  const records = rows.map(({ other }) => parseRecord(other));
  return latencyOf(
    records.map((record) => record?.duration_ms),
    records.map((record) => record?.frt),
  );
}

/** Of milliseconds; what is no positive number tells nothing. */
export function latencyOf(totals: unknown[], firsts: unknown[]): OverviewLatency {
  const total = sortedNumbers(totals);
  const first = sortedNumbers(firsts);
  return {
    p50: percentile(total, 0.5),
    p95: percentile(total, 0.95),
    first_p50: percentile(first, 0.5),
    first_p95: percentile(first, 0.95),
  };
}

export function sortedNumbers(values: unknown[]): number[] {
  return values.filter((value): value is number => typeof value === 'number' && value > 0).sort((a, b) => a - b);
}

/** Null of nothing. */
export function percentile(sorted: number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}
