import type { Database } from '../../database/connect.ts';
import type { ReportDatabase } from '../../database/report-database.ts';
import { secondsPerDay } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { ChannelCondition, ChannelStates } from '../../schemas/overview.ts';
import { readChannelAttempts } from './channel-attempt.ts';
import { readChannelHealth } from './channel-health.ts';
import { type ChannelUse, readChannelHours, readServed } from './top.ts';

interface Wanted {
  now: number;
  /** What was served in the last day, where that has been read already. */
  served?: ChannelUse[];
  /** All channels where none are named. */
  ids?: number[];
}

/** All that is known of channels: what they served and failed to serve in the last day. Reasons are coded texts. */
export async function readChannelConditions(
  dependencies: { database: Database; reports: Pick<ReportDatabase, 'read'>; secretBox: SecretBox },
  { now, served: known, ids }: Wanted,
): Promise<ChannelCondition[]> {
  if (ids?.length === 0) return [];
  const [served, attempts, hours] = await dependencies.reports.read((from) =>
    Promise.all([
      known ?? readServed(from, now - secondsPerDay, ids),
      readChannelAttempts(from, now),
      readChannelHours(from, now),
    ]),
  );
  return readChannelHealth(dependencies, { served, attempts, hours }, { now, ...(ids && { ids }) });
}

const maxListed = 50;

/** What an overview shows of channels, however many there are. */
export function listedChannels(channels: ChannelCondition[]): {
  channels: ChannelCondition[];
  channel_states: ChannelStates;
} {
  const states: ChannelStates = { working: 0, slow: 0, failing: 0, off: 0, unknown: 0 };
  for (const { state } of channels) states[state] += 1;
  return { channels: channels.slice(0, maxListed), channel_states: states };
}
