import type { Transaction } from 'sequelize';
import { type BudgetClaim, readBudgets } from '../../billing/budget-claim.ts';
import { writeEntry } from '../../billing/write-entry.ts';
import type { Database } from '../../database/connect.ts';
import type { LogRow } from '../../database/models/log.ts';
import type { TaskRow } from '../../database/models/task.ts';
import { noteFinishedTasks } from '../../database/task-notice.ts';
import { hourOf } from '../../lib/clock.ts';
import { logType } from '../../schemas/log-type.ts';
import { isFinal } from '../../schemas/task-status.ts';
import { codedText } from '../../text/text.ts';
import { forgetAlertsIn } from '../limit/alert.ts';
import { keepSums } from '../log/kept-sum.ts';

export interface TaskFailure {
  /** Of the `tasks` row. */
  id: number;
  reason: string;
  /** Unix seconds. */
  at: number;
  /** What the vendor last said, as JSON text; left out = as it was. */
  data?: string;
  /** Done in the same transaction, once the job is failed: never without it. */
  also?(transaction: Transaction): Promise<void>;
}

type ChargedTask = Pick<
  TaskRow,
  'request_id' | 'user_id' | 'token_id' | 'channel_id' | 'quota' | 'task_id' | 'model' | 'group'
>;

/** What the log says of the call that paid for a job; it never changes. */
type PaidCall = Pick<LogRow, 'model_name' | 'created_at' | 'other'>;

/**
 * The only way a job becomes FAILURE: its charge goes back to user and token, the counters of user, token, channel and hour with it,
 * all in one transaction. False for a job that had ended before, so that however many find out, one of them gives the money back.
 */
export async function failTask(database: Database, failure: TaskFailure): Promise<boolean> {
  const seen = await database.tasks.findByPk(failure.id, { raw: true });
  if (!seen || isFinal(seen.status)) return false;
  // Before any row is locked: all calls of this user and channel would wait for a log database that does not respond.
  const counted = await countedIn(database, seen);
  return database.transaction(async (transaction) => {
    if (database.engine === 'postgres') await lockSubjects(database, seen, transaction);
    const { id, reason, at, data, also } = failure;
    // SQL: the process that changes the row gets it back, so that only one of several pays.
    const [task] = await database.select<ChargedTask>(
      `UPDATE tasks SET status = 'FAILURE', progress = '100%', fail_reason = :reason, finish_time = :at, updated_at = :at
         ${data === undefined ? '' : ', data = :data'}
       WHERE id = :id AND status NOT IN ('SUCCESS', 'FAILURE')
       RETURNING request_id, user_id, token_id, channel_id, quota, task_id, model, "group"`,
      { id, reason, at, data },
      transaction,
    );
    if (!task) return false;
    await database.sequelize.query(noteFinishedTasks('tasks.id = :id'), { replacements: { id }, transaction });
    if (task.quota > 0 && task.request_id) {
      await giveBack(database, { ...task, ref: task.request_id, counted }, at, transaction);
    }
    await also?.(transaction);
    return true;
  });
}

/** The order of core/database/lock-order.ts. */
async function lockSubjects(
  database: Database,
  { user_id, token_id, channel_id }: Pick<ChargedTask, 'user_id' | 'token_id' | 'channel_id'>,
  transaction: Transaction,
): Promise<void> {
  const options = { attributes: ['id'], raw: true, transaction, lock: transaction.LOCK.UPDATE };
  await database.users.findByPk(user_id, options);
  await database.tokens.findByPk(token_id, options);
  await database.channels.findByPk(channel_id, options);
}

async function giveBack(
  database: Database,
  task: ChargedTask & { ref: string; counted: Counted },
  at: number,
  transaction: Transaction,
): Promise<void> {
  const { user_id: userId, token_id: tokenId, channel_id: channelId, quota, ref } = task;
  // SQL: these are statements of the ledger, which add to what is there at this moment.
  const write = (sql: string) =>
    database.sequelize.query(sql, { replacements: { userId, tokenId, channelId, quota, ref }, transaction });
  // The database refuses a second entry of the same call.
  await writeEntry(database, transaction, { userId, kind: 'task_refund', ref, amount: quota, actorId: 0 });
  await write('UPDATE users SET quota = quota + :quota, used_quota = used_quota - :quota WHERE id = :userId');
  await write(
    'UPDATE tokens SET remain_quota = remain_quota + :quota, used_quota = used_quota - :quota WHERE id = :tokenId',
  );
  await write('UPDATE channels SET used_quota = used_quota - :quota WHERE id = :channelId');
  // Its log row, where there is one, stays as it was: what was used is the sum of the rows less what went back.
  const { hour: created_at, model_name, budgets } = task.counted;
  await database.usageData.decrement({ quota }, { where: { user_id: userId, model_name, created_at }, transaction });
  await giveBudgetsBack(database, { budgets, quota }, transaction);
  const counted = { type: logType.consume, user_id: userId, token_id: tokenId, channel_id: channelId, quota: -quota };
  await keepSums(database, [counted], transaction);
  await writeLog(database, task, at, transaction);
}

interface Counted {
  /** 0 = none. */
  hour: number;
  model_name: string;
  budgets: BudgetClaim[];
}

/** What the charge was counted in. A row of a former version does not say it; its log row does, while there is one. */
async function countedIn(database: Database, task: TaskRow): Promise<Counted> {
  const { summed_hour, model, budgets, request_id } = task;
  if (summed_hour !== null) return { hour: summed_hour, model_name: model, budgets: readBudgets(budgets) };
  const log = request_id ? await findLog(database, request_id) : null;
  if (!log) return { hour: 0, model_name: model, budgets: [] };
  const { created_at, model_name, other } = log;
  const named = other.includes('"budgets":[[') ? (JSON.parse(other) as { budgets: BudgetClaim[] }).budgets : [];
  return { hour: hourOf(created_at), model_name, budgets: named };
}

/** Looked for here first: a row that moves meanwhile is in the log database by then. */
async function findLog(database: Database, ref: string): Promise<PaidCall | null> {
  const wanted = { attributes: ['model_name', 'created_at', 'other'], where: { request_id: ref }, raw: true };
  const here = await database.logs.findOne(wanted);
  if (here) return here;
  const home = await database.logHome();
  return home === database ? null : home.logs.findOne(wanted);
}

/** The log row that names the budgets stays as it was, so what went back is counted as used without a row, the other way around. */
async function giveBudgetsBack(
  database: Database,
  { budgets, quota }: Pick<Counted, 'budgets'> & { quota: number },
  transaction: Transaction,
): Promise<void> {
  for (const claim of budgets) {
    const [limit_id, subject, window_start] = claim;
    const where = { limit_id, subject, window_start };
    await database.limitUsage.decrement({ used: quota, unlogged: quota }, { where, transaction });
    // It is not used up any more, and what is said of it next is news again.
    await forgetAlertsIn(database, claim, transaction);
  }
}

async function writeLog(
  database: Database,
  task: ChargedTask & { ref: string },
  at: number,
  transaction: Transaction,
): Promise<void> {
  const { user_id, token_id, channel_id, quota, task_id, model, group, ref } = task;
  const owner = await database.users.findByPk(user_id, { attributes: ['username'], raw: true, transaction });
  const token = await database.tokens.findByPk(token_id, { attributes: ['name'], raw: true, transaction });
  await database.logs.create(
    {
      user_id,
      token_id,
      channel_id,
      quota,
      group,
      request_id: null,
      created_at: at,
      type: logType.system,
      content: codedText('notice', 'log.taskRefunded', { task: task_id, request: ref }),
      username: owner?.username ?? '',
      token_name: token?.name ?? '',
      model_name: model,
      prompt_tokens: 0,
      completion_tokens: 0,
      use_time: 0,
      is_stream: false,
      other: JSON.stringify({ refund: quota, refunded_request_id: ref, task_id }),
    },
    { transaction },
  );
}
