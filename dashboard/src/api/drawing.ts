import type { Drawing } from '../../../core/schemas/drawing.ts';
import { type RangeFilters, timeRange } from '../components/list/time-range.ts';
import type { ListQuery, ListResult } from '../components/list/use-list.ts';
import { isAdmin, sessionUser } from '../state/session.ts';
import { api } from './client.ts';

export type DrawingFilters = RangeFilters & {
  mj_id: string;
  action: string;
  status: string;
  channel_id: string;
  username: string;
};

/** The route counts from 0, its times are milliseconds. */
export async function listDrawings(query: ListQuery<DrawingFilters>): Promise<ListResult<Drawing>> {
  const { page, pageSize, filters, signal } = query;
  const { range, start, end, ...rest } = filters;
  const time = timeRange({ range, start, end });
  return {
    items: await api.get<Drawing[]>(isAdmin(sessionUser.get()) ? '/api/mj/' : '/api/mj/self', {
      query: {
        ...rest,
        p: page - 1,
        page_size: pageSize,
        start_timestamp: time.start * 1000,
        end_timestamp: time.end * 1000,
      },
      ...(signal && { signal }),
    }),
  };
}
