import type { Database } from '../database/connect.ts';
import { AppError } from '../errors/app-error.ts';
import type { Outbound } from '../integrations/outbound/outbound.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import type { TaskKind } from '../protocols/task/kind.ts';
import type { TaskAdapter, TaskReport } from '../providers/task/adapter.ts';
import { taskAdapterFor } from '../providers/task/registry.ts';
import { isFinal, taskStatus } from '../schemas/task-status.ts';
import { createStoredChannels } from './channel-probe.ts';
import type { RoutedChannel } from './routing.ts';
import { failTask } from './task-refund.ts';
import type { OpenTask, TaskStore } from './task-store.ts';

interface TaskProgressDependencies {
  now: () => number;
  database: Database;
  secretBox: SecretBox;
  outbound: Pick<Outbound, 'fetchJson'>;
  store: TaskStore;
  kinds: readonly TaskKind[];
  /** RELAY_PROXY, for channels without a proxy of their own. */
  proxy: string | undefined;
  onError(error: unknown): void;
}

export type TaskProgress = ReturnType<typeof createTaskProgress>;

/** Looked at in one run. */
const maxTasks = 500;
const timeoutMs = 15_000;
const maxAnswerBytes = 16 * 1024 * 1024;
/** How often vendors are asked: often while a job is young, and less often the longer it takes. */
const minSeconds = 15;
const maxSeconds = 300;
const youngSeconds = 600;

/** Asks vendors how the jobs under way are doing, and ends those that are over. */
export function createTaskProgress(dependencies: TaskProgressDependencies) {
  const { now, database, outbound, store, kinds, proxy, onError } = dependencies;
  const channelOf = createStoredChannels(dependencies);

  /** Resolves with what came of it; nothing when no job was due. */
  async function poll(signal?: AbortSignal): Promise<Record<string, number> | undefined> {
    const counts = { asked: 0, changed: 0, succeeded: 0, failed: 0 };
    const due = await store.due(now(), maxTasks);
    if (due.length === 0) return undefined;
    const alive: OpenTask[] = [];
    for (const task of due) {
      const reason = overReason(task);
      if (reason === undefined) alive.push(task);
      else if (await fail(task, reason)) counts.failed += 1;
    }
    const channels = [...new Set(alive.map(({ channel_id }) => channel_id))];
    // One channel's trouble, and its slowness, are not the others'.
    await Promise.all(
      channels.map(async (channelId) => {
        const tasks = alive.filter(({ channel_id }) => channel_id === channelId);
        try {
          if (!signal?.aborted) await askChannel(tasks, counts);
        } catch (error) {
          onError(error);
          for (const task of tasks) await postpone(task);
        }
      }),
    );
    return counts;
  }

  function overReason({ platform, submit_time, task_id }: OpenTask): string | undefined {
    if (task_id === '') return 'the upstream gave it no id';
    const life = kinds.find((kind) => kind.platform === platform)?.lifeSeconds;
    if (life === undefined || now() - submit_time < life) return undefined;
    return `not finished after ${Math.round(life / 3600)} h`;
  }

  async function askChannel(all: OpenTask[], counts: Record<'asked' | Outcome, number>): Promise<void> {
    const channel = await findChannel(all[0]?.channel_id ?? 0);
    const adapter = channel && taskAdapterFor(channel.type);
    const tasks: OpenTask[] = [];
    for (const task of all) {
      // A channel that became one of another type is as good as gone.
      if (adapter?.platform === task.platform) tasks.push(task);
      else if (await fail(task, 'its channel was removed')) counts.failed += 1;
    }
    if (!channel || !adapter) return;
    for (let from = 0; from < tasks.length; from += adapter.maxIds) {
      const asked = tasks.slice(from, from + adapter.maxIds);
      const reports = await ask(asked, channel, adapter);
      counts.asked += asked.length;
      for (const task of asked) {
        const report = reports.get(task.task_id);
        // A vendor that has forgotten a job may remember it; the job's own time ends the wait.
        const outcome = report ? await apply(task, report) : await postpone(task);
        if (outcome) counts[outcome] += 1;
      }
    }
  }

  async function findChannel(id: number): Promise<RoutedChannel | undefined> {
    try {
      return (await channelOf(id)).channel;
    } catch (error) {
      if (error instanceof AppError && error.code === 'object.notFound') return undefined;
      throw error;
    }
  }

  async function ask(
    tasks: OpenTask[],
    channel: RoutedChannel,
    adapter: TaskAdapter,
  ): Promise<ReadonlyMap<string, TaskReport>> {
    const request = adapter.buildPoll(
      tasks.map(({ task_id }) => task_id),
      channel,
    );
    const proxyInUse = channel.setting.proxy || proxy;
    const { status, headers, body } = await outbound.fetchJson(request.url, {
      method: request.method,
      headers: request.headers,
      body: request.body === undefined ? null : JSON.stringify(request.body),
      profile: channel.privateAllowed ? 'operatorPrivate' : 'operator',
      timeoutMs,
      maxBytes: maxAnswerBytes,
      ...(proxyInUse && { proxy: proxyInUse }),
    });
    if (status < 200 || status > 299) {
      throw adapter.readError(status, body, headers, { secrets: [channel.key, channel.base_url] });
    }
    return new Map(
      adapter
        .readPoll(
          body,
          tasks.map(({ task_id }) => task_id),
        )
        .map((report) => [report.taskId, report]),
    );
  }

  type Outcome = 'changed' | 'succeeded' | 'failed';

  /** What a vendor says of a job, whichever way it says it. */
  async function apply(task: OpenTask, report: TaskReport): Promise<Outcome | undefined> {
    const { status, progress, startTime, finishTime } = report;
    const data = report.data === null ? '' : JSON.stringify(report.data);
    if (status === taskStatus.failure) {
      return (await failTask(database, { id: task.id, reason: report.failReason, at: now(), data }))
        ? 'failed'
        : undefined;
    }
    const isOver = isFinal(status);
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

  async function postpone(task: OpenTask): Promise<undefined> {
    await store.change(task.id, { next_poll_at: now() + pauseSeconds(task), polls: task.polls + 1 });
  }

  function pauseSeconds({ submit_time }: OpenTask): number {
    const age = now() - submit_time;
    return age < youngSeconds ? minSeconds : Math.min(maxSeconds, Math.round(age / 40));
  }

  /** Asks about one job now, because somebody says that it has come on. */
  async function look(task: { taskId: string; userId: number }): Promise<void> {
    const tasks = await store.openOf(task);
    if (tasks.length > 0) await askChannel(tasks, { asked: 0, changed: 0, succeeded: 0, failed: 0 });
  }

  return { poll, look };
}
