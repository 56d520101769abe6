import type { Database } from '../database/connect.ts';
import { type Actor, role } from '../schemas/actor.ts';
import type { Task, TaskFilter } from '../schemas/task.ts';
import { requireRole } from './actor.ts';
import { readTaskPage } from './task-page.ts';

interface TaskRow extends Omit<Task, 'username' | 'properties' | 'data'> {
  /** JSON text, empty when there is none. */
  properties: string;
  data: string;
}

export type TaskService = ReturnType<typeof createTaskService>;

const columns =
  'id, created_at, updated_at, task_id, platform, user_id, channel_id, quota, action, status, fail_reason, submit_time, start_time, finish_time, progress, properties, data';

/** Work of music vendors and their like, newest first. */
export function createTaskService({ database }: { database: Database }) {
  async function read(filter: TaskFilter, userId?: number): Promise<Task[]> {
    const { platform, task_id, status, action, channel_id } = filter;
    const rows = await readTaskPage<TaskRow>(database, {
      table: 'tasks',
      columns,
      page: filter.p,
      pageSize: filter.page_size,
      username: filter.username,
      equal: { user_id: userId, channel_id, platform, task_id, status, action },
      submittedBetween: [filter.start_timestamp, filter.end_timestamp],
    });
    return rows.map((row) => ({
      ...row,
      channel_id: userId === undefined ? row.channel_id : 0,
      properties: { input: '', ...(readJson(row.properties) as object | null) },
      data: readJson(row.data),
    }));
  }

  return {
    async list(actor: Actor, filter: TaskFilter): Promise<Task[]> {
      requireRole(actor, role.admin);
      return read(filter);
    },
    listOwn: (actor: Actor, filter: TaskFilter) => read({ ...filter, channel_id: 0, username: '' }, actor.id),
  };
}

/** Imported rows hold whatever their program wrote: what is no JSON is nothing. */
function readJson(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
