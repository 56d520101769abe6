import type { Command } from 'commander';
import type { App } from '../../core/app.ts';
import { nowSeconds } from '../../core/lib/clock.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import { pagingSchema } from '../../core/schemas/paging.ts';
import type { Context } from '../context.ts';
import { usernameOf } from '../flag/log-filter.ts';
import { parseRange, rowsOfList } from '../flag/value.ts';

/** What the lists of asynchronous work, tasks and drawings, can be narrowed by alike. */
export interface WorkFlags {
  user?: string;
  /** The former name of `user`. */
  username?: string;
  channel?: string;
  since?: string;
  until?: string;
  page?: string;
  pageSize?: string;
}

export function addWorkFlags(command: Command, { speak }: Context): Command {
  return command
    .option('--user <user>', speak('flag.logUser'))
    .addOption(command.createOption('--username <name>').hideHelp())
    .option('--channel <channel>', speak('flag.channel'))
    .option('--since <when>', speak('flag.since'))
    .option('--until <when>', speak('flag.until'))
    .option('--page <number>', speak('flag.page'))
    .option('--page-size <number>', speak('flag.pageSize'), String(rowsOfList));
}

/** The flags as a console sends them: texts, pages from 0, times in parts of a second. */
export async function workFilter(app: App, flags: WorkFlags, perSecond: number) {
  const { page, page_size } = pagingSchema.parse({ page: flags.page, page_size: flags.pageSize });
  const { start, end } = parseRange(flags, nowSeconds());
  const time = (seconds: number | undefined) => (seconds === undefined ? undefined : String(seconds * perSecond));
  const channel =
    flags.channel === undefined ? undefined : await app.services.channels.find(systemActor, flags.channel);
  return {
    p: String(page - 1),
    page_size: String(page_size),
    username: await usernameOf(app, flags.user ?? flags.username),
    channel_id: channel && String(channel.id),
    start_timestamp: time(start),
    end_timestamp: time(end),
  };
}
