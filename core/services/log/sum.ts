import type { Database } from '../../database/connect.ts';
import { sumOfQuota } from '../../database/quota-sum.ts';
import { hourAtOrAfter, hourOf } from '../../lib/clock.ts';
import { callsPerStatement, refundedCalls } from '../rolled-hour/given-back.ts';
import { selectRanges, splitRange } from '../rolled-hour/split-range.ts';
import { keyCondition, type LogSelection, whereOf } from './filter.ts';
import { countUpTo, planRead } from './page.ts';

export interface LogSums {
  quota: number;
  calls: number;
  tokens: number;
}

interface Range {
  /** Unix seconds, both included. */
  start: number;
  end: number;
}

// SQL throughout: sums over many rows, and one mark of the ledger.

const noSums: LogSums = { quota: 0, calls: 0, tokens: 0 };
const latest = Number.MAX_SAFE_INTEGER;
const manyRows = 30_000;
/** Hourly sums know nothing else of a call. */
const hourlyColumns = new Set(['user_id', 'model_name']);

/**
 * What the consumption rows of a selection add up to, less what went back for jobs that failed later. Whole hours come from the hourly sums, where those are complete and know what
 * is asked, or from rolled hours for a channel; only the hours cut by the range, and whatever the sums cannot tell apart, are added
 * row by row.
 */
export async function sumLogs(database: Database, selection: LogSelection, { start, end }: Range): Promise<LogSums> {
  const range = { start, end: end || latest };
  if (selection.isEmpty || range.start > range.end) return noSums;
  if (isOneChannel(selection) && (await hasManyRows(database, selection, range)))
    return sumChannel(database, selection, range);
  const isHourly = selection.rest.length === 0 && selection.keys.every(({ column }) => hourlyColumns.has(column));
  if (!isHourly) return sumRows(database, selection, range);
  const hours = await wholeHours(database, range);
  if (!hours) return sumRows(database, selection, range);
  const parts = await Promise.all([
    sumRows(database, selection, { start: range.start, end: hours.start - 1 }),
    sumHours(database, selection, hours),
    sumRows(database, selection, { start: hours.end + 1, end: range.end }),
  ]);
  return parts.reduce(add);
}

const isOneChannel = ({ keys, rest }: LogSelection): boolean =>
  rest.length === 0 && keys.length === 1 && keys[0]?.column === 'channel_id';

/** To add up fewer is quicker than to find out which hours are proven. */
async function hasManyRows(database: Database, { keys, replacements }: LogSelection, range: Range): Promise<boolean> {
  const logs = await database.logHome();
  const conditions = [...keys.map((key) => keyCondition(key, false)), ...rangeConditions(range)];
  return (await countUpTo(logs, manyRows, conditions, { ...replacements, ...range })) >= manyRows;
}

/** Of rows that were cleared nothing is said, although rolled hours would know it: a sum tells of the same calls as the list. */
async function sumChannel(database: Database, selection: LogSelection, range: Range): Promise<LogSums> {
  const { keys, replacements } = selection;
  const [mark] = await database.select<{ at: number }>("SELECT at FROM ledger_marks WHERE name = 'cleared'");
  const cleared = Math.min(hourAtOrAfter(Math.max(range.start, mark?.at ?? 0)), range.end + 1);
  const { rolled, rows } = await splitRange(database, { start: cleared, end: range.end });
  const channel = keys.map((key) => keyCondition(key, false)).join(' AND ');
  const logs = await database.logHome();
  const parts = await Promise.all([
    selectRanges<Nullable<LogSums>>(
      database,
      rolled,
      (times) => `SELECT ${sumOfQuota()} AS quota, CAST(sum(calls) AS BIGINT) AS calls,
        CAST(sum(prompt_tokens + completion_tokens) AS BIGINT) AS tokens FROM channel_hours WHERE ${channel} AND ${times}`,
      replacements,
    ),
    selectRanges<Nullable<LogSums>>(
      logs,
      [{ start: range.start, end: cleared - 1 }, ...rows].filter(({ start, end }) => start <= end),
      (times) => `SELECT ${sumsOfRows} FROM logs WHERE ${channel} AND ${times} AND type = 2`,
      replacements,
    ),
    givenBack(database, selection, range),
  ]);
  return parts.flat().map(filled).reduce(add, noSums);
}

/** The hours that lie in the range as a whole and whose sums are known to equal their rows. */
async function wholeHours(database: Database, { start, end }: Range): Promise<Range | undefined> {
  const [mark] = await database.select<{ at: number }>("SELECT at FROM ledger_marks WHERE name = 'hourly'");
  const first = Math.max(hourAtOrAfter(start), mark?.at ?? 0);
  const last = end === latest ? latest : hourOf(end + 1) - 1;
  return first < last ? { start: first, end: last } : undefined;
}

async function sumHours(database: Database, { keys, replacements }: LogSelection, range: Range): Promise<LogSums> {
  const isWide = database.engine === 'sqlite' && (await isLargePart(database, range));
  const conditions = [...keys.map((key) => keyCondition(key, false)), ...rangeConditions(range, isWide)];
  const [row] = await database.select<Nullable<LogSums>>(
    // PostgreSQL returns sums of decimals as text.
    `SELECT ${sumOfQuota()} AS quota, CAST(sum(count) AS BIGINT) AS calls,
      CAST(sum(token_used) AS BIGINT) AS tokens FROM usage_data ${whereOf(conditions)}`,
    { ...replacements, ...range },
  );
  return filled(row);
}

async function sumRows(database: Database, selection: LogSelection, range: Range): Promise<LogSums> {
  if (range.start > range.end) return noSums;
  const times = rangeConditions(range);
  const logs = await database.logHome();
  const plan = await planRead(logs, {
    ...selection,
    times,
    rest: [...selection.rest, 'type = 2'],
    replacements: { ...selection.replacements, ...range },
  });
  const parts = await Promise.all([
    logs.select<Nullable<LogSums>>(
      `SELECT ${sumsOfRows} FROM logs ${whereOf([...plan.byIndex, ...plan.byRow])}`,
      plan.replacements,
    ),
    givenBack(database, selection, range),
  ]);
  return parts.flat().map(filled).reduce(add, noSums);
}

/** The hourly sums are less by what went back, while its rows stay as they were: without this, a sum would depend on where hours are cut. */
async function givenBack(database: Database, selection: LogSelection, range: Range): Promise<LogSums[]> {
  const calls = await refundedCalls(database, [range], userIn(selection));
  if (calls.length === 0) return [];
  const logs = await database.logHome();
  const keys = selection.keys.map((key) => keyCondition(key, false));
  const conditions = [...keys, ...rangeConditions(range), ...selection.rest, 'type = 2', 'request_id IN (:refunded)'];
  const sums: LogSums[] = [];
  for (let from = 0; from < calls.length; from += callsPerStatement) {
    const refunded = calls.slice(from, from + callsPerStatement).map(({ request_id }) => request_id);
    const [row] = await logs.select<Nullable<Pick<LogSums, 'quota'>>>(
      `SELECT ${sumOfQuota()} AS quota FROM logs ${whereOf(conditions)}`,
      { ...selection.replacements, ...range, refunded },
    );
    sums.push({ ...noSums, quota: -(row?.quota ?? 0) });
  }
  return sums;
}

/** The one user whose rows are asked for. */
function userIn({ keys, replacements }: LogSelection): number | undefined {
  const key = keys.find(({ column }) => column === 'user_id');
  const [, name = ''] = /^= :(\w+)$/.exec(key?.test ?? '') ?? [];
  const id = replacements[name];
  return typeof id === 'number' ? id : undefined;
}

const sumsOfRows = `${sumOfQuota()} AS quota, count(*) AS calls,
  CAST(sum(prompt_tokens + completion_tokens) AS BIGINT) AS tokens`;

/** Then reading the table from end to end beats jumping into it for each entry of the index; PostgreSQL sees that itself. */
async function isLargePart(database: Database, { start, end }: Range): Promise<boolean> {
  const [edges] = await database.select<{ oldest: number | null; newest: number | null }>(
    'SELECT (SELECT min(created_at) FROM usage_data) AS oldest, (SELECT max(created_at) FROM usage_data) AS newest',
  );
  const { oldest, newest } = edges ?? {};
  if (!oldest || !newest) return false;
  return (Math.min(end, newest) - Math.max(start, oldest)) * 5 > newest - oldest;
}

/** `hidden` keeps SQLite from using the index of the times. */
function rangeConditions({ start, end }: Range, hidden = false): string[] {
  const column = `${hidden ? '+' : ''}created_at`;
  return [...(start > 0 ? [`${column} >= :start`] : []), ...(end < latest ? [`${column} <= :end`] : [])];
}

type Nullable<T> = { [K in keyof T]: T[K] | null };

const filled = (row: Nullable<LogSums> | undefined): LogSums => ({
  quota: row?.quota ?? 0,
  calls: row?.calls ?? 0,
  tokens: row?.tokens ?? 0,
});

const add = (a: LogSums, b: LogSums): LogSums => ({
  quota: a.quota + b.quota,
  calls: a.calls + b.calls,
  tokens: a.tokens + b.tokens,
});
