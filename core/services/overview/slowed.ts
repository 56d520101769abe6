import type { Database } from '../../database/connect.ts';
import { secondsPerDay, secondsPerHour } from '../../lib/clock.ts';
import { channelStatus } from '../../schemas/channel-status.ts';
import type { ChannelCondition } from '../../schemas/overview.ts';
import { percentile, sortedNumbers } from './latency.ts';
import { type LatencySample, readLatencySamples } from './latency-sample.ts';

/** The channels that serve the most; a row of the log is read for each of so many requests. */
const maxChannels = 50;
const maxRead = 200;
/** Of fewer requests a single slow one would make the 95th percentile. */
const minRequests = 20;
const slowFactor = 2;
const slowMs = 1000;

/** Channels that became slow: in the last hour the slowest requests took much longer than in the 24 hours before. */
export async function readSlowed(database: Database, channels: ChannelCondition[], now: number) {
  const busy = channels
    .filter(({ status, requests }) => status === channelStatus.enabled && requests >= minRequests)
    .slice(0, maxChannels);
  const hourAgo = now - secondsPerHour;
  const spans = busy.flatMap(({ id: channelId }) => [
    { channelId, start: hourAgo, end: now },
    { channelId, start: hourAgo - secondsPerDay, end: hourAgo - 1 },
  ]);
  const samples = await readLatencySamples(database, spans, { max: maxRead });
  return busy.flatMap(({ id, name }, index) => {
    const [recent, before] = samples.slice(2 * index);
    if (!recent || !before) return [];
    // How long a whole response takes also depends on what is asked for.
    const first = risen(recent, before, 'firsts');
    const times = first ?? risen(recent, before, 'totals');
    if (!times?.isSlower) return [];
    const kind = first ? ('channelFirstSlow' as const) : ('channelSlow' as const);
    return [{ kind, id, name, p95: times.p95, previous_p95: times.previous }];
  });
}

/** Undefined where too few requests tell. */
function risen(recent: LatencySample, before: LatencySample, key: keyof LatencySample) {
  const [after, earlier] = [sortedNumbers(recent[key]), sortedNumbers(before[key])];
  if (after.length < minRequests || earlier.length < minRequests) return undefined;
  const [p95, previous] = [percentile(after, 0.95) ?? 0, percentile(earlier, 0.95) ?? 0];
  return { p95, previous, isSlower: p95 >= slowFactor * previous && p95 - previous >= slowMs };
}
