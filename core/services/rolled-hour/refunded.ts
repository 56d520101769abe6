import type { Database } from '../../database/connect.ts';
import { secondsPerHour } from '../../lib/clock.ts';
import { cellKey, type HourContent, type KnownCell, type UsageCell } from './hour.ts';

interface Hour {
  hour: number;
  known: KnownCell[];
  found: HourContent;
}

/** So many calls of failed tasks are looked for; an hour with more stays to be read row by row. */
const maxCalls = 5000;
const callsPerStatement = 500;

/**
 * What went back in an hour for tasks that failed later: the hourly sums are less by it, while the rows of the log stay as they were. Only
 * calls of a user and model whose two sums differ are looked at.
 */
export async function refundedIn(main: Database, logs: Database, { hour, known, found }: Hour): Promise<number> {
  const sums = new Map(known.map((cell) => [cellKey(cell), cell.quota]));
  const differing = found.cells.filter((cell) => cell.quota > (sums.get(cellKey(cell)) ?? 0));
  const ids = await requestsOf(logs, hour, differing);
  if (ids.length > maxCalls) return 0;
  let total = 0;
  for (let from = 0; from < ids.length; from += callsPerStatement) {
    // SQL: a sum over a table of the ledger.
    const [row] = await main.select<{ total: number | null }>(
      "SELECT CAST(sum(amount) AS BIGINT) AS total FROM quota_entries WHERE kind = 'task_refund' AND ref IN (:ids)",
      { ids: ids.slice(from, from + callsPerStatement) },
    );
    total += row?.total ?? 0;
  }
  return total;
}

async function requestsOf(logs: Database, hour: number, cells: UsageCell[]): Promise<string[]> {
  if (cells.length === 0) return [];
  // SQL: users and models of all cells, which may be a few more than the cells.
  const rows = await logs.select<{ request_id: string }>(
    `SELECT request_id FROM logs WHERE created_at >= :hour AND created_at <= :end AND type = 2 AND quota > 0
      AND request_id IS NOT NULL AND user_id IN (:users) AND model_name IN (:models) LIMIT ${maxCalls + 1}`,
    {
      hour,
      end: hour + secondsPerHour - 1,
      users: [...new Set(cells.map(({ user_id }) => user_id))],
      models: [...new Set(cells.map(({ model_name }) => model_name))],
    },
  );
  return rows.map(({ request_id }) => request_id);
}
