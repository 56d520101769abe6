import type { Database } from '../../database/connect.ts';
import type { ReportDatabase } from '../../database/report-database.ts';
import { type Clock, hourAtOrAfter, hourOf, nowSeconds, secondsPerDay, secondsPerHour } from '../../lib/clock.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { maxOverviewDays } from '../../schemas/overview-days.ts';
import type { UsageDataRange, UsageDataSpan } from '../../schemas/usage-data.ts';
import type {
  OwnUsageReportQuery,
  UsageReportInput,
  UsageReportQuery,
  UsageSubject,
  UsageSum,
} from '../../schemas/usage-report.ts';
import { usernameKey } from '../../schemas/user.ts';
import { requireRole } from '../actor.ts';
import { createReadingCache } from '../overview/reading-cache.ts';
import { addUp, type CallParts, partNames, roundedParts } from '../rolled-hour/parts.ts';
import { channelSums, type UsageTotals, usageBy } from '../rolled-hour/read-sums.ts';
import { slotsOf } from './slots.ts';
import { boundsOf } from './usage-sums.ts';

export type UsageReportService = ReturnType<typeof createUsageReportService>;

interface Range {
  start: number;
  end: number;
  user: number | undefined;
  /** The day that a moment belongs to. */
  dayOf: DayOf;
}

type DayOf = (seconds: number) => string;
type Times = UsageDataRange & Pick<UsageDataSpan, 'utc_offset' | 'time_zone'>;
type OwnQuery = Times & Pick<OwnUsageReportQuery, 'by'>;
type SharedQuery = Times & Pick<UsageReportQuery, 'by' | 'username'>;

interface UsageReportDependencies {
  reports: Pick<ReportDatabase, 'read'>;
  now?: Clock;
}

/** Ranges that end now differ with every second; pages that ask within this many share a reading. */
const keyGridSeconds = 10;
const maxSpanSeconds = maxOverviewDays * secondsPerDay;

/** What was used in a range, the largest spending first; days in their order. */
export function createUsageReportService({ reports, now = nowSeconds }: UsageReportDependencies) {
  const cached = createReadingCache();

  async function read(actor: Actor, input: UsageReportInput): Promise<UsageSum[]> {
    requireRole(actor, role.admin);
    const { by, username, split, start_timestamp: start, end_timestamp: end } = input;
    const user = username === '' ? undefined : await userIdOf(username);
    return report(by, { start, end, user, dayOf: localDay }, split);
  }

  /** The same with its parts, for pages: read once however many ask, and of a longer time only the last days. */
  async function readShared(actor: Actor, { by, username, ...times }: SharedQuery): Promise<UsageSum[]> {
    requireRole(actor, role.admin);
    const user = username === '' ? undefined : await userIdOf(username);
    return shared(by, times, user);
  }

  /** Of the own account. */
  async function readOwn(actor: Actor, { by, ...times }: OwnQuery): Promise<UsageSum[]> {
    return shared(by, times, actor.id);
  }

  function shared(by: UsageSubject, { utc_offset, time_zone, ...times }: Times, user?: number): Promise<UsageSum[]> {
    const { start, end: until } = boundsOf(times, now());
    // Cut to the last days before a far end, nothing would be left.
    const end = Math.min(until, now());
    const span = { start: Math.max(start, end - maxSpanSeconds), end };
    const range = { ...span, user, dayOf: dayIn({ utc_offset, time_zone }, span) };
    const clock = by === 'day' ? [time_zone ?? utc_offset] : [];
    const key = [
      by,
      ...clock,
      user ?? 'all',
      ...[range.start, end].map((time) => Math.floor(time / keyGridSeconds)),
    ].join(' ');
    return cached(key, () => report(by, range, true));
  }

  async function report(by: UsageSubject, { start, end, ...rest }: Range, isSplit: boolean): Promise<UsageSum[]> {
    // Full hours, at least one, so that every report of a range tells of the same calls. One that begins with the end is left out.
    const first = firstHour(start, end);
    const range = { start: first, end: Math.max(hourAtOrAfter(end), first + secondsPerHour) - 1, ...rest };
    if (by === 'channel') return byChannel(range);
    const sums = await byHours(by, { ...range, isSplit });
    return isSplit ? sums.map(roundedParts) : sums.map((sum) => ({ ...sum, ...notSplit }));
  }

  /** -1, an impossible id, when no user has this name. */
  async function userIdOf(username: string): Promise<number> {
    const where = { username_key: usernameKey(username) };
    const user = await reports.read(({ users }) => users.findOne({ attributes: ['id'], where, raw: true }));
    return user?.id ?? -1;
  }

  /** The hourly sums outlive the rows of the log that are cleared. */
  function byHours(by: 'model' | 'user' | 'day', range: Range & { isSplit: boolean }): Promise<Sum[]> {
    return reports.read(async (from) => {
      const totals = await usageBy(from, by === 'day' ? 'hour' : by, range);
      if (by === 'day') return daysOf(totals, range.dayOf);
      const names = by === 'user' ? await userNames(from, totals) : undefined;
      return totals
        .map(({ key, ...sums }) => ({
          name: names?.get(Number(key)) ?? String(key),
          id: names ? Number(key) : 0,
          ...sums,
        }))
        .sort((a, b) => b.quota - a.quota || (names ? a.id - b.id : byText(a.name, b.name)));
    });
  }

  /** The hourly sums do not know which channel served; of a channel that was removed the number is left. */
  function byChannel(range: Range): Promise<UsageSum[]> {
    return reports.read(async (from) => {
      const sums = await channelSums(from, range);
      const id = sums.map((sum) => sum.id);
      const channels = await from.channels.findAll({ attributes: ['id', 'name'], where: { id }, raw: true });
      const names = new Map(channels.map((channel) => [channel.id, channel.name]));
      return sums.map((sum) => ({
        ...sum,
        name: names.get(sum.id) ?? '',
        tokens: sum.prompt_tokens + sum.completion_tokens,
      }));
    });
  }

  return { read, readShared, readOwn };
}

const quarterSeconds = 900;

/**
 * Clocks differ from UTC by whole quarters of an hour: a range that begins at one, such as midnight in India, begins with the next
 * full hour, as it does in charts. The hour before it counts for the day before.
 */
function firstHour(start: number, end: number): number {
  const next = hourAtOrAfter(start);
  return start % quarterSeconds === 0 && next <= end ? next : hourOf(start);
}

type Sum = Omit<UsageSum, keyof CallParts> & CallParts;

const notSplit = { prompt_tokens: null, completion_tokens: null, cached_tokens: null, saved_quota: null };

/** Which hours make a day depends on where the reader is. */
function daysOf(hours: UsageTotals[], dayOf: DayOf): Sum[] {
  const named = hours
    .map(({ key, ...sums }) => ({ name: dayOf(Number(key)), id: 0, ...sums }))
    .sort((a, b) => byText(a.name, b.name));
  return addUp(named, ({ name }) => name, ['calls', 'tokens', 'quota', ...partNames]);
}

const byText = (a: string, b: string): number => Number(a > b) - Number(a < b);

/** As they are named now; one whose account was erased, as the hourly sums have it. */
async function userNames(database: Database, totals: UsageTotals[]): Promise<Map<number, string>> {
  const id = totals.map(({ key }) => Number(key));
  const users = await database.users.findAll({ attributes: ['id', 'username'], where: { id }, raw: true });
  const names = new Map(users.map((user) => [user.id, user.username]));
  const nameless = id.filter((one) => !names.get(one));
  if (nameless.length === 0) return names;
  // SQL: the last name in the alphabet of each.
  const known = await database.select<{ id: number; name: string }>(
    'SELECT user_id AS id, max(username) AS name FROM usage_data WHERE user_id IN (:nameless) GROUP BY user_id',
    { nameless },
  );
  for (const { id: one, name } of known) names.set(one, name);
  return names;
}

/** For a command and the terminal UI: their clock is the reader's. */
function localDay(seconds: number): string {
  const date = new Date(seconds * 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  return [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
}

/** For pages and API clients, which may be elsewhere than the server. */
function dayIn(clock: Pick<Times, 'utc_offset' | 'time_zone'>, range: { start: number; end: number }): DayOf {
  const days = slotsOf({ ...clock, unit: 'day' }, range);
  return (seconds) => new Date(days.of(seconds) * secondsPerDay * 1000).toISOString().slice(0, 10);
}
