import type { Database } from '../../database/connect.ts';
import { sumOfQuota } from '../../database/quota-sum.ts';
import { hourOf } from '../../lib/clock.ts';
import { type LogRange, selectRanges } from './split-range.ts';

interface Parted {
  rolled: LogRange[];
  rows: LogRange[];
  /** Undefined = all users. */
  user: number | undefined;
}

interface GivenBack {
  /** Of the channel. */
  id: number;
  quota: number;
}

export const callsPerStatement = 500;

// SQL throughout: grouped sums.

/**
 * Jobs that failed after they were charged, by the hour that has their charge: that of their call, where a former version wrote them.
 * Two statements, so that each is found by the index.
 */
function failedJobs(
  columns: string,
  times: string,
  { user, groupBy = '' }: { user: number | undefined; groupBy?: string },
) {
  const conditions = `status = 'FAILURE'${user === undefined ? '' : ' AND user_id = :user'}
    AND EXISTS (SELECT 1 FROM quota_entries WHERE kind = 'task_refund' AND ref = tasks.request_id)`;
  const select = (found: string) => `SELECT ${columns} FROM tasks WHERE ${found} AND ${conditions} ${groupBy}`;
  return `${select(times.replaceAll('created_at', 'summed_hour'))} UNION ALL ${select(`summed_hour IS NULL AND ${times}`)}`;
}

/**
 * What went back for jobs that failed later, by channel: the rows of the log stay as they were, and so do rolled hours, while the hourly
 * sums are less by it. Of calls whose rows are gone and were not rolled up, nothing.
 */
export async function givenBack(main: Database, logs: Database, { rolled, rows, user }: Parted): Promise<GivenBack[]> {
  const [ofRolled, ofRows] = await Promise.all([
    selectRanges<GivenBack>(
      main,
      rolled,
      (times) =>
        failedJobs(`channel_id AS id, ${sumOfQuota()} AS quota`, times, {
          user,
          groupBy: 'GROUP BY channel_id',
        }),
      { user },
    ),
    refundedCalls(main, rows, user),
  ]);
  return [...ofRolled, ...(await withRow(logs, rows, ofRows))];
}

interface RefundedCall extends GivenBack {
  request_id: string;
}

/** Calls that may have been charged in one of these ranges, or a little before: of jobs that failed later. */
export const refundedCalls = (main: Database, ranges: LogRange[], user: number | undefined): Promise<RefundedCall[]> =>
  selectRanges<RefundedCall>(
    main,
    ranges.map(({ start, end }) => ({ start: hourOf(start), end })),
    (times) => failedJobs('channel_id AS id, quota, request_id', times, { user }),
    { user },
  );

/** Those whose row is still there, in one of the ranges; each once, though two ranges may share an hour. */
async function withRow(logs: Database, ranges: LogRange[], found: RefundedCall[]): Promise<GivenBack[]> {
  const jobs = new Map(found.map((job) => [job.request_id, job]));
  const ids = [...jobs.keys()];
  const kept: GivenBack[] = [];
  for (let from = 0; from < ids.length; from += callsPerStatement) {
    const calls = await logs.select<{ request_id: string; created_at: number }>(
      'SELECT request_id, created_at FROM logs WHERE request_id IN (:ids) AND type = 2',
      { ids: ids.slice(from, from + callsPerStatement) },
    );
    for (const { request_id, created_at: at } of calls) {
      const job = jobs.get(request_id);
      if (job && ranges.some(({ start, end }) => at >= start && at <= end)) kept.push(job);
    }
  }
  return kept;
}
