import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { OwnOverview } from '../../../core/schemas/overview.ts';
import type { UsageData, UserUsage } from '../../../core/schemas/usage-data.ts';
import type { UsageSubject, UsageSum } from '../../../core/schemas/usage-report.ts';
import type { User } from '../../../core/schemas/user.ts';
import { type RangeFilters, timeRange } from '../components/list/time-range.ts';
import { isAdmin, sessionUser } from '../state/session.ts';
import { api } from './client.ts';
import { useStatus } from './status.ts';

export type UsageFilters = RangeFilters & { username: string; unit: string };

/** The sums of a range end now: own ones are read for 30 days at once, and no hour more. */
export function usageRange({ range, start, end }: RangeFilters) {
  const now = Math.floor(Date.now() / 1000);
  const time = timeRange({ range, start, end }, now);
  return { start: time.start, end: Math.min(time.end, now) };
}

/** Beyond a week hours are not drawn. */
const maxHourlySeconds = 170 * 3600;
const halfDay = 43_200;

/** What sums of a time are read by. */
const drawnUnit = (seconds: number) => (seconds > maxHourlySeconds ? 'day' : 'hour');

/** A day's sums in the middle of the day: its first hour is another one where the clock was changed since. */
export const middleOfDay = <T extends { created_at: number }>(row: T): T => later(row, halfDay);
export const middleOfWeek = <T extends { created_at: number }>(row: T): T => later(row, 7 * halfDay);

const later = <T extends { created_at: number }>(row: T, seconds: number): T => ({
  ...row,
  created_at: row.created_at + seconds,
});

/** Sums per model, by hour or day; where a day begins depends on who looks. */
async function readSums(range: Span, username: string, signal: AbortSignal): Promise<UsageData[]> {
  const unit = drawnUnit(range.end - range.start);
  const query = { ...queryOf(range), username, unit };
  const rows = await api.get<UsageData[]>('/api/data/', { query, signal });
  return unit === 'hour' ? rows : rows.map(middleOfDay);
}

interface Span {
  start: number;
  end: number;
}

/** Unix seconds, with the time that it is compared with. */
interface ComparedSpan extends Span {
  previousStart: number;
  previousEnd: number;
}

const queryOf = ({ start, end }: Span) => ({
  start_timestamp: start,
  end_timestamp: end,
  utc_offset: -new Date().getTimezoneOffset(),
  time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});

/** Of all users, or of one. */
async function readAll(period: ComparedSpan, username: string, signal: AbortSignal) {
  const { start, end, previousStart, previousEnd } = period;
  const [rows, before] = await Promise.all([
    readSums({ start, end }, username, signal),
    readSums({ start: previousStart, end: previousEnd }, username, signal),
  ]);
  const previous = { quota: 0, count: 0, tokens: 0 };
  for (const { quota, count, token_used } of before) {
    previous.quota += quota;
    previous.count += count;
    previous.tokens += token_used;
  }
  return { rows, span: { start, end }, previous };
}

/** The own account's, of any length of time. */
async function readOwn(period: ComparedSpan, signal: AbortSignal) {
  const unit = drawnUnit(period.end - period.start);
  const compared = { previous_start: period.previousStart, previous_end: period.previousEnd, unit };
  const query = { ...queryOf(period), ...compared };
  const { series, span, previous } = await api.get<OwnOverview>('/api/overview/self', { query, signal });
  const { quota, requests: count, tokens } = previous;
  return { rows: unit === 'hour' ? series : series.map(middleOfDay), span, previous: { quota, count, tokens } };
}

const boundsOf = (filters: RangeFilters) => {
  const { start, end } = usageRange(filters);
  return { start_timestamp: start, end_timestamp: end };
};

/** How often a page that stays open reads again, as the operator has set it. */
const useInterval = () => Math.max(1, useStatus().data_export_interval) * 60_000;

/** Sums per model and those of the time before: of all users or one user for admins, else one's own. */
export const useUsageData = <P extends ComparedSpan>(filters: UsageFilters, periodOf: () => P) =>
  useQuery({
    refetchInterval: useInterval(),
    queryKey: ['usage', 'models', { ...filters, unit: '' }],
    queryFn: async ({ signal }) => {
      const period = periodOf();
      const usage = await (isAdmin(sessionUser.get())
        ? readAll(period, filters.username, signal)
        : readOwn(period, signal));
      return { ...usage, period };
    },
    placeholderData: keepPreviousData,
  });

const weekSeconds = 7 * 86_400;

/** What each model cost all users in the last seven days, in quota; only for admins. */
export const weekSpendOptions = queryOptions({
  queryKey: ['usage', 'week'],
  queryFn: async ({ signal }) => {
    const end = Math.floor(Date.now() / 1000);
    const sums = new Map<string, number>();
    for (const { model_name, quota } of await readSums({ start: end - weekSeconds, end }, '', signal)) {
      sums.set(model_name, (sums.get(model_name) ?? 0) + quota);
    }
    return sums;
  },
});

/** Who used most; only for admins. */
export const useUserUsage = (filters: UsageFilters, isWanted: boolean) =>
  useQuery({
    refetchInterval: useInterval(),
    queryKey: ['usage', 'users', { ...filters, unit: '', username: '' }],
    enabled: isWanted,
    queryFn: ({ signal }) => api.get<UserUsage[]>('/api/data/users', { query: boundsOf(filters), signal }),
    placeholderData: keepPreviousData,
  });

/** What was used by each subject in a time, with what was found in prompt caches: of all users, of one, or one's own. */
export const useUsageReport = (
  { by, filters, username = '' }: { by: UsageSubject; filters: Record<string, string>; username?: string },
  periodOf: () => Span,
) =>
  useQuery({
    queryKey: ['usage', 'report', by, username, filters],
    queryFn: ({ signal }) => {
      const { start, end } = periodOf();
      const query = { by, ...queryOf({ start, end }) };
      return isAdmin(sessionUser.get())
        ? api.get<UsageSum[]>('/api/data/report', { query: { ...query, username }, signal })
        : api.get<UsageSum[]>('/api/data/self/report', { query, signal });
    },
    placeholderData: keepPreviousData,
  });

/** The last seven days of the own account and what is left of it. */
export const useOwnPace = () =>
  useQuery({
    queryKey: ['usage', 'pace'],
    queryFn: async ({ signal }) => {
      const [user, rows] = await Promise.all([
        api.get<User>('/api/user/self', { signal }),
        api.get<UsageData[]>('/api/data/self', { query: boundsOf({ range: 'week', start: '', end: '' }), signal }),
      ]);
      return { left: user.quota, spentInWeek: rows.reduce((sum, { quota }) => sum + quota, 0) };
    },
  });
