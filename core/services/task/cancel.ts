import type { Database } from '../../database/connect.ts';
import { AppError } from '../../errors/app-error.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import type { TaskCancellation, TaskReport } from '../../providers/task/adapter.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { channelTypeOf } from '../../schemas/channel-type.ts';
import type { CanceledTask } from '../../schemas/task.ts';
import { isFinal, taskStatus } from '../../schemas/task-status.ts';
import { coded } from '../../text/coded.ts';
import type { AuditService } from '../audit.ts';
import { type FoundTask, findTask, type TaskNoun } from './find.ts';
import type { TaskProgress } from './progress.ts';
import { failTask } from './refund.ts';
import { isUnderWay } from './store.ts';
import type { TaskPlace, TaskVendor } from './vendor.ts';

interface TaskCancelDependencies {
  now: () => number;
  database: Database;
  audit: Pick<AuditService, 'record'>;
  vendor: TaskVendor;
  apply: TaskProgress['apply'];
}

/** A job that may be stopped, and how. */
interface RunningTask {
  task: FoundTask;
  place: TaskPlace;
  cancellation: TaskCancellation;
}

export type TaskCancelService = ReturnType<typeof createTaskCancel>;

const reason = coded('task.canceled');

/** Stops jobs under way where their vendor can: a job that the vendor has stopped is failed and paid back, and no other. */
export function createTaskCancel({ now, database, audit, vendor, apply }: TaskCancelDependencies) {
  /** The result that needs no call to the vendor. Throws where the job is unknown or over, or its vendor cannot stop it. */
  async function check(actor: Actor, noun: TaskNoun, word: string): Promise<RunningTask> {
    const task = await findTask(database, actor, noun, word);
    if (isFinal(task.status)) throw over(task);
    const place = task.task_id === '' ? undefined : await vendor.find(task.channel_id, task.channel_key);
    // The poller fails such a job and pays it back.
    if (place?.adapter.platform !== task.platform) throw new AppError('task.providerGone', { id: nameOf(task) });
    const { cancel: cancellation } = place.adapter;
    if (cancellation) return { task, place, cancellation };
    const provider = channelTypeOf(place.channel.type)?.label ?? '';
    throw new AppError('task.cancelNotOffered', { provider, id: nameOf(task) });
  }

  /** One's own job, or any user's for an administrator. */
  async function cancel(actor: Actor, noun: TaskNoun, word: string): Promise<CanceledTask> {
    const running = await check(actor, noun, word);
    const { task } = running;
    try {
      await stop(running);
    } catch (error) {
      throw explained(error, actor, task);
    }
    const after = { status: taskStatus.failure, fail_reason: reason };
    const isEnded = await failTask(database, {
      id: task.id,
      reason,
      at: now(),
      also: async (transaction) => {
        if (actor.id === task.user_id) return;
        await audit.record(
          actor,
          { action: `${noun}.cancel`, id: task.id, before: { status: task.status }, after },
          transaction,
        );
      },
    });
    if (!isEnded) throw await overNow(task);
    await endTwins(task);
    return { id: task.id, task_id: task.task_id, ...after, refunded: task.request_id === null ? 0 : task.quota };
  }

  /** Resolves once the vendor has stopped the job. One that has finished meanwhile stays finished. */
  async function stop(running: RunningTask): Promise<void> {
    const { task, place, cancellation } = running;
    const before = await reportOf(running);
    if (before && isFinal(before.status)) throw await overBy(task, before);
    const response = await vendor.call(cancellation.build(task.task_id, place.channel), place);
    const isUnknown = response.status === 404;
    if (!isUnknown && cancellation.read(vendor.accept(response, place))) return;
    // The response does not say it, so the job itself is looked at; a vendor that has no such job works on none.
    const after = await reportOf(running);
    if (!after || after.status === taskStatus.failure) return;
    if (isFinal(after.status)) throw await overBy(task, after);
    if (isUnknown) vendor.accept(response, place);
    throw new AppError('task.cancelUnconfirmed', { id: task.task_id });
  }

  /** Undefined when the vendor knows no such job. */
  async function reportOf({ task: { task_id }, place }: RunningTask): Promise<TaskReport | undefined> {
    const response = await vendor.call(place.adapter.buildPoll([task_id], place.channel), place);
    if (response.status === 404) return undefined;
    const said = place.adapter.readPoll(vendor.accept(response, place), [task_id]);
    const report = vendor.byId(said, place).get(task_id);
    // It says two things of the job at once.
    if (!report && said.some(({ taskId }) => taskId === task_id))
      throw new AppError('task.cancelUnconfirmed', { id: task_id });
    return report;
  }

  async function overBy(task: FoundTask, report: TaskReport): Promise<AppError> {
    await apply(task, report);
    return overNow(task);
  }

  async function overNow(task: FoundTask): Promise<AppError> {
    const row = await database.tasks.findByPk(task.id, { attributes: ['status'], raw: true });
    return over({ ...task, status: row?.status ?? task.status });
  }

  /** A job that was gone on with under its own id has a row for each part, and the vendor has stopped them all. */
  async function endTwins({ task_id, platform, user_id, channel_id }: FoundTask): Promise<void> {
    const where = { ...isUnderWay, task_id, platform, user_id, channel_id };
    const twins = await database.tasks.findAll({ attributes: ['id'], where, raw: true });
    for (const { id } of twins) await failTask(database, { id, reason, at: now() });
  }

  return { check, cancel };
}

const nameOf = ({ id, task_id }: FoundTask) => task_id || id;

const over = (task: FoundTask) => new AppError('task.alreadyOver', { id: nameOf(task), status: task.status });

/** What a vendor said, for the one who asked: of the operator's trouble with a vendor only operators read more. */
function explained(error: unknown, actor: Actor, task: FoundTask): unknown {
  const id = nameOf(task);
  const isOperators = error instanceof UpstreamError ? error.concernsOperator : isUnreachable(error);
  if (isOperators && actor.role < role.admin) return new AppError('task.providerTrouble', { id }, { cause: error });
  if (!(error instanceof UpstreamError)) return error;
  return new AppError('task.cancelRefused', { id, reason: error.coded }, { cause: error });
}

const isUnreachable = (error: unknown) => error instanceof AppError && error.code.startsWith('outbound.');
