import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { UsageData, UserUsage } from '../../../core/schemas/usage-data.ts';
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
async function readSums(path: string, filters: UsageFilters, signal: AbortSignal, extra = {}): Promise<UsageData[]> {
  const bounds = boundsOf(filters);
  const unit = drawnUnit(bounds.end_timestamp - bounds.start_timestamp);
  const query = { ...bounds, ...extra, unit, utc_offset: -new Date().getTimezoneOffset() };
  const rows = await api.get<UsageData[]>(path, { query, signal });
  return unit === 'hour' ? rows : rows.map(middleOfDay);
}

const boundsOf = (filters: RangeFilters) => {
  const { start, end } = usageRange(filters);
  return { start_timestamp: start, end_timestamp: end };
};

/** How often a page that stays open reads again, as the operator has set it. */
const useInterval = () => Math.max(1, useStatus().data_export_interval) * 60_000;

/** Hourly sums per model: of all users or one user for admins, else one's own. */
export const useUsageData = (filters: UsageFilters) =>
  useQuery({
    refetchInterval: useInterval(),
    queryKey: ['usage', 'models', { ...filters, unit: '' }],
    queryFn: ({ signal }) =>
      isAdmin(sessionUser.get())
        ? readSums('/api/data/', filters, signal, { username: filters.username })
        : readSums('/api/data/self', filters, signal),
    placeholderData: keepPreviousData,
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
