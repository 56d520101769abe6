import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ChannelCondition, ObjectOverview, OwnOverview, SystemOverview } from '../../../core/schemas/overview.ts';
import { api } from './client.ts';
import { idlePollMs } from './retry.ts';
import { middleOfDay, middleOfWeek } from './usage-data.ts';

/** Unix seconds. */
interface ComparedTime {
  start: number;
  end: number;
  previousStart: number;
  previousEnd: number;
  unit: 'hour' | 'day' | 'week';
}

/** What was chosen, and the times that it means at this moment. */
interface OverviewChoice<P extends ComparedTime> {
  filters: Record<string, string>;
  periodOf: () => P;
}

async function readOverview<T extends SystemOverview | OwnOverview | ObjectOverview, P extends ComparedTime>(
  path: string,
  period: P,
  signal: AbortSignal,
) {
  const { start, end, previousStart, previousEnd, unit } = period;
  const query = {
    start_timestamp: start,
    end_timestamp: end,
    previous_start: previousStart,
    previous_end: previousEnd,
    unit,
    utc_offset: -new Date().getTimezoneOffset(),
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
  const overview = await api.get<T>(path, { query, signal });
  const { series, outcomes, latencies } = overview;
  return {
    ...overview,
    period,
    series: unit === 'hour' ? series : series.map(middleOfDay),
    outcomes: unit === 'hour' ? outcomes : outcomes.map(middleOfDay),
    // Of a whole week where bars are weeks.
    latencies: unit === 'hour' ? latencies : latencies.map(unit === 'day' ? middleOfDay : middleOfWeek),
  };
}

/** Read again by itself as long as the tab is looked at. */
function useReading<T extends SystemOverview | OwnOverview | ObjectOverview, P extends ComparedTime>(
  path: string,
  { filters, periodOf }: OverviewChoice<P>,
  everyMs = idlePollMs,
) {
  return useQuery({
    queryKey: ['overview', path, filters],
    refetchInterval: everyMs,
    queryFn: ({ signal }) => readOverview<T, P>(path, periodOf(), signal),
    // Of another time, not of another object.
    placeholderData: (before, query) => (query?.queryKey[1] === path ? before : undefined),
  });
}

export const useOverview = <P extends ComparedTime>(choice: OverviewChoice<P>) =>
  useReading<SystemOverview, P>('/api/overview', choice);
export const useOwnOverview = <P extends ComparedTime>(choice: OverviewChoice<P>) =>
  useReading<OwnOverview, P>('/api/overview/self', choice);

/** How requests ended and how fast they were, of all users or one's own; read once, for a page that is not live. */
export const useEndings = <P extends ComparedTime>({ filters, periodOf }: OverviewChoice<P>, isOfAll: boolean) =>
  useQuery({
    queryKey: ['overview', 'endings', isOfAll, filters],
    queryFn: ({ signal }) =>
      readOverview<ObjectOverview, P>(isOfAll ? '/api/overview' : '/api/overview/self', periodOf(), signal),
    select: ({ outcomes, latencies, period }) => ({ outcomes, latencies, period }),
  });

/** A channel, user or token by its number, a model by its name. */
export type OverviewObject = { kind: 'channel' | 'user' | 'token'; id: number } | { kind: 'model'; name: string };

export const useObjectOverview = <P extends ComparedTime>(
  object: OverviewObject,
  choice: OverviewChoice<P>,
  everyMs?: number,
) => useReading<ObjectOverview, P>(objectOverviewPath(object), choice, everyMs);

const objectOverviewPath = (object: OverviewObject): string =>
  `/api/overview/${object.kind}/${object.kind === 'model' ? encodeURIComponent(object.name) : object.id}`;

/** More than so many do not fit into an address: all are asked for. */
const maxNamed = 200;

/** How each of these channels is doing, by its number. */
export function useChannelConditions(ids: number[]) {
  const named = ids.length > maxNamed ? undefined : [...ids].sort((a, b) => a - b).join(',');
  return useQuery({
    queryKey: ['overview', 'channels', named],
    enabled: ids.length > 0,
    refetchInterval: idlePollMs,
    queryFn: ({ signal }) => api.get<ChannelCondition[]>('/api/overview/channel', { query: { ids: named }, signal }),
    placeholderData: keepPreviousData,
    select: byId,
  });
}

const byId = (channels: ChannelCondition[]) => new Map(channels.map((one) => [one.id, one]));
