import type { Database } from '../../database/connect.ts';
import { sumOfQuota } from '../../database/quota-sum.ts';
import { hourAtOrAfter, hourOf, secondsPerHour } from '../../lib/clock.ts';

/** Unix seconds, both included. */
export interface LogRange {
  start: number;
  end: number;
}

/** An hour of which rows were cleared while it was not over: it was added up before, and goes on with the rows behind this id. */
export interface ContinuedHour extends LogRange {
  lastId: number;
}

interface HourSums {
  hour: number;
  calls: number;
  quota: number;
}

interface KnownHour extends HourSums {
  last_id: number;
}

interface Split {
  rolled: LogRange[];
  rows: LogRange[];
  /** Empty unless asked for. */
  continued: ContinuedHour[];
}

// SQL throughout: grouped sums.

/**
 * Which parts of a range are read from rolled hours, and which from the rows of the log. An hour is read rolled up only while it is
 * proven: what its rows added up to is what the hourly sums had then, and they have the same now. With a user, only that user's
 * sums must be the same: a late call of someone else changes nothing. With `knowsCleared`, rows that are gone from the running hour are
 * told of, too.
 */
export async function splitRange(
  database: Database,
  { start, end, user, knowsCleared = false }: LogRange & { user?: number | undefined; knowsCleared?: boolean },
): Promise<Split> {
  // Hours that lie in the range as a whole.
  const bounds = { start: hourAtOrAfter(start), end: end - secondsPerHour + 1, user };
  const known = await knownSums(database, bounds);
  const [first, last] = [known[0], known.at(-1)];
  // Right after an upgrade nothing is rolled up, and nothing more is read than without.
  if (!first || !last) return { rolled: [], rows: [{ start, end }], continued: [] };
  const present = await presentSums(database, { start: first.hour, end: last.hour, user });
  const isProven = ({ hour, calls, quota }: HourSums) => {
    const sums = present.get(hour);
    return calls === (sums?.calls ?? 0) && quota === (sums?.quota ?? 0);
  };
  const changed = known.filter((hour) => !isProven(hour));
  const continued = knowsCleared && changed.length > 0 ? await continuedOf(database, changed) : [];
  const isContinued = new Set(continued.map((range) => range.start));
  const summed = merged(known.filter((one) => isProven(one) || isContinued.has(one.hour)));
  return { rolled: merged(known.filter(isProven)), rows: gaps({ start, end }, summed), continued };
}

/** The rows of other hours are all there. */
async function continuedOf(database: Database, changed: readonly KnownHour[]): Promise<ContinuedHour[]> {
  const [mark] = await database.select<{ at: number }>("SELECT at FROM ledger_marks WHERE name = 'cleared'");
  return changed
    .filter(({ hour }) => hour < (mark?.at ?? 0))
    .map(({ hour, last_id: lastId }) => ({ start: hour, end: hour + secondsPerHour - 1, lastId }));
}

/** What the hourly sums had when hours were rolled up, in the order of time; only hours whose rows added up to the same. */
function knownSums(database: Database, bounds: LogRange & { user: number | undefined }): Promise<KnownHour[]> {
  const proven = `rolled.created_at >= :start AND rolled.created_at <= :end
    AND rolled.calls = rolled.known_calls AND rolled.quota = rolled.known_quota`;
  return database.select<KnownHour>(
    bounds.user === undefined
      ? `SELECT created_at AS hour, known_calls AS calls, known_quota AS quota, last_id FROM rolled_hours AS rolled
          WHERE ${proven} ORDER BY created_at`
      : `SELECT rolled.created_at AS hour, CAST(coalesce(sum(parts.known_calls), 0) AS BIGINT) AS calls,
            coalesce(${sumOfQuota('parts.known_quota')}, 0) AS quota, rolled.last_id
          FROM rolled_hours AS rolled
          LEFT JOIN usage_parts AS parts ON parts.created_at = rolled.created_at AND parts.user_id = :user
          WHERE ${proven} GROUP BY rolled.created_at, rolled.last_id ORDER BY rolled.created_at`,
    { ...bounds },
  );
}

async function presentSums(
  database: Database,
  { user, ...range }: LogRange & { user: number | undefined },
): Promise<Map<number, HourSums>> {
  const rows = await selectHalves<HourSums>(
    database,
    [range],
    (times) => `SELECT created_at AS hour, CAST(sum(count) AS BIGINT) AS calls, ${sumOfQuota()} AS quota FROM usage_data
      WHERE ${times}${user === undefined ? '' : ' AND user_id = :user'} GROUP BY created_at`,
    { user },
  );
  return new Map(rows.map((row) => [row.hour, row]));
}

/** Hours that follow each other as one range. */
function merged(hours: HourSums[]): LogRange[] {
  const ranges: LogRange[] = [];
  for (const { hour } of hours) {
    const last = ranges.at(-1);
    const end = hour + secondsPerHour - 1;
    if (last && last.end + 1 === hour) last.end = end;
    else ranges.push({ start: hour, end });
  }
  return ranges;
}

/** What of the range lies in none of the others, which are in order. */
function gaps({ start, end }: LogRange, taken: LogRange[]): LogRange[] {
  const starts = [start, ...taken.map((range) => range.end + 1)];
  const ends = [...taken.map((range) => range.start - 1), end];
  return starts.map((from, at) => ({ start: from, end: ends[at] ?? end })).filter((gap) => gap.start <= gap.end);
}

const rangesPerStatement = 50;

/**
 * The rows of all ranges. Each range is a statement of its own within one for fifty of them, so that each is found by the index that
 * a single one is found by.
 */
export async function selectRanges<Row extends object>(
  database: Database,
  ranges: LogRange[],
  sqlOf: (times: string) => string,
  replacements: Record<string, unknown> = {},
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let from = 0; from < ranges.length; from += rangesPerStatement) {
    const some = ranges.slice(from, from + rangesPerStatement);
    const parts = some.map((_, at) => sqlOf(`created_at >= :start${at} AND created_at <= :end${at}`));
    const times = some.flatMap(({ start, end }, at): [string, number][] => [
      [`start${at}`, start],
      [`end${at}`, end],
    ]);
    const all = { ...replacements, ...Object.fromEntries(times) };
    rows.push(...(await database.select<Row>(parts.join(' UNION ALL '), all)));
  }
  return rows;
}

/** The same in two halves beside each other, for what a report waits for longest: SQLite reads on two connections. */
export async function selectHalves<Row extends object>(
  ...[database, ranges, sqlOf, replacements]: Parameters<typeof selectRanges<Row>>
): Promise<Row[]> {
  const rows = await Promise.all(halves(ranges).map((half) => selectRanges<Row>(database, half, sqlOf, replacements)));
  return rows.flat();
}

/** What lies before and after the middle of the ranges, cut at a full hour. */
function halves(ranges: LogRange[]): LogRange[][] {
  const [first, last] = [ranges[0], ranges.at(-1)];
  if (!first || !last) return [];
  const middle = hourOf((first.start + last.end) / 2);
  const early = ranges.map(({ start, end }) => ({ start, end: Math.min(end, middle - 1) }));
  const late = ranges.map(({ start, end }) => ({ start: Math.max(start, middle), end }));
  return [early, late].map((half) => half.filter(({ start, end }) => start <= end));
}
