import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { Log, LogPage, LogStat } from '../../../core/schemas/log.ts';
import { type RangeFilters, timeRange } from '../components/list/time-range.ts';
import type { ListQuery, ListResult } from '../components/list/use-list.ts';
import { isAdmin, sessionUser } from '../state/session.ts';
import { ApiError } from './api-error.ts';
import { api, callHeaders } from './client.ts';

export type LogFilters = RangeFilters & {
  type: string;
  token_name: string;
  model_name: string;
  group: string;
  username: string;
  channel: string;
  /** `true` while new rows come by themselves. */
  live: string;
};

/** Admins read everybody's rows. */
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

const liveMs = 2000;
const mostLive = 200;
const readAtOnce = 100;

/** The newest rows, newest first; every two seconds those that came since, as long as somebody looks. */
export function useLiveLogs(filters: LogFilters, isLive: boolean) {
  const queryKey = ['log', 'live', filters];
  return useQuery({
    queryKey,
    enabled: isLive,
    refetchInterval: liveMs,
    queryFn: ({ signal, client }) => readLive({ known: known(client, queryKey), filters, signal }),
  });
}

const known = (client: QueryClient, queryKey: unknown[]) => client.getQueryData<Log[]>(queryKey) ?? [];

async function readLive(options: { known: Log[]; filters: LogFilters; signal: AbortSignal }): Promise<Log[]> {
  const { known: before, filters, signal } = options;
  // The largest, not the first: rows stand in the order of their time.
  const last = Math.max(0, ...before.map(({ id }) => id));
  const query = { ...conditions(filters), page_size: readAtOnce, ...(last > 0 && { after_id: last }) };
  const { items } = await api.get<LogPage>(logPath(), { query, signal });
  const newest = last > 0 ? items.toReversed() : items;
  return [...newest, ...before].slice(0, mostLive);
}

/** All rows of the filters as a file, in the language of the console. */
export async function downloadLogs(filters: LogFilters): Promise<void> {
  const query = new URLSearchParams(Object.entries(conditions(filters)).map(([name, value]) => [name, String(value)]));
  const response = await fetch(`${logPath('export')}?${query}`, { headers: callHeaders(false) });
  if (!response.ok || !response.headers.get('content-type')?.startsWith('text/csv')) {
    const refusal = (await response.json().catch(() => ({}))) as { message?: string };
    throw new ApiError(refusal.message ?? `HTTP ${response.status}`, { status: response.status });
  }
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = 'log.csv';
  link.click();
  URL.revokeObjectURL(address);
}
