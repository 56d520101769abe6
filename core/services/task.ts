import type { Database } from '../database/connect.ts';
import { AppError } from '../errors/app-error.ts';
import { type Actor, role } from '../schemas/actor.ts';
import type { Page } from '../schemas/paging.ts';
import { type Task, type TaskFilter, taskQuery } from '../schemas/task.ts';
import { requireRole } from './actor.ts';
import { countTaskRows, readTaskPage, type TaskPageQuery } from './task-page.ts';
import { readTaskJson } from './task-store.ts';

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
  const queryOf = (filter: TaskFilter, userId?: number): TaskPageQuery => {
    const { platform, task_id, status, action, channel_id } = filter;
    return {
      columns,
      page: filter.p,
      pageSize: filter.page_size,
      username: filter.username,
      // Drawings have a list of their own.
      exceptPlatform: 'mj',
      equal: { user_id: userId, channel_id, platform, task_id, status, action },
      submittedBetween: [filter.start_timestamp, filter.end_timestamp],
    };
  };

  async function read(query: TaskPageQuery, userId?: number): Promise<Task[]> {
    const rows = await readTaskPage<TaskRow>(database, query);
    return rows.map((row) => ({
      ...row,
      channel_id: userId === undefined ? row.channel_id : 0,
      properties: { input: '', ...(readTaskJson(row.properties) as object | null) },
      data: readTaskJson(row.data),
    }));
  }

  async function list(actor: Actor, filter: TaskFilter): Promise<Task[]> {
    requireRole(actor, role.admin);
    return read(queryOf(filter));
  }

  return {
    list,
    listOwn: (actor: Actor, filter: TaskFilter) =>
      read(queryOf({ ...filter, channel_id: 0, username: '' }, actor.id), actor.id),
    async listPage(actor: Actor, filter: TaskFilter): Promise<Page<Task>> {
      const items = await list(actor, filter);
      const total = await countTaskRows(database, queryOf(filter));
      return { items, page: filter.p, page_size: filter.page_size, total };
    },
    /** By row id, or by what the vendor calls it. */
    async get(actor: Actor, id: string): Promise<Task> {
      requireRole(actor, role.admin);
      const equal = /^[1-9]\d{0,14}$/.test(id) ? { id: Number(id) } : { task_id: id };
      const [task] = await read({ ...queryOf(taskQuery.parse({})), equal });
      if (!task) throw new AppError('object.notFound', { what: 'task', id: id.slice(0, 64), noun: 'task' });
      return task;
    },
  };
}
