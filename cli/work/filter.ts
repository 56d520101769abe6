import type { Command } from 'commander';
import type { App } from '../../core/app.ts';
import { nowSeconds } from '../../core/lib/clock.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import { pagingSchema } from '../../core/schemas/paging.ts';
import type { Context } from '../context.ts';
import { parseTime } from '../flag/value.ts';

/** What the lists of asynchronous work, tasks and drawings, can be narrowed by alike. */
export interface WorkFlags {
  username?: string;
  channel?: string;
  since?: string;
  until?: string;
  page?: string;
  pageSize?: string;
}

export function addWorkFlags(command: Command, { speak }: Context): Command {
  return command
    .option('--username <name>', speak('flag.username'))
    .option('--channel <channel>', speak('flag.channel'))
    .option('--since <when>', speak('flag.since'))
    .option('--until <when>', speak('flag.until'))
    .option('--page <number>', speak('flag.page'))
    .option('--page-size <number>', speak('flag.pageSize'));
}

/** The flags as a console sends them: texts, pages from 0, times in parts of a second. */
export async function workFilter({ services }: App, flags: WorkFlags, perSecond: number) {
  const { page, page_size } = pagingSchema.parse({ page: flags.page, page_size: flags.pageSize });
  const time = (text: string | undefined) =>
    text === undefined ? undefined : String(parseTime(text, nowSeconds()) * perSecond);
  const channel = flags.channel === undefined ? undefined : await services.channels.find(systemActor, flags.channel);
  return {
    p: String(page - 1),
    page_size: String(page_size),
    username: flags.username,
    channel_id: channel && String(channel.id),
    start_timestamp: time(flags.since),
    end_timestamp: time(flags.until),
  };
}
