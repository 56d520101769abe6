import type { Command } from 'commander';
import { AppError } from '../../core/errors/app-error.ts';
import type { Context } from '../context.ts';
import { exitCode } from '../failure.ts';
import { untilStopped } from '../interruption.ts';
import { startProgress } from '../print/progress.ts';
import { rehearse } from './rehearsal.ts';

/** The names a command is about: its arguments, and for `-` what standard input lists, separated by white space. */
export async function namesFrom({ input, speak }: Context, words: string[], command: Command): Promise<string[]> {
  const names: string[] = [];
  for (const word of words) {
    if (word === '-') names.push(...(await input.readAll()).split(/\s+/).filter(Boolean));
    else names.push(word);
  }
  if (names.length === 0) throw usage(command, speak('usage.nothingNamed'));
  return [...new Set(names)];
}

export function usage(command: Command, reason: string): AppError {
  const words = [];
  for (let part: Command | null = command; part; part = part.parent) words.unshift(part.name());
  return new AppError('cli.usage', { reason, command: words.join(' ') });
}

interface BatchOptions {
  dryRun?: boolean | undefined;
}

type Work<T> = (item: T) => Promise<{ message: string; data?: object }>;

/**
 * Does the same to each of several things. One is an action with a response of its own; of many, each tells how it went, the rest
 * still run after a failure, and the last line sums up. An interruption ends it behind the thing under way.
 */
export async function forEach<T>(
  context: Context,
  items: T[],
  work: Work<T>,
  { dryRun }: BatchOptions = {},
): Promise<void> {
  if (dryRun) return rehearse(context, () => tryEach(context, items, work));
  const [only] = items;
  if (items.length === 1 && only !== undefined) {
    const { message, data } = await work(only);
    return context.output.done(message, data);
  }
  const { output, speak, host } = context;
  const total = items.length;
  const count = { done: 0, failed: 0 };
  const progress = startProgress(context, total);
  const ending = await untilStopped(host, async (signal) => {
    for (const item of items) {
      if (signal.aborted) break;
      if (await report(context, () => work(item))) count.done += 1;
      else count.failed += 1;
      progress.at(count.done + count.failed);
    }
  }).finally(progress.end);
  const summary = ending ? 'batch.stopped' : count.failed > 0 ? 'batch.partly' : 'batch.summary';
  const message = speak(summary, { ...count, total });
  output.step({ success: count.done === total, message, data: { ...count, total } }, message);
  if (ending === 'interrupted') throw new AppError('cli.interrupted');
  if (count.failed > 0) throw new AppError('cli.batchFailed', { failed: count.failed, total });
}

/** As `forEach`, for what is done to all of them in one step or to none of them. */
export async function allOrNone<T>(
  context: Context,
  items: T[],
  work: (items: T[]) => Promise<unknown>,
  tell: (item: T) => { message: string; data: object },
  { dryRun }: BatchOptions = {},
): Promise<void> {
  if (dryRun) return rehearse(context, () => work(items));
  await work(items);
  await forEach(context, items, async (item) => tell(item));
}

/** As `forEach`, for work whose response is the object it leaves: one is printed as it is. */
export async function recordEach<T>(
  context: Context,
  items: T[],
  work: (item: T) => Promise<{ message: string; record: object }>,
  { dryRun }: BatchOptions = {},
): Promise<void> {
  const [only] = items;
  if (!dryRun && items.length === 1 && only !== undefined) {
    const { message, record } = await work(only);
    return context.output.record(record, message);
  }
  const step: Work<T> = async (item) => {
    const { message, record } = await work(item);
    return { message, data: record };
  };
  await forEach(context, items, step, { dryRun });
}

/** As in earnest, where one that fails does not keep the others from being done. */
async function tryEach<T>(context: Context, items: T[], work: Work<T>): Promise<void> {
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      if (!(error instanceof AppError) || items.length === 1) throw error;
      context.output.error(error);
      context.exitCode = exitCode.batch;
    }
  }
}

/** Whether it went well. */
async function report({ output }: Context, work: () => ReturnType<Work<unknown>>): Promise<boolean> {
  try {
    const { message, data } = await work();
    output.step({ success: true, message, ...(data && { data }) }, message);
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const message = error.text(output.language);
    if (output.json) output.step({ success: false, message, code: error.code }, message);
    else output.error(error);
    return false;
  }
}

/** Adds an example line above nothing else: what people copy stands first. */
export function example(command: Command, { speak }: Context, ...lines: string[]): Command {
  const text = lines.map((line) => `  tollgate ${line}`).join('\n');
  return command.addHelpText('before', `${speak('help.examples')}\n${text}\n`);
}
