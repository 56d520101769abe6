import { Op, type Transaction } from 'sequelize';
import type { NewTask } from '../../billing/ledger-store.ts';
import type { Database } from '../../database/connect.ts';
import type { TaskRow } from '../../database/models/task.ts';
import { noteFinishedTasks } from '../../database/task-notice.ts';
import { recordOf, textOf } from '../../lib/json-value.ts';
import { isStorable, storableText } from '../../lib/storable-text.ts';
import { maxTaskId } from '../../providers/task/adapter.ts';
import { isFinal, taskStatus } from '../../schemas/task-status.ts';
import type { KnownTask } from '../../wire/task-kind.ts';

const open = [
  'id',
  'platform',
  'task_id',
  'channel_id',
  'channel_key',
  'submit_time',
  'status',
  'progress',
  'polls',
  'updated_at',
] as const satisfies readonly (keyof TaskRow)[];

/** A job under way, as the one who asks its vendor sees it. */
export type OpenTask = Pick<TaskRow, (typeof open)[number]>;

/** A caller's own job, the channel it lies on, and which of its keys took it. */
export type OwnedTask = KnownTask & { channelId: number; channelKey: number };

/** The notice of a job that has ended. */
export interface EndedTask extends KnownTask {
  user_id: number;
  platform: string;
  quota: number;
  /** Null in imported rows. */
  request_id: string | null;
}

interface TaskCursor {
  limit: number;
  after: string;
  isOldest: boolean;
}

interface RefusedCall {
  userId: number;
  tokenId: number;
  channelId: number;
  accessedAt: number;
}

export type TaskStore = ReturnType<typeof createTaskStore>;

/** Longer than any pause between two questions about a job. */
const farSeconds = 1800;
const maxReason = 2000;

/** What is told of a job. */
const shown = [
  'task_id',
  'action',
  'status',
  'fail_reason',
  'submit_time',
  'start_time',
  'finish_time',
  'progress',
  'model',
  'properties',
  'data',
  'channel_id',
  'channel_key',
] as const satisfies readonly (keyof TaskRow)[];

type StoredTask = Pick<TaskRow, (typeof shown)[number]>;

/** Of jobs that are not over yet; an index has these alone. */
export const isUnderWay = { status: { [Op.notIn]: [taskStatus.success, taskStatus.failure] } };

/** Of texts that no id can be, PostgreSQL refuses some and would look for the others in vain. */
const isPossible = (id: string): boolean => id !== '' && id.length <= maxTaskId && isStorable(id);

/** Rows of paid jobs, as relay and poller need them. Their birth is the ledger's, their failure `failTask`'s. */
export function createTaskStore({ database }: { database: Database }) {
  const { tasks } = database;

  async function owned(userId: number, platform: string, taskIds: readonly string[]): Promise<OwnedTask[]> {
    const possible = taskIds.filter(isPossible);
    if (possible.length === 0) return [];
    const where = { task_id: possible, platform, user_id: userId, hidden: 0 };
    const rows = await tasks.findAll({ attributes: [...shown], where, order: [['id', 'ASC']], raw: true });
    // A job that was gone on with under its own id: what came last counts.
    const newest = new Map(rows.map((row) => [row.task_id, row]));
    return [...newest.values()].map(knownTask);
  }

  /**
   * A caller's jobs of one kind, one more than `limit` where there are more; `after` is the id of the last one seen, which may have been
   * hidden since. Undefined when the caller never had it.
   */
  async function page(
    userId: number,
    platform: string,
    { limit, after, isOldest }: TaskCursor,
  ): Promise<OwnedTask[] | undefined> {
    const own = { user_id: userId, platform };
    const where = { ...own, task_id: after };
    const last = isPossible(after) && (await tasks.findOne({ attributes: ['id'], where, raw: true }));
    if (after !== '' && !last) return undefined;
    const rows = await tasks.findAll({
      attributes: [...shown],
      where: {
        ...own,
        task_id: { [Op.ne]: '' },
        hidden: 0,
        ...(last && { id: isOldest ? { [Op.gt]: last.id } : { [Op.lt]: last.id } }),
      },
      order: [['id', isOldest ? 'ASC' : 'DESC']],
      limit: limit + 1,
      raw: true,
    });
    return rows.map(knownTask);
  }

  /** The client wants to see nothing of it any more; what it cost stays in the books. */
  async function hide(userId: number, platform: string, taskId: string): Promise<void> {
    await tasks.update({ hidden: 1 }, { where: { task_id: taskId, platform, user_id: userId } });
  }

  /**
   * Those that are due, of each channel and key the longest waiting first, and the first of each before the second of any: one that
   * has many, or is slow, does not keep the others waiting. One that is due only in hours was put off before the clock was set back.
   */
  const due = (now: number, limit: number): Promise<OpenTask[]> =>
    // SQL: the place of a row among its channel's is a window function.
    database.select<OpenTask>(
      `SELECT ${open.join(', ')} FROM (
         SELECT ${open.join(', ')}, next_poll_at,
           row_number() OVER (PARTITION BY channel_id, channel_key ORDER BY next_poll_at, id) AS place
         FROM tasks WHERE status NOT IN ('SUCCESS', 'FAILURE') AND (next_poll_at <= :now OR next_poll_at > :far)) AS due
       ORDER BY place, next_poll_at, id LIMIT :limit`,
      { now, far: now + farSeconds, limit },
    );

  /** A caller's job that is not over yet. */
  const openOf = ({ taskId, userId }: { taskId: string; userId: number }): Promise<OpenTask[]> =>
    tasks.findAll({ attributes: [...open], where: { ...isUnderWay, task_id: taskId, user_id: userId }, raw: true });

  /** Changes nothing of a job that is over. Who is to be told of an end is written down with it. */
  function change(id: number, columns: Partial<TaskRow>): Promise<boolean> {
    if (!isFinal(columns.status ?? '')) return write(id, columns);
    return database.transaction(async (transaction) => {
      if (!(await write(id, columns, transaction))) return false;
      // SQL: one statement finds the receivers and writes a row for each.
      await database.sequelize.query(noteFinishedTasks('tasks.id = :id'), { replacements: { id }, transaction });
      return true;
    });
  }

  async function write(id: number, columns: Partial<TaskRow>, transaction?: Transaction): Promise<boolean> {
    const [changed] = await tasks.update(columns, { where: { ...isUnderWay, id }, transaction });
    return changed > 0;
  }

  /** One that has ended, of any user. */
  async function ended(id: number): Promise<EndedTask | undefined> {
    const row = await tasks.findOne({
      attributes: [...shown, 'user_id', 'platform', 'quota', 'request_id'],
      where: { id, hidden: 0, status: [taskStatus.success, taskStatus.failure] },
      raw: true,
    });
    if (!row) return undefined;
    const { user_id, platform, quota, request_id } = row;
    return { ...knownTask(row), user_id, platform, quota, request_id };
  }

  /** A job that its vendor did not take: it cost nothing, and is there to be looked at. */
  async function noteRefused(call: RefusedCall, task: NewTask, reason: string): Promise<void> {
    const { accessedAt: at } = call;
    const { platform, task_id, action, model, group, submit_time, properties, data } = task;
    await tasks.create({
      user_id: call.userId,
      token_id: call.tokenId,
      channel_id: call.channelId,
      channel_key: task.channel_key ?? 0,
      created_at: at,
      updated_at: at,
      finish_time: at,
      status: taskStatus.failure,
      progress: '100%',
      fail_reason: storableText(reason.slice(0, maxReason)),
      platform,
      task_id,
      action,
      model,
      group,
      submit_time,
      properties,
      data,
    });
  }

  /** Where the picture of a user's drawing lies, and at which channel; undefined without a picture. */
  async function pictureOf(
    userId: number,
    platform: string,
    taskId: string,
  ): Promise<{ url: string; channelId: number } | undefined> {
    const where = { task_id: taskId, platform, user_id: userId };
    const attributes = ['data', 'channel_id'];
    const rows = await tasks.findAll({ attributes, where, order: [['id', 'DESC']], limit: 2, raw: true });
    return rows
      .map(({ data, channel_id }) => ({ url: textOf(recordOf(readTaskJson(data)).imageUrl), channelId: channel_id }))
      .find(({ url }) => url !== '');
  }

  return { owned, due, change, ended, noteRefused, pictureOf, openOf, page, hide };
}

function knownTask({
  data,
  properties,
  channel_id: channelId,
  channel_key: channelKey,
  ...row
}: StoredTask): OwnedTask {
  const shown = recordOf(readTaskJson(properties));
  return { ...row, channelId, channelKey, input: textOf(shown.input), properties: shown, data: readTaskJson(data) };
}

/** JSON text of a row; what an imported one holds may be anything. */
export function readTaskJson(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
