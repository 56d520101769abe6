import type { Database } from '../../database/connect.ts';
import { asOutage } from '../../database/outage.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import type { TaskReport } from '../../providers/task/adapter.ts';
import { isFinal, taskStatus } from '../../schemas/task-status.ts';
import { coded } from '../../text/coded.ts';
import type { TaskKind } from '../../wire/task-kind.ts';
import { failTask } from './refund.ts';
import type { OpenTask, TaskStore } from './store.ts';
import type { TaskVendor } from './vendor.ts';

interface TaskProgressDependencies {
  now: () => number;
  database: Database;
  store: TaskStore;
  vendor: Pick<TaskVendor, 'find' | 'reports'>;
  kinds: readonly TaskKind[];
  onError(error: unknown): void;
  /** `defaultTurnMs` when left out. */
  turnMs?: number;
}

export type TaskProgress = ReturnType<typeof createTaskProgress>;

/** Looked at in one run. */
const maxTasks = 500;
/** How often vendors are asked: often while a job is young, and less often the longer it takes. */
const minSeconds = 15;
const maxSeconds = 300;
const youngSeconds = 600;
/** A hint has a vendor asked no sooner than this after it was asked last. */
const hintSeconds = 3;

/** No further question about the jobs of one account is begun after so long: until its turn is over, no other job is looked at. */
const defaultTurnMs = 20_000;
/** Number of useless responses after which a channel is skipped in this round. */
const maxFailures = 3;

type Outcome = 'changed' | 'succeeded' | 'failed';
type Counts = Record<'asked' | Outcome, number>;

/** Asks vendors how the jobs under way are doing, and ends those that are over. */
export function createTaskProgress(dependencies: TaskProgressDependencies) {
  const { now, database, store, vendor, kinds, onError, turnMs = defaultTurnMs } = dependencies;

  /** Resolves with what came of it; nothing when no job was due. */
  async function poll(signal?: AbortSignal): Promise<Record<string, number> | undefined> {
    const counts: Counts = { asked: 0, changed: 0, succeeded: 0, failed: 0 };
    const due = await store.due(now(), maxTasks);
    if (due.length === 0) return undefined;
    await askChannels(due, counts, signal);
    return counts;
  }

  /** One channel's trouble, and its slowness, are not the others'. */
  async function askChannels(all: OpenTask[], counts: Counts, signal?: AbortSignal): Promise<void> {
    const accounts = [...new Set(all.map(accountOf))];
    await Promise.all(
      accounts.map(async (account) => {
        const tasks = all.filter((task) => accountOf(task) === account);
        try {
          await askChannel(tasks, counts, signal);
        } catch (error) {
          onError(error);
          await note(tasks, undefined, counts);
        }
      }),
    );
  }

  /** About jobs of one channel and one of its keys. */
  async function askChannel(all: OpenTask[], counts: Counts, signal?: AbortSignal): Promise<void> {
    const [first] = all;
    const place = first && (await vendor.find(first.channel_id, first.channel_key));
    const tasks: OpenTask[] = [];
    for (const task of all) {
      // A channel that became one of another type is as good as gone.
      const isServed = place?.adapter.platform === task.platform;
      if (isServed && task.task_id !== '') tasks.push(task);
      else if (await fail(task, coded(isServed ? 'task.noId' : 'task.channelRemoved'))) counts.failed += 1;
    }
    if (!place) return;
    const { maxIds } = place.adapter;
    let failures = 0;
    const startedAt = now();
    const until = performance.now() + turnMs;
    for (let from = 0; from < tasks.length && !signal?.aborted; from += maxIds) {
      // The rest stays due, and comes first the next time.
      if (from > 0 && performance.now() > until) return;
      const some = tasks.slice(from, from + maxIds);
      const isLeft = failures >= maxFailures;
      let reports: ReadonlyMap<string, TaskReport> | undefined;
      try {
        const ids = some.map(({ task_id }) => task_id);
        if (!isLeft) reports = await vendor.reports(ids, place);
      } catch (error) {
        onError(error);
        // An upstream that cannot be reached is left alone for this turn; what it says of one job is not said of the others.
        failures += error instanceof UpstreamError ? 1 : maxFailures;
      }
      if (reports) counts.asked += some.length;
      // Those that were not asked about come first the next time, however long the others took.
      await note(some, reports, counts, isLeft ? startedAt + minSeconds - 1 : undefined);
    }
  }

  /** Without a report a job waits, one that the vendor has forgotten as well: it may remember, and the job's own time ends the wait. */
  async function note(
    tasks: OpenTask[],
    reports: ReadonlyMap<string, TaskReport> | undefined,
    counts: Counts,
    nextPollAt?: number,
  ): Promise<void> {
    for (const task of tasks) {
      const report = reports?.get(task.task_id);
      try {
        const outcome = await (report ? apply(task, report) : wait(task, nextPollAt));
        if (outcome) counts[outcome] += 1;
      } catch (error) {
        if (asOutage(error)) throw error;
        // What cannot be written of one job must not keep the others from being written.
        onError(error);
        await wait(task);
      }
    }
  }

  /** What a vendor says of a job, whichever way it says it. */
  async function apply(task: OpenTask, report: TaskReport): Promise<Outcome | undefined> {
    const { status, progress, startTime, finishTime } = report;
    const data = report.data === null ? '' : JSON.stringify(report.data);
    if (status === taskStatus.failure) {
      const reason = report.failReason || coded(report.isCanceled ? 'task.canceled' : 'task.unexplained');
      return (await failTask(database, { id: task.id, reason, at: now(), data })) ? 'failed' : undefined;
    }
    const isOver = isFinal(status);
    if (!isOver && isOverdue(task)) return giveUp(task);
    const changed = await store.change(task.id, {
      status,
      progress: isOver ? '100%' : progress,
      data,
      updated_at: now(),
      ...(startTime > 0 && { start_time: startTime }),
      ...(isOver && { finish_time: finishTime || now() }),
      next_poll_at: now() + pauseSeconds(task),
      polls: task.polls + 1,
    });
    if (!changed || (status === task.status && progress === task.progress)) return undefined;
    return isOver ? 'succeeded' : 'changed';
  }

  async function fail({ id }: OpenTask, reason: string): Promise<boolean> {
    return failTask(database, { id, reason, at: now() });
  }

  async function wait(task: OpenTask, nextPollAt = now() + pauseSeconds(task)): Promise<Outcome | undefined> {
    if (isOverdue(task)) return giveUp(task);
    await store.change(task.id, { next_poll_at: nextPollAt, polls: task.polls + 1, updated_at: now() });
    return undefined;
  }

  /** Only after the vendor was asked often enough: neither a clock that was stepped nor a server that was off ends a job. */
  function isOverdue(task: OpenTask): boolean {
    const life = lifeOf(task);
    return now() - task.submit_time >= life && task.polls >= Math.ceil(life / maxSeconds);
  }

  async function giveUp(task: OpenTask): Promise<Outcome | undefined> {
    return (await fail(task, coded('task.overdue', { hours: Math.round(lifeOf(task) / 3600) }))) ? 'failed' : undefined;
  }

  const lifeOf = ({ platform }: OpenTask): number =>
    kinds.find((kind) => kind.platform === platform)?.lifeSeconds ?? Number.POSITIVE_INFINITY;

  function pauseSeconds({ submit_time }: OpenTask): number {
    const age = now() - submit_time;
    return age < youngSeconds ? minSeconds : Math.min(maxSeconds, Math.round(age / 40));
  }

  /**
   * A hint that a job has come on: its vendor is asked now, and what the hint says is ignored. After a repeated hint the job is looked
   * at in the next turn, so that no flood of hints becomes one of calls.
   */
  async function look(hint: { taskId: string; userId: number }): Promise<void> {
    const tasks = await store.openOf(hint);
    const isFresh = ({ polls, updated_at }: OpenTask) => polls > 0 && now() - updated_at < hintSeconds;
    for (const { id } of tasks.filter(isFresh)) await store.change(id, { next_poll_at: now() });
    const due = tasks.filter((task) => !isFresh(task));
    await askChannels(due, { asked: 0, changed: 0, succeeded: 0, failed: 0 });
  }

  return { poll, look, apply };
}

/** A channel and one of its keys. */
const accountOf = ({ channel_id, channel_key }: OpenTask): string => `${channel_id} ${channel_key}`;
