import type { Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { TaskNoticeRow } from '../../database/models/task-notice.ts';
import type { UserRow } from '../../database/models/user.ts';
import type { Outbound } from '../../integrations/outbound/outbound.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { userStatus } from '../../schemas/user.ts';
import { readStoredSetting, type StoredSetting } from '../../schemas/user-setting.ts';
import { type NoticeDelivery, noticeText } from '../notice/delivery.ts';
import type { NoticeService } from '../notice/notice.ts';
import { callWebhook, retryAfterSeconds, type WebhookCall } from '../notice/webhook.ts';
import type { OptionService } from '../option/option.ts';
import { openSecret } from '../secret.ts';
import { webhookSecretPlace } from '../user/self.ts';
import { eventIdOf, type TaskEvents, taskFinished } from './event.ts';
import type { EndedTask, TaskStore } from './store.ts';

interface TaskNoticeDependencies {
  /** Unix seconds. */
  now: () => number;
  database: Database;
  secretBox: SecretBox;
  options: Pick<OptionService, 'get'>;
  outbound: Pick<Outbound, 'fetchBytes'>;
  store: Pick<TaskStore, 'ended'>;
  events: TaskEvents;
  notices: Pick<NoticeService, 'put'>;
  delivery: Pick<NoticeDelivery, 'wayTo'>;
  onFailure(text: string, error: unknown): void;
}

type TaskNotice = Omit<TaskNoticeRow, 'due_at'>;

export type TaskNotices = ReturnType<typeof createTaskNotices>;

/** Looked at in one run; of one user, so that a busy one does not crowd out the others. */
const maxNotices = 1000;
const maxOfOneUser = 50;
const usersAtOnce = 20;
/** How long one user's receivers may keep a run waiting. */
const userMs = 10_000;
/** A mail that may not go out yet is tried again after this: the notices have a limit of their own. */
const mailPauseSeconds = 60;
/** The last try; should its process die, the row is removed afterward. */
const lastTrySeconds = 120;

/**
 * Tells users, and the addresses that came with their jobs, that a job has ended. The rows are written by the transaction that ends
 * the job and stay until the receiver has taken the call: it comes at least once, always with the same event id.
 */
export function createTaskNotices(dependencies: TaskNoticeDependencies) {
  const { now, database, secretBox, options, outbound, store, events, notices, delivery, onFailure } = dependencies;

  /** Resolves with how many went out; nothing when none was due. */
  async function sendDue(signal?: AbortSignal): Promise<Record<string, number> | undefined> {
    const due = await readDue();
    if (due.length === 0) return undefined;
    const users = [...new Set(due.map(({ user_id }) => user_id))];
    const counts = { sent: 0, failed: 0 };
    async function work(): Promise<void> {
      for (let id = users.shift(); id !== undefined && !signal?.aborted; id = users.shift()) {
        const userId = id;
        const rows = due.filter(({ user_id }) => user_id === userId);
        await serveUser(userId, rows, counts, signal).catch((error) => onFailure('jobs were not told of', error));
      }
    }
    await Promise.all(Array.from({ length: usersAtOnce }, work));
    return counts;
  }

  /** Each user's first before anyone's second. */
  const readDue = (): Promise<TaskNotice[]> =>
    // SQL: the place of a row among its user's is a window function.
    database.select<TaskNotice>(
      `SELECT id, task, user_id, address, tries FROM (
         SELECT task_notices.*, row_number() OVER (PARTITION BY user_id ORDER BY due_at, id) AS place
         FROM task_notices WHERE due_at <= :now) AS due
       WHERE place <= ${maxOfOneUser} ORDER BY place, due_at LIMIT ${maxNotices}`,
      { now: now() },
    );

  async function serveUser(
    userId: number,
    rows: TaskNotice[],
    counts: { sent: number; failed: number },
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const where = { id: userId, status: userStatus.enabled, deleted_at: null };
    const user = (await database.users.findOne({ where, raw: true })) ?? undefined;
    const setting = readStoredSetting(user?.setting ?? '');
    const isMail = ({ address }: TaskNotice) => address === '' && setting.notify_type === 'email';
    const mails = rows.filter(isMail);
    if (mails.length > 0) counts.sent += await sendMail(user, setting, mails);
    const until = performance.now() + userMs;
    // A receiver that failed is left alone until the next run.
    const failed = new Set<string>();
    for (const row of rows.filter((one) => !isMail(one))) {
      if (signal?.aborted || performance.now() > until) return;
      if (failed.has(row.address) || !(await claim(row))) continue;
      const isSent = await send(row, user, setting);
      if (isSent === false) failed.add(row.address);
      if (isSent !== undefined) counts[isSent ? 'sent' : 'failed'] += 1;
    }
  }

  /** Written before the call: should this process die in it, the call is made again later. Of several processes one gets the row. */
  async function claim({ id, tries }: TaskNotice): Promise<boolean> {
    const due_at = now() + (retryAfterSeconds[tries] ?? lastTrySeconds);
    const [claimed] = await database.taskNotices.update({ tries: tries + 1, due_at }, { where: { id, tries } });
    return claimed > 0;
  }

  /** Undefined when there was nothing to send any more. */
  async function send(
    row: TaskNotice,
    user: UserRow | undefined,
    setting: StoredSetting,
  ): Promise<boolean | undefined> {
    const isOver = row.tries > retryAfterSeconds.length;
    try {
      // A secret that cannot be decrypted is a failed call, too: the other receivers of this user are called.
      const call = user && !isOver ? await callFor(row, user, setting) : undefined;
      if (call) await callWebhook(outbound, call);
      await remove([row]);
      return call && true;
    } catch (error) {
      const isLast = row.tries === retryAfterSeconds.length;
      onFailure(isLast ? 'a webhook was given up' : 'a webhook will be called again later', error);
      if (isLast) await remove([row]);
      return false;
    }
  }

  /** What goes out is read only now: an address or secret that was taken back is not used any more. */
  async function callFor(row: TaskNotice, user: UserRow, setting: StoredSetting): Promise<WebhookCall | undefined> {
    const task = await store.ended(row.task);
    if (!task) return undefined;
    const eventId = eventIdOf(row.task, task);
    if (row.address !== '') {
      const shown = events.shown(task);
      const receiver = `the notify address of a job of user ${user.id}`;
      return shown && { address: row.address, body: JSON.stringify(shown), eventId, receiver };
    }
    const { webhook_url: address, webhook_secret } = setting;
    if (!setting.notify_task_finished || address === '') return undefined;
    const secret = webhook_secret && openSecret(secretBox, webhook_secret, webhookSecretPlace(user.id));
    const body = JSON.stringify(bodyOf(task, eventId));
    return { address, body, secret, eventId, receiver: `the webhook of user ${user.id}` };
  }

  function bodyOf(task: EndedTask, event_id: string): Record<string, unknown> {
    const { subject: title, text: content } = noticeText(options.get('SystemName'), events.notice([task]));
    return { type: taskFinished, event_id, title, content, timestamp: now(), task: events.describe(task) };
  }

  /** All that waits in one mail, which the notices keep and send from there. */
  async function sendMail(user: UserRow | undefined, setting: StoredSetting, rows: TaskNotice[]): Promise<number> {
    if (!user || !setting.notify_task_finished || !delivery.wayTo(user, setting)) {
      await remove(rows);
      return 0;
    }
    const found = await Promise.all(rows.map(({ task }) => store.ended(task)));
    const tasks = found.filter((task) => task !== undefined);
    const isPut = await database.transaction(async (transaction) => {
      if (tasks.length > 0 && !(await notices.put(user, events.notice(tasks), transaction))) return false;
      // Rolls back what another process has put down at the same moment.
      if ((await remove(rows, transaction)) < rows.length) throw new Error('another process tells of the same jobs');
      return true;
    });
    if (!isPut) await postpone(rows);
    return isPut ? tasks.length : 0;
  }

  async function postpone(rows: TaskNotice[]): Promise<void> {
    await database.taskNotices.update({ due_at: now() + mailPauseSeconds }, { where: { id: idsOf(rows) } });
  }

  const remove = (rows: TaskNotice[], transaction?: Transaction): Promise<number> =>
    database.taskNotices.destroy({ where: { id: idsOf(rows) }, transaction });

  return { sendDue };
}

const idsOf = (rows: readonly TaskNotice[]) => rows.map(({ id }) => id);
