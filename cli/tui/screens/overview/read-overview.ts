import type { App } from '../../../../core/app.ts';
import { nowSeconds } from '../../../../core/lib/clock.ts';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { channelListSchema } from '../../../../core/schemas/channel.ts';
import { channelStatus } from '../../../../core/schemas/channel-status.ts';
import { type Log, logListSchema, logStatSchema } from '../../../../core/schemas/log.ts';
import { logType } from '../../../../core/schemas/log-type.ts';
import { type Pulse, readPulse } from '../../pulse.ts';

export interface Overview {
  pulse: Pulse;
  /** Calls of each of the last minutes, the one under way last. */
  minutes: number[];
  channels: { on: number; auto: number; off: number; failing: number };
  spentToday: number;
  latest: Log[];
}

const minutesShown = 20;

export async function readOverview(app: App, calls: number): Promise<Overview> {
  const { channels, logs, overview } = app.services;
  const now = nowSeconds();
  const count = async (status: number) =>
    (await channels.list(systemActor, channelListSchema.parse({ status, page_size: 1 }))).total;
  const today = logStatSchema.parse({ start_timestamp: midnight(now) });
  const newest = logListSchema.parse({ type: logType.consume, page_size: calls });
  const [pulse, on, auto, off, seen, spent, latest, minutes] = await Promise.all([
    readPulse(app),
    count(channelStatus.enabled),
    count(channelStatus.autoDisabled),
    count(channelStatus.disabled),
    overview.readChannels(systemActor),
    logs.stat(systemActor, today),
    logs.list(systemActor, newest),
    countMinutes(app, now),
  ]);
  const failing = seen.filter(({ status, state }) => status === channelStatus.enabled && state === 'failing').length;
  return { pulse, minutes, channels: { on, auto, off, failing }, spentToday: spent.quota, latest: latest.items };
}

/** The start of the day in the reader's time zone. */
function midnight(now: number): number {
  const date = new Date(now * 1000);
  return Math.floor(new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime() / 1000);
}

/** Minutes that are over do not change any more: each is counted once per installation that is open. */
const counted = new WeakMap<App, Map<number, number>>();

async function countMinutes(app: App, now: number): Promise<number[]> {
  const known = counted.get(app) ?? new Map<number, number>();
  counted.set(app, known);
  const current = Math.floor(now / 60);
  for (const minute of known.keys()) if (minute <= current - minutesShown) known.delete(minute);
  const counts: number[] = [];
  for (let minute = current - minutesShown + 1; minute <= current; minute++) {
    const count = known.get(minute) ?? (await callsIn(app, minute));
    // A call is noted a moment after it has ended.
    if (minute < current - 1) known.set(minute, count);
    counts.push(count);
  }
  return counts;
}

async function callsIn({ services }: App, minute: number): Promise<number> {
  const range = { start_timestamp: minute * 60, end_timestamp: minute * 60 + 59 };
  const query = logListSchema.parse({ type: logType.consume, page_size: 1, ...range });
  return (await services.logs.list(systemActor, query)).total;
}
