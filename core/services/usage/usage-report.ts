import type { ReportDatabase } from '../../database/report-database.ts';
import { type Clock, hourOf, nowSeconds, secondsPerDay } from '../../lib/clock.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { maxOverviewDays } from '../../schemas/overview-days.ts';
import type { UsageDataRange } from '../../schemas/usage-data.ts';
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
import { addUp, type CallParts, noParts, partNames, roundedParts } from '../rolled-hour/parts.ts';
import { channelSums, partsBy } from '../rolled-hour/read-sums.ts';
import { boundsOf } from './usage-sums.ts';

export type UsageReportService = ReturnType<typeof createUsageReportService>;

// SQL throughout: grouped sums.

interface Range {
  start: number;
  end: number;
  user: number | undefined;
}

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
    return report(by, { start, end, user: username === '' ? undefined : await userIdOf(username) }, split);
  }

  /** The same with its parts, for pages: read once however many ask, and of a longer time only the last days. */
  async function readShared(actor: Actor, { by, username, ...times }: UsageReportQuery): Promise<UsageSum[]> {
    requireRole(actor, role.admin);
    const user = username === '' ? undefined : await userIdOf(username);
    return shared(by, times, user);
  }

  /** Of the own account. */
  async function readOwn(actor: Actor, { by, ...times }: OwnUsageReportQuery): Promise<UsageSum[]> {
    return shared(by, times, actor.id);
  }

  function shared(by: UsageSubject, times: UsageDataRange, user: number | undefined): Promise<UsageSum[]> {
    const { start, end: until } = boundsOf(times, now());
    // Cut to the last days before a far end, nothing would be left.
    const end = Math.min(until, now());
    const range = { start: Math.max(start, end - maxSpanSeconds), end, user };
    const key = [by, user ?? 'all', ...[range.start, end].map((time) => Math.floor(time / keyGridSeconds))].join(' ');
    return cached(key, () => report(by, range, true));
  }

  async function report(by: UsageSubject, { start, end, user }: Range, isSplit: boolean): Promise<UsageSum[]> {
    // From a full hour on, so that every report of a range tells of the same calls.
    const range = { start: hourOf(start), end, user };
    if (by === 'channel') return byChannel(range);
    const [sums, parts] = await Promise.all([
      by === 'day' ? byDay(range) : byHourlySums(by, range),
      isSplit ? partsOf(by, range) : undefined,
    ]);
    const keyOf = ({ name, id }: Sum) => (by === 'user' ? String(id) : name);
    return sums.map((sum) => ({ ...sum, ...(parts ? (parts.get(keyOf(sum)) ?? noParts) : notSplit) }));
  }

  /** -1, an impossible id, when no user has this name. */
  async function userIdOf(username: string): Promise<number> {
    const where = { username_key: usernameKey(username) };
    const user = await reports.read(({ users }) => users.findOne({ attributes: ['id'], where, raw: true }));
    return user?.id ?? -1;
  }

  /** The hourly sums outlive the rows of the log that are cleared. */
  function byHourlySums(by: 'model' | 'user', range: Range): Promise<Sum[]> {
    // A name may have changed within the range: the last in the alphabet stands for all.
    const [name, id, key] =
      by === 'model' ? ['model_name', '0', 'model_name'] : ['max(username)', 'user_id', 'user_id'];
    return reports.read((from) =>
      from.select<Sum>(
        `SELECT ${name} AS name, ${id} AS id, ${sumsOfHours} FROM usage_data ${conditionsOf(range)}
          GROUP BY ${key} ORDER BY sum(quota) DESC, ${key}`,
        { ...range },
      ),
    );
  }

  async function byDay(range: Range): Promise<Sum[]> {
    const hours = await reports.read((from) =>
      from.select<HourSum>(
        `SELECT created_at AS hour, ${sumsOfHours} FROM usage_data ${conditionsOf(range)}
          GROUP BY created_at ORDER BY created_at`,
        { ...range },
      ),
    );
    return daysOf(hours);
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

  /** What the hourly sums do not contain, by the name of the model or day, or the id of the user. */
  async function partsOf(by: 'model' | 'user' | 'day', range: Range): Promise<Map<string, CallParts>> {
    const rows = await reports.read((from) => partsBy(from, by === 'day' ? 'hour' : by, range));
    const named = rows.map((row) => ({ ...row, key: by === 'day' ? dayOf(Number(row.key)) : String(row.key) }));
    return new Map(addUp(named, ({ key }) => key, partNames).map(({ key, ...row }) => [key, roundedParts(row)]));
  }

  return { read, readShared, readOwn };
}

type Sum = Omit<UsageSum, keyof CallParts>;

interface HourSum extends Omit<Sum, 'name' | 'id'> {
  /** Unix seconds of the full hour. */
  hour: number;
}

const notSplit = { prompt_tokens: null, completion_tokens: null, cached_tokens: null, saved_quota: null };

/** Which hours make a day depends on where the reader is. */
function daysOf(hours: HourSum[]): Sum[] {
  const days = new Map<string, Sum>();
  for (const { hour, calls, tokens, quota } of hours) {
    const name = dayOf(hour);
    const day = days.get(name) ?? { name, id: 0, calls: 0, tokens: 0, quota: 0 };
    days.set(name, { ...day, calls: day.calls + calls, tokens: day.tokens + tokens, quota: day.quota + quota });
  }
  return [...days.values()];
}

// PostgreSQL returns sums of decimals as text.
const sumsOfHours = `CAST(sum(count) AS BIGINT) AS calls, CAST(sum(token_used) AS BIGINT) AS tokens,
  CAST(sum(quota) AS BIGINT) AS quota`;

const conditionsOf = ({ user }: Range) =>
  `WHERE created_at >= :start AND created_at <= :end${user === undefined ? '' : ' AND user_id = :user'}`;

function dayOf(seconds: number): string {
  const date = new Date(seconds * 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  return [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
}
