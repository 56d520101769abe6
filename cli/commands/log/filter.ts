import type { Command } from 'commander';
import type { App } from '../../../core/app.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { nowSeconds } from '../../../core/lib/clock.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { logStatSchema, logType } from '../../../core/schemas/log.ts';
import type { Context } from '../../context.ts';
import { parseTime } from '../../flag-value.ts';

export interface FilterFlags {
  type?: string;
  username?: string;
  token?: string;
  model?: string;
  channel?: string;
  group?: string;
  since?: string;
  until?: string;
}

export const typeWords = new Map<number, string>([
  [logType.topUp, 'top-up'],
  [logType.consume, 'consume'],
  [logType.manage, 'manage'],
  [logType.system, 'system'],
]);

/** What every command about the log can be narrowed by, but for the time: not all look back. */
export function addFilterFlags(command: Command, { speak }: Context): Command {
  return command
    .option('--type <type>', speak('flag.logType'))
    .option('--username <name>', speak('flag.username'))
    .option('--token <name>', speak('flag.token'))
    .option('--model <name>', speak('flag.model'))
    .option('--channel <channel>', speak('flag.channel'))
    .option('--group <name>', speak('flag.group'));
}

export function addTimeFlags(command: Command, { speak }: Context): Command {
  return command.option('--since <when>', speak('flag.since')).option('--until <when>', speak('flag.until'));
}

/** The flags under the names of the API. */
export async function filterFrom({ services }: App, flags: FilterFlags) {
  const now = nowSeconds();
  return logStatSchema.parse({
    type: flags.type === undefined ? 0 : typeNumber(flags.type),
    username: flags.username,
    token_name: flags.token,
    model_name: flags.model,
    channel: flags.channel === undefined ? 0 : (await services.channels.find(systemActor, flags.channel)).id,
    group: flags.group,
    start_timestamp: flags.since === undefined ? 0 : parseTime(flags.since, now),
    end_timestamp: flags.until === undefined ? 0 : parseTime(flags.until, now),
  });
}

function typeNumber(text: string): number {
  for (const [number, word] of typeWords) if (text === word || text === String(number)) return number;
  throw new AppError('input.invalid', { reason: `type "${text.slice(0, 40)}": ${[...typeWords.values()].join(', ')}` });
}
