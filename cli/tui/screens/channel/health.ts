import type { App } from '../../../../core/app.ts';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { type Channel, channelStatus } from '../../../../core/schemas/channel.ts';
import type { ChannelCondition } from '../../../../core/schemas/overview.ts';
import { wordsIn } from '../../../../core/text/text.ts';
import { formatTime } from '../../../flag/value.ts';
import type { Color } from '../../../print/table.ts';
import type { Environment } from '../../environment.ts';

/** A channel with what was seen of it lately; undefined for one that was added after that was read. */
export interface SeenChannel extends Channel {
  health: ChannelCondition | undefined;
}

/** What the console shows of channels too. */
export async function withHealth({ services }: App, channels: Channel[]): Promise<SeenChannel[]> {
  const seen = new Map((await services.overview.readChannels(systemActor)).map((health) => [health.id, health]));
  return channels.map((channel) => ({ ...channel, health: seen.get(channel.id) }));
}

type State = ChannelCondition['state'] | 'autoOff';

/** A switch that was just made counts at once, what was seen is a few seconds old. */
function stateOf({ status, problem, health }: SeenChannel): State {
  if (status === channelStatus.autoDisabled) return 'autoOff';
  if (status !== channelStatus.enabled) return 'off';
  if (problem !== '') return 'failing';
  return health === undefined || health.state === 'off' ? 'unknown' : health.state;
}

export function stateText(channel: SeenChannel, { speak, symbols }: Environment): string {
  const words: Record<State, string> = {
    working: `${symbols.on} ${speak('tui.channel.working')}`,
    slow: `${symbols.on} ${speak('tui.channel.slow')}`,
    failing: `${symbols.bad} ${speak('tui.channel.failing')}`,
    unknown: `${symbols.unknown} ${speak('tui.channel.unknown')}`,
    autoOff: `${symbols.auto} ${speak('tui.channel.autoOff')}`,
    off: `${symbols.off} ${speak('tui.channel.disabled')}`,
  };
  return words[stateOf(channel)];
}

const colors: Record<State, Color | undefined> = {
  working: 'green',
  slow: 'yellow',
  failing: 'red',
  unknown: undefined,
  autoOff: 'yellow',
  off: 'dim',
};

export const stateColor = (channel: SeenChannel): Color | undefined => colors[stateOf(channel)];

/** Why it does not work, else what went wrong last; '' when nothing is known against it. */
export function errorText(channel: SeenChannel, { language }: Environment): string {
  const { problem, health } = channel;
  const isFailing = stateOf(channel) === 'failing';
  return wordsIn(language, (isFailing && (problem || health?.reason)) || health?.last_error || '');
}

/** The same as a sentence with its time. */
export function errorSentence(channel: SeenChannel, environment: Environment): string {
  const { id, health } = channel;
  const { speak } = environment;
  const reason = errorText(channel, environment);
  if (reason === '') return '';
  if (stateOf(channel) !== 'failing')
    return speak('tui.channel.lastErrorAt', { id, time: formatTime(health?.last_error_at ?? 0), reason });
  const since = health?.since ?? 0;
  if (since === 0) return speak('tui.channel.failingNow', { id, reason });
  return speak('tui.channel.failingSince', { id, time: formatTime(since), reason });
}
