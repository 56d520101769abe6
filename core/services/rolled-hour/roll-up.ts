import type { Database } from '../../database/connect.ts';
import { sumOfQuota } from '../../database/quota-sum.ts';
import { type Clock, hourAtOrAfter, hourOf, nowSeconds, secondsPerDay, secondsPerHour } from '../../lib/clock.ts';
import {
  type CallSums,
  type HourContent,
  isSame,
  isStorable,
  joined,
  type RolledUp,
  readKnown,
  readRolled,
  readRows,
  totalOf,
  writeHour,
} from './hour.ts';
import { refundedIn } from './refunded.ts';

interface RollUpDependencies {
  database: Database;
  now?: Clock;
  /** No further hour is begun after so long. */
  maxMs?: number;
  /** Only hours before this moment that have calls. */
  calledBefore?: number;
}

export type RollUp = ReturnType<typeof createRollUp>;

/** An hour is left alone for so long after its end: most calls are settled by then. */
const marginSeconds = 300;
/** Hours without a call are rolled up as far back as this, so that they do not part a range into many. */
const emptyDays = 100;

/** The first hour that may still get calls. */
export const firstOpenHour = (now: number): number => hourOf(now - marginSeconds);

/**
 * Adds up the rows of hours that are over, once, for reports that would have to read them all each time. Settlement has no part in it: an
 * hour that gets a late call is rolled up again, and is read row by row until then.
 */
export function createRollUp({ database, now = nowSeconds, maxMs = 2000, calledBefore }: RollUpDependencies) {
  /** Hours that could not be added up: they come last from then on, so that the others are. */
  const failed = new Set<number>();
  const isLater = (hour: number) => Number(failed.has(hour));

  /**
   * The newest hours first, those with calls before the empty ones: rows may be about to be cleared. At least one. Returns how many
   * were rolled up and how many are left for the next time.
   */
  return async function rollUp(signal: AbortSignal): Promise<{ hours: number; left: number }> {
    const over = firstOpenHour(now());
    const { changed, empty } =
      calledBefore === undefined
        ? await dueHours(database, over)
        : { ...(await dueHours(database, Math.min(over, calledBefore))), empty: [] };
    const inOrder = (some: number[]) => some.sort((a, b) => isLater(a) - isLater(b) || b - a);
    const due = [...inOrder(changed), ...inOrder(empty)];
    const startedAt = performance.now();
    let hours = 0;
    for (const [at, hour] of due.entries()) {
      if (signal.aborted || (at > 0 && performance.now() - startedAt >= maxMs)) break;
      failed.add(hour);
      if (await rollHour(database, hour)) hours += 1;
      failed.delete(hour);
    }
    return { hours, left: due.length - hours };
  };
}

// SQL: grouped sums.

/**
 * Hours whose hourly sums are not what they were when they were rolled up. One that could not be proven is tried again only when its
 * sums have changed.
 */
async function dueHours(database: Database, before: number): Promise<{ changed: number[]; empty: number[] }> {
  const read = async (sql: string) => {
    const rows = await database.select<CallSums & { hour: number }>(sql, { before });
    return new Map(rows.map((row) => [row.hour, row]));
  };
  const present = await read(`SELECT created_at AS hour, CAST(sum(count) AS BIGINT) AS calls, ${sumOfQuota()} AS quota
    FROM usage_data WHERE created_at < :before GROUP BY created_at`);
  const known = await read(`SELECT created_at AS hour, known_calls AS calls, known_quota AS quota FROM rolled_hours
    WHERE created_at < :before`);
  const changed = [...present.keys()].filter((hour) => {
    const [sums, rolled] = [present.get(hour), known.get(hour)];
    return !sums || !rolled || !isSame(sums, rolled);
  });
  const oldest = [...present.keys()].reduce((first, hour) => Math.min(first, hour), before);
  const empty = (await emptyHours(database, { oldest, before })).filter(
    (hour) => !present.has(hour) && !known.has(hour),
  );
  return { changed, empty };
}

/** Hours that may be without a call: an hour without sums is known to have no rows only where sums were kept all the time. */
async function emptyHours(
  database: Database,
  { oldest, before }: { oldest: number; before: number },
): Promise<number[]> {
  const [mark] = await database.select<{ at: number }>("SELECT at FROM ledger_marks WHERE name = 'hourly'");
  const first = hourAtOrAfter(Math.max(oldest, mark?.at ?? 0, before - emptyDays * secondsPerDay));
  const count = Math.max(0, (before - first) / secondsPerHour);
  return Array.from({ length: count }, (_, at) => first + at * secondsPerHour);
}

/** False when it has to wait. */
async function rollHour(database: Database, hour: number): Promise<boolean> {
  // In this order: a call that is settled meanwhile makes the rows more than the sums, never the other way around.
  const known = await readKnown(database, hour);
  const logs = await database.logHome();
  if (logs !== database && (await hasRows(database, hour))) return false;
  const total = totalOf(known);
  const found = await readRows(logs, hour, total);
  const rows = totalOf(found.channels);
  if (!isStorable(total) || !isStorable(rows)) return false;
  const refunded =
    rows.calls === total.calls && rows.quota > total.quota
      ? await refundedIn(database, logs, { hour, known, found })
      : 0;
  const sums = { calls: rows.calls, quota: rows.quota - refunded };
  const fresh: RolledUp = { hour, known, content: found, sums };
  const former = isSame(sums, total) ? undefined : await readRolled(database, hour);
  const kept = former && keptHour(former, fresh, await readRows(logs, hour, { after: former.lastId }));
  await writeHour(database, kept ?? fresh);
  return true;
}

/** Rows on their way to the log database. */
async function hasRows(main: Database, hour: number): Promise<boolean> {
  const sql = 'SELECT 1 FROM logs WHERE created_at >= :hour AND created_at <= :end LIMIT 1';
  return (await main.select(sql, { hour, end: hour + secondsPerHour - 1 })).length > 0;
}

/**
 * An hour that was proven and no longer is: its rows have been cleared since, or a late call left no row. Its former roll-up stays, with
 * the rows that came since, and counts as proven: what it lacks at worst is a late call, while the log lacks nearly all. Undefined
 * where the log has more, or where hourly sums were taken away.
 */
function keptHour(former: HourContent, { hour, known, content, sums: found }: RolledUp, late: HourContent) {
  const kept = joined(former, late);
  const sums = totalOf(known);
  if (found.calls > totalOf(kept.channels).calls || sums.calls < totalOf(former.cells).calls) return undefined;
  return { hour, known, content: { ...kept, lastId: Math.max(kept.lastId, content.lastId) }, sums };
}
