import type { Task } from '../../../core/schemas/task.ts';
import { type RangeFilters, timeRange } from '../components/list/time-range.ts';
import type { ListQuery, ListResult } from '../components/list/use-list.ts';
import { isAdmin, sessionUser } from '../state/session.ts';
import { api } from './client.ts';

export type TaskFilters = RangeFilters & {
  platform: string;
  task_id: string;
  action: string;
  status: string;
  channel_id: string;
  username: string;
};

/** The route counts from 0. */
export async function listTasks(query: ListQuery<TaskFilters>): Promise<ListResult<Task>> {
  const { page, pageSize, filters, signal } = query;
  const { range, start, end, ...rest } = filters;
  const time = timeRange({ range, start, end });
  return {
    items: await api.get<Task[]>(isAdmin(sessionUser.get()) ? '/api/task/' : '/api/task/self', {
      query: { ...rest, p: page - 1, page_size: pageSize, start_timestamp: time.start, end_timestamp: time.end },
      ...(signal && { signal }),
    }),
  };
}
