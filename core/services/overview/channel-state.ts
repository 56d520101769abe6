import type { Channel } from '../../schemas/channel.ts';
import { channelStatus } from '../../schemas/channel-status.ts';
import type { ChannelCondition } from '../../schemas/overview.ts';

/** A channel with what was seen of it lately; undefined for one that was added after that was read. */
export interface SeenChannel extends Channel {
  health: ChannelCondition | undefined;
}

/** `unknown`: enabled, but neither tried nor tested within the hour. */
export type ChannelState = 'working' | 'slow' | 'failing' | 'unknown' | 'auto-disabled' | 'disabled';

/** What a channel is good for now. A switch that was just made counts at once; what was seen may be a few seconds old. */
export function channelStateOf({ status, problem, health }: SeenChannel): ChannelState {
  if (status === channelStatus.autoDisabled) return 'auto-disabled';
  if (status !== channelStatus.enabled) return 'disabled';
  if (problem !== '') return 'failing';
  return health === undefined || health.state === 'off' ? 'unknown' : health.state;
}

/** Why it fails or went off by itself, and since when; '' and 0 for one that does neither. A coded text and unix seconds. */
export function channelReasonOf(channel: SeenChannel): { reason: string; since: number } {
  const { problem, health } = channel;
  const state = channelStateOf(channel);
  if (state !== 'failing' && state !== 'auto-disabled') return { reason: '', since: 0 };
  const reason = (state === 'failing' && problem) || health?.reason || health?.last_error || '';
  return { reason, since: health?.since ?? 0 };
}

/** Why it does not work, else what went wrong last; '' when nothing is known against it. A coded text. */
export function channelErrorOf(channel: SeenChannel): string {
  return channelReasonOf(channel).reason || channel.health?.last_error || '';
}
