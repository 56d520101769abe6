import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import type { App } from '../../core/app.ts';
import { AppError } from '../../core/errors/app-error.ts';
import { nowSeconds } from '../../core/lib/clock.ts';
import { isFinal, taskStatus } from '../../core/schemas/task-status.ts';
import type { TaskNoun } from '../../core/services/task/find.ts';
import type { Context } from '../context.ts';
import { exitCode } from '../failure.ts';
import { namesFrom } from '../flag/selection.ts';
import { parseDuration } from '../flag/value.ts';
import { untilStopped } from '../interruption.ts';
import { duration } from '../print/progress.ts';

/** What waiting needs of a task or a drawing. */
export interface WaitedJob {
  taskId: string;
  userId: number;
  status: string;
  progress: string;
  failReason: string;
  /** Unix seconds; 0 = not yet. */
  submitTime: number;
  finishTime: number;
  /** As programs get it. */
  record: object;
}

interface WaitFlags {
  timeout?: string;
}

const readMs = 2000;
/** A server asks providers by itself; where none runs, and for a job that it asks about seldom, the command does. */
const askMs = 30_000;

/** Adds what `wait` takes and does; `read` finds a job by the word a person typed. */
export function addWait(
  command: Command,
  context: Context,
  noun: TaskNoun,
  read: (app: App, word: string) => Promise<WaitedJob>,
): void {
  const { host, output, speak } = context;

  async function waitFor(app: App, word: string, deadline: number, signal: AbortSignal): Promise<WaitedJob> {
    let asked = performance.now();
    for (;;) {
      const job = await read(app, word);
      if (isFinal(job.status) || signal.aborted) return job;
      const { taskId: id, userId, status, progress } = job;
      const time = duration(Math.max(0, nowSeconds() - job.submitTime));
      output.progress(speak('work.progress', { id, status, progress, time }));
      const left = deadline - performance.now();
      if (left <= 0) throw new AppError('cli.waitTimeout', { id, status, time });
      await pause(Math.min(readMs, left), undefined, { signal });
      if (performance.now() - asked < askMs) continue;
      asked = performance.now();
      await app.services.taskProgress.look({ taskId: id, userId });
    }
  }

  function tell({ taskId: id, status, failReason, submitTime, finishTime, record }: WaitedJob): boolean {
    const isGood = status === taskStatus.success;
    const time = duration(Math.max(0, finishTime - submitTime));
    output.progress(undefined);
    if (output.json) output.record(record, '');
    else output.say(isGood ? speak('work.succeeded', { id, time }) : speak('work.failed', { id, reason: failReason }));
    return isGood;
  }

  command
    .argument(`<${noun}s...>`, speak('argument.tasks'))
    .option('--timeout <duration>', speak('flag.waitTimeout'))
    .action(async (words: string[], { timeout }: WaitFlags, self: Command) => {
      const limitMs = timeout === undefined ? Number.POSITIVE_INFINITY : parseDuration(timeout, '--timeout') * 1000;
      const deadline = performance.now() + limitMs;
      const names = await namesFrom(context, words, self);
      const app = await context.app();
      let failed = 0;
      const ending = await untilStopped(host, async (signal) => {
        for (const word of names) {
          const job = await waitFor(app, word, deadline, signal);
          if (signal.aborted) return;
          if (!tell(job)) failed += 1;
        }
      }).finally(() => output.progress(undefined));
      if (ending === 'interrupted') context.exitCode = exitCode.interrupted;
      else if (failed > 0) context.exitCode = names.length === 1 ? exitCode.failed : exitCode.batch;
    });
}
