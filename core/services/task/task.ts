import type { Database } from '../../database/connect.ts';
import type { TaskRow } from '../../database/models/task.ts';
import { AppError } from '../../errors/app-error.ts';
import { recordOf } from '../../lib/json-value.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import type { Page } from '../../schemas/paging.ts';
import { fileKinds, type Made, type Task, type TaskFileName, type TaskFilter, taskQuery } from '../../schemas/task.ts';
import { coded } from '../../text/coded.ts';
import type { FileKind, FileSource, KnownTask, TaskKind } from '../../wire/task-kind.ts';
import { requireRole } from '../actor.ts';
import { findTask } from './find.ts';
import { countTaskRows, readTaskPage, type TaskPageQuery } from './page.ts';
import { type OwnedTask, readTaskJson } from './store.ts';

interface TaskServiceDependencies {
  database: Database;
  kinds: readonly TaskKind[];
}

export interface TaskFile {
  task: OwnedTask;
  kind: FileKind;
  source: FileSource;
}

export type TaskService = ReturnType<typeof createTaskService>;

const columns = [
  'id',
  'created_at',
  'updated_at',
  'task_id',
  'platform',
  'user_id',
  'channel_id',
  'channel_key',
  'quota',
  'request_id',
  'action',
  'model',
  'status',
  'fail_reason',
  'submit_time',
  'start_time',
  'finish_time',
  'progress',
  'properties',
  'data',
  'hidden',
] as const satisfies readonly (keyof TaskRow)[];

type ShownRow = Pick<TaskRow, (typeof columns)[number]>;

/** Work of music vendors and their like, newest first. */
export function createTaskService({ database, kinds }: TaskServiceDependencies) {
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
    const rows = await readTaskPage<ShownRow>(database, query);
    return rows.map((row) => {
      const { hidden, channel_key, ...shown } = row;
      const { properties, data } = knownTask(row);
      const channel_id = userId === undefined ? row.channel_id : 0;
      return { ...shown, channel_id, properties: { input: '', ...properties }, data, made: madeBy(row) };
    });
  }

  /** A file that its owner deleted is not offered any more. */
  function madeBy(row: ShownRow): Made[] {
    if (row.hidden === 1) return [];
    return partsOf(row).map(({ title, text, tags, files }, part) => {
      const address = (kind: FileKind) => (files[kind] ? `/api/task/${row.id}/file/${part}/${kind}` : '');
      return { title, text, tags, picture: address('picture'), audio: address('audio'), video: address('video') };
    });
  }

  const partsOf = (row: ShownRow) =>
    kinds.find(({ platform }) => platform === row.platform)?.made(knownTask(row)) ?? [];

  async function list(actor: Actor, filter: TaskFilter): Promise<Task[]> {
    requireRole(actor, role.admin);
    return read(queryOf(filter));
  }

  async function find({ id: userId, role: rank }: Actor, id: number): Promise<ShownRow | null> {
    const where = { id, hidden: 0, ...(rank < role.admin && { user_id: userId }) };
    return database.tasks.findOne({ attributes: [...columns], where, raw: true });
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
    /** By row id, or by what its provider calls it. */
    async get(actor: Actor, word: string): Promise<Task> {
      requireRole(actor, role.admin);
      const { id } = await findTask(database, actor, 'task', word);
      const [task] = await read({ ...queryOf(taskQuery.parse({})), equal: { id } });
      if (!task)
        throw new AppError('object.notFound', { what: coded('noun.task'), id: word.slice(0, 64), noun: 'task' });
      return task;
    },
    /** Where a file of a task lies: of one's own task, or for admins of any user's. */
    async file(actor: Actor, { id, part, kind }: TaskFileName): Promise<TaskFile> {
      const isOne = /^\d{1,15}$/.test(id) && /^\d{1,3}$/.test(part);
      const row = isOne ? await find(actor, Number(id)) : null;
      const name = fileKinds.find((one) => one === kind);
      const source = row && name && partsOf(row)[Number(part)]?.files[name];
      // A foreign task looks like one that does not exist.
      if (!row || !name || !source) throw new AppError('task.fileUnknown');
      return {
        task: { ...knownTask(row), channelId: row.channel_id, channelKey: row.channel_key },
        kind: name,
        source,
      };
    },
  };
}

/** What kinds of jobs read of a row. */
function knownTask({ properties, data, ...row }: ShownRow): KnownTask {
  const shown = recordOf(readTaskJson(properties));
  return {
    ...row,
    input: typeof shown.input === 'string' ? shown.input : '',
    properties: shown,
    data: readTaskJson(data),
  };
}
