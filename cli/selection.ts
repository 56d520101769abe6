import type { Command } from 'commander';
import { AppError } from '../core/errors/app-error.ts';
import type { Context } from './context.ts';

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

/**
 * Does the same to each of several things. One is an action with an answer of its own; of many, each tells how it went, the rest
 * still run after a failure, and the last line sums up.
 */
export async function forEach<T>(
  { output, speak }: Context,
  items: T[],
  work: (item: T) => Promise<{ message: string; data?: object }>,
): Promise<void> {
  const [only] = items;
  if (items.length === 1 && only !== undefined) {
    const { message, data } = await work(only);
    return output.done(message, data);
  }
  let failed = 0;
  for (const item of items) {
    try {
      const { message, data } = await work(item);
      output.step({ success: true, message, ...(data && { data }) }, message);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failed += 1;
      output.error(error);
    }
  }
  if (failed > 0) throw new AppError('cli.batchFailed', { failed, total: items.length });
  const message = speak('batch.summary', { done: items.length, total: items.length });
  output.step({ success: true, message }, message);
}

/** Adds an example line above nothing else: what people copy stands first. */
export function example(command: Command, { speak }: Context, ...lines: string[]): Command {
  const text = lines.map((line) => `  tollgate ${line}`).join('\n');
  return command.addHelpText('before', `${speak('help.examples')}\n${text}\n`);
}
