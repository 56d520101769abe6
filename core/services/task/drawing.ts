import type { Database } from '../../database/connect.ts';
import type { TaskRow } from '../../database/models/task.ts';
import { AppError } from '../../errors/app-error.ts';
import { countOf, recordOf, textOf } from '../../lib/json-value.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { type Drawing, type DrawingFilter, drawingQuery } from '../../schemas/drawing.ts';
import type { Page } from '../../schemas/paging.ts';
import { coded } from '../../text/coded.ts';
import { requireRole } from '../actor.ts';
import type { DrawingLinks } from './drawing-link.ts';
import { findTask } from './find.ts';
import { countTaskRows, readTaskPage, type TaskContext, type TaskPageQuery } from './page.ts';
import { readTaskJson } from './store.ts';

interface DrawingServiceDependencies {
  database: Database;
  links: Pick<DrawingLinks, 'forConsole'>;
}

export type DrawingService = ReturnType<typeof createDrawingService>;

const columns = [
  'id',
  'user_id',
  'channel_id',
  'platform',
  'task_id',
  'action',
  'status',
  'progress',
  'fail_reason',
  'quota',
  'request_id',
  'submit_time',
  'start_time',
  'finish_time',
  'properties',
  'data',
] as const satisfies readonly (keyof TaskRow)[];

type DrawingRow = Pick<TaskRow, (typeof columns)[number]>;

/** Paid jobs of Midjourney in the form that consoles know, newest first. */
export function createDrawingService({ database, links }: DrawingServiceDependencies) {
  const queryOf = (filter: DrawingFilter, userId?: number): TaskPageQuery => ({
    columns,
    page: filter.p,
    pageSize: filter.page_size,
    username: filter.username,
    equal: {
      platform: 'mj',
      user_id: userId,
      channel_id: filter.channel_id,
      task_id: filter.mj_id,
      action: filter.action,
      status: filter.status,
    },
    submittedBetween: [Math.floor(filter.start_timestamp / 1000), Math.floor(filter.end_timestamp / 1000)],
  });

  async function read(filter: DrawingFilter, userId?: number): Promise<Drawing[]> {
    const rows = await readTaskPage<DrawingRow>(database, queryOf(filter, userId));
    // Which channel served it is the operator's business.
    return rows.map((row) => ({ ...drawingOf(row), channel_id: userId === undefined ? row.channel_id : 0 }));
  }

  function drawingOf(row: DrawingRow & TaskContext): Drawing {
    const said = recordOf(readTaskJson(row.data));
    const written = recordOf(readTaskJson(row.properties));
    // 0 and null are a time that had not come yet when the vendor last said something.
    const ms = (name: string, seconds: number) => countOf(said[name]) || seconds * 1000;
    const { id, user_id, username, channel_id, action, task_id: mj_id, status, fail_reason } = row;
    const { quota, request_id, refund, refunded_at, can_cancel } = row;
    return {
      id,
      user_id,
      username,
      channel_id,
      action,
      mj_id,
      status,
      fail_reason,
      quota,
      request_id,
      refund,
      refunded_at,
      can_cancel,
      code: typeof written.code === 'number' ? written.code : 1,
      prompt: textOf(written.input),
      prompt_en: textOf(said.promptEn),
      description: textOf(said.description),
      state: textOf(said.state),
      submit_time: ms('submitTime', row.submit_time),
      start_time: ms('startTime', row.start_time),
      finish_time: ms('finishTime', row.finish_time),
      image_url: links.forConsole({ userId: user_id, taskId: mj_id }, textOf(said.imageUrl)),
      progress: row.progress || '0%',
      buttons: said.buttons ? JSON.stringify(said.buttons) : '',
      properties: said.properties ? JSON.stringify(said.properties) : '',
    };
  }

  async function list(actor: Actor, filter: DrawingFilter): Promise<Drawing[]> {
    requireRole(actor, role.admin);
    return read(filter);
  }

  return {
    list,
    listOwn: (actor: Actor, filter: DrawingFilter) => read({ ...filter, channel_id: 0, username: '' }, actor.id),
    async listPage(actor: Actor, filter: DrawingFilter): Promise<Page<Drawing>> {
      const items = await list(actor, filter);
      const total = await countTaskRows(database, queryOf(filter));
      return { items, page: filter.p, page_size: filter.page_size, total };
    },
    /** By row id, or by what its provider calls it. */
    async get(actor: Actor, word: string): Promise<Drawing> {
      requireRole(actor, role.admin);
      const { id } = await findTask(database, actor, 'drawing', word);
      const [row] = await readTaskPage<DrawingRow>(database, { ...queryOf(drawingQuery.parse({})), equal: { id } });
      if (!row)
        throw new AppError('object.notFound', { what: coded('noun.drawing'), id: word.slice(0, 64), noun: 'drawing' });
      return drawingOf(row);
    },
  };
}
