import type { App } from '../../core/app.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import type { Channel } from '../../core/schemas/channel.ts';
import type { ChannelState, SeenChannel } from '../../core/services/overview/channel-state.ts';
import type { Color } from './table.ts';

/** Channels with what the console too shows of their latest requests. */
export async function seenChannels({ services }: App, channels: Channel[]): Promise<SeenChannel[]> {
  if (channels.length === 0) return [];
  const seen = new Map((await services.overview.readChannels(systemActor)).map((health) => [health.id, health]));
  return channels.map((channel) => ({ ...channel, health: seen.get(channel.id) }));
}

export const channelStateColors: Record<ChannelState, Color | undefined> = {
  working: 'green',
  slow: 'yellow',
  failing: 'red',
  unknown: undefined,
  'auto-disabled': 'red',
  disabled: 'dim',
};
