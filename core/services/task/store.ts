import type { Transaction } from 'sequelize';
import type { NewTask } from '../../billing/ledger-store.ts';
import type { Database } from '../../database/connect.ts';
import type { TaskRow } from '../../database/models/task.ts';
import { noteFinishedTasks } from '../../database/task-notice.ts';
import { recordOf, textOf } from '../../lib/json-value.ts';
import { isStorable, storableText } from '../../lib/storable-text.ts';
import { maxTaskId } from '../../providers/task/adapter.ts';
import { isFinal } from '../../schemas/task-status.ts';
import type { KnownTask } from '../../wire/task-kind.ts';

/** A job under way, as the one who asks its vendor sees it. */
export type OpenTask = Pick<
  TaskRow,
  'id' | 'platform' | 'task_id' | 'channel_id' | 'submit_time' | 'status' | 'progress' | 'polls' | 'updated_at'
>;

/** A caller's own job, and the channel it lies on. */
export type OwnedTask = KnownTask & { channelId: number };

/** What is told of a job that has ended. */
export interface EndedTask extends KnownTask {
  user_id: number;
  platform: string;
  quota: number;
  /** Null in imported rows. */
  request_id: string | null;
}

/** Columns and what they become. */
type TaskChange = Record<string, string | number> & { status?: string };

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

interface StoredTask extends Omit<KnownTask, 'data' | 'input' | 'properties'> {
  channel_id: number;
  /** JSON text, with `input`. */
  properties: string;
  /** JSON text; '' = the vendor has said nothing yet. */
  data: string;
}

export type TaskStore = ReturnType<typeof createTaskStore>;

/** Longer than any pause between two questions about a job. */
const farSeconds = 1800;
const maxReason = 2000;

const shown =
  'task_id, action, status, fail_reason, submit_time, start_time, finish_time, progress, model, properties, data, channel_id';

const open = 'id, platform, task_id, channel_id, submit_time, status, progress, polls, updated_at';

/** Rows of paid jobs, as relay and poller need them. Their birth is the ledger's, their failure `failTask`'s. */
export function createTaskStore({ database }: { database: Database }) {
  async function owned(userId: number, platform: string, taskIds: readonly string[]): Promise<OwnedTask[]> {
    // Of texts that no id can be, PostgreSQL refuses some and would look for the others in vain.
    const possible = taskIds.filter((id) => id !== '' && id.length <= maxTaskId && isStorable(id));
    if (possible.length === 0) return [];
    const rows = await database.select<StoredTask>(
      `SELECT ${shown} FROM tasks WHERE task_id IN (:possible) AND platform = :platform AND user_id = :userId AND hidden = 0 ORDER BY id`,
      { possible, platform, userId },
    );
    // A job that was gone on with under its own id: what came last counts.
    const newest = new Map(rows.map((row) => [row.task_id, row]));
    return [...newest.values()].map(knownTask);
  }

  /** A caller's jobs of one kind, one more than `limit` where there are more; `after` is the id of the last one seen. */
  async function page(userId: number, platform: string, { limit, after, isOldest }: TaskCursor): Promise<OwnedTask[]> {
    const [seen] =
      after === ''
        ? []
        : await database.select<{ id: number }>(
            'SELECT id FROM tasks WHERE task_id = :after AND platform = :platform AND user_id = :userId',
            { after, platform, userId },
          );
    const [beyond, order] = isOldest ? ['>', 'ASC'] : ['<', 'DESC'];
    const rows = await database.select<StoredTask>(
      `SELECT ${shown} FROM tasks WHERE user_id = :userId AND platform = :platform AND task_id <> '' AND hidden = 0
         ${seen ? `AND id ${beyond} :seen` : ''} ORDER BY id ${order} LIMIT ${limit + 1}`,
      { userId, platform, seen: seen?.id },
    );
    return rows.map(knownTask);
  }

  /** The client wants to see nothing of it any more; what it cost stays in the books. */
  async function hide(userId: number, platform: string, taskId: string): Promise<void> {
    await database.sequelize.query(
      'UPDATE tasks SET hidden = 1 WHERE task_id = :taskId AND platform = :platform AND user_id = :userId',
      { replacements: { userId, platform, taskId } },
    );
  }

  /** Those that are due, the longest waiting first. One that is due only in hours was put off before the clock was set back. */
  const due = (now: number, limit: number): Promise<OpenTask[]> =>
    database.select<OpenTask>(
      `SELECT ${open} FROM tasks
       WHERE status NOT IN ('SUCCESS', 'FAILURE') AND (next_poll_at <= :now OR next_poll_at > :far)
       ORDER BY next_poll_at, id LIMIT ${limit}`,
      { now, far: now + farSeconds },
    );

  /** A caller's job that is not over yet. */
  const openOf = ({ taskId, userId }: { taskId: string; userId: number }): Promise<OpenTask[]> =>
    database.select<OpenTask>(
      `SELECT ${open} FROM tasks WHERE task_id = :taskId AND user_id = :userId AND status NOT IN ('SUCCESS', 'FAILURE')`,
      { taskId, userId },
    );

  /** Changes nothing of a job that is over. Who is to be told of an end is written down with it. */
  function change(id: number, columns: TaskChange): Promise<boolean> {
    if (!isFinal(columns.status ?? '')) return write(id, columns);
    return database.transaction(async (transaction) => {
      if (!(await write(id, columns, transaction))) return false;
      await database.sequelize.query(noteFinishedTasks('tasks.id = :id'), { replacements: { id }, transaction });
      return true;
    });
  }

  async function write(id: number, columns: TaskChange, transaction?: Transaction): Promise<boolean> {
    const set = Object.keys(columns).map((name) => `${name} = :${name}`);
    const changed = await database.select(
      `UPDATE tasks SET ${set.join(', ')} WHERE id = :id AND status NOT IN ('SUCCESS', 'FAILURE') RETURNING id`,
      { ...columns, id },
      transaction,
    );
    return changed.length > 0;
  }

  /** One that has ended, of any user. */
  async function ended(id: number): Promise<EndedTask | undefined> {
    const [row] = await database.select<StoredTask & Omit<EndedTask, keyof KnownTask>>(
      `SELECT ${shown}, user_id, platform, quota, request_id FROM tasks
       WHERE id = :id AND status IN ('SUCCESS', 'FAILURE') AND hidden = 0`,
      { id },
    );
    if (!row) return undefined;
    const { user_id, platform, quota, request_id } = row;
    return { ...knownTask(row), user_id, platform, quota, request_id };
  }

  /** A job that its vendor did not take: it cost nothing, and is there to be looked at. */
  async function noteRefused(call: RefusedCall, task: NewTask, reason: string): Promise<void> {
    const { userId: user_id, tokenId: token_id, channelId: channel_id, accessedAt: at } = call;
    const { platform, task_id, action, model, group, submit_time, properties, data } = task;
    await database.sequelize.query(
      `INSERT INTO tasks (user_id, token_id, channel_id, quota, created_at, updated_at, platform, task_id, action, model, "group",
         status, progress, fail_reason, submit_time, finish_time, properties, data)
       VALUES (:user_id, :token_id, :channel_id, 0, :at, :at, :platform, :task_id, :action, :model, :group,
         'FAILURE', '100%', :reason, :submit_time, :at, :properties, :data)`,
      {
        replacements: {
          user_id,
          token_id,
          channel_id,
          at,
          reason: storableText(reason.slice(0, maxReason)),
          platform,
          task_id,
          action,
          model,
          group,
          submit_time,
          properties,
          data,
        },
      },
    );
  }

  /** Where the picture of a user's drawing lies, and at which channel; undefined when there is none. */
  async function pictureOf(
    userId: number,
    platform: string,
    taskId: string,
  ): Promise<{ url: string; channelId: number } | undefined> {
    const rows = await database.select<{ data: string; channel_id: number }>(
      'SELECT data, channel_id FROM tasks WHERE task_id = :taskId AND platform = :platform AND user_id = :userId ORDER BY id DESC LIMIT 2',
      { userId, taskId, platform },
    );
    return rows
      .map(({ data, channel_id }) => ({ url: textOf(recordOf(readTaskJson(data)).imageUrl), channelId: channel_id }))
      .find(({ url }) => url !== '');
  }

  return { owned, due, change, ended, noteRefused, pictureOf, openOf, page, hide };
}

function knownTask({ data, properties, channel_id: channelId, ...row }: StoredTask): OwnedTask {
  const shown = recordOf(readTaskJson(properties));
  return { ...row, channelId, input: textOf(shown.input), properties: shown, data: readTaskJson(data) };
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
