import { useQuery } from '@tanstack/react-query';
import type { Log, LogPage, LogStat } from '../../../core/schemas/log.ts';
import { type RangeFilters, timeRange } from '../components/list/time-range.ts';
import type { ListQuery, ListResult } from '../components/list/use-list.ts';
import { saveFile } from '../state/save-file.ts';
import { isAdmin, sessionUser } from '../state/session.ts';
import { api, readFile } from './client.ts';
import { idlePollMs } from './retry.ts';

export type LogFilters = RangeFilters & {
  type: string;
  token_name: string;
  model_name: string;
  group: string;
  username: string;
  channel: string;
  request_id: string;
  /** `true` for calls whose response broke off. */
  cut: string;
  min_seconds: string;
  min_quota: string;
  /** `true` while new rows come by themselves. */
  live: string;
};

/** Admins read the rows of all users. */
const logPath = (rest = '') => (isAdmin(sessionUser.get()) ? `/api/log/${rest}` : `/api/log/self${rest && `/${rest}`}`);

function conditions({ range, start, end, live: _, ...rest }: LogFilters): Record<string, string | number> {
  const time = timeRange({ range, start, end });
  return { ...rest, start_timestamp: time.start, end_timestamp: time.end };
}

export async function listLogs({ page, pageSize, filters, signal }: ListQuery<LogFilters>): Promise<ListResult<Log>> {
  return api.get<LogPage>(logPath(), {
    query: { ...conditions(filters), p: page, page_size: pageSize },
    ...(signal && { signal }),
  });
}

export const useLogStat = (filters: LogFilters) =>
  useQuery({
    queryKey: ['log', 'stat', filters],
    queryFn: ({ signal }) => api.get<LogStat>(logPath('stat'), { query: conditions(filters), signal }),
  });

const liveMs = 3000;
/** After a minute without a new row, Live asks no more often than any other page. */
const quietMs = 60_000;
const maxLive = 200;
const readAtOnce = 100;

interface LiveRows {
  rows: Log[];
  /** When the last new row came. */
  newsAt: number;
}

/** The newest rows, newest first; every few seconds those that came since, as long as the page is visible. */
export function useLiveLogs(filters: LogFilters, isLive: boolean) {
  const queryKey = ['log', 'live', filters];
  return useQuery<LiveRows, Error, Log[]>({
    queryKey,
    enabled: isLive,
    refetchInterval: ({ state: { data } }) => (data && Date.now() - data.newsAt > quietMs ? idlePollMs : liveMs),
    queryFn: ({ signal, client }) => readLive({ known: client.getQueryData<LiveRows>(queryKey), filters, signal }),
    select: ({ rows }) => rows,
  });
}

async function readLive(options: {
  known: LiveRows | undefined;
  filters: LogFilters;
  signal: AbortSignal;
}): Promise<LiveRows> {
  const { known, filters, signal } = options;
  const before = known?.rows ?? [];
  // The largest, not the first: rows are in the order of their time.
  const last = Math.max(0, ...before.map(({ id }) => id));
  const query = { ...conditions(filters), page_size: readAtOnce, ...(last > 0 && { after_id: last }) };
  const { items } = await api.get<LogPage>(logPath(), { query, signal });
  if (known && items.length === 0) return known;
  const newest = last > 0 ? items.toReversed() : items;
  return { rows: [...newest, ...before].slice(0, maxLive), newsAt: Date.now() };
}

/** All rows of the filters as a file, in the language of the console. */
export async function downloadLogs(filters: LogFilters): Promise<void> {
  saveFile('log.csv', await readFile(logPath('export'), 'text/csv', conditions(filters)));
}
