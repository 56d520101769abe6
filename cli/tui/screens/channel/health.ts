import {
  type ChannelState,
  channelErrorOf,
  channelReasonOf,
  channelStateOf,
  type SeenChannel,
} from '../../../../core/services/overview/channel-state.ts';
import { wordsIn } from '../../../../core/text/text.ts';
import { formatTime } from '../../../flag/value.ts';
import { channelStateColors } from '../../../print/seen-channel.ts';
import type { Color } from '../../../print/table.ts';
import type { Environment } from '../../environment.ts';

export function stateText(channel: SeenChannel, { speak, symbols }: Environment): string {
  const words: Record<ChannelState, string> = {
    working: `${symbols.on} ${speak('tui.channel.working')}`,
    slow: `${symbols.on} ${speak('tui.channel.slow')}`,
    failing: `${symbols.bad} ${speak('tui.channel.failing')}`,
    unknown: `${symbols.unknown} ${speak('tui.channel.unknown')}`,
    'auto-disabled': `${symbols.auto} ${speak('tui.channel.autoDisabled')}`,
    disabled: `${symbols.off} ${speak('tui.channel.disabled')}`,
  };
  return words[channelStateOf(channel)];
}

export const stateColor = (channel: SeenChannel): Color | undefined => channelStateColors[channelStateOf(channel)];

/** Why it does not work, else what went wrong last; '' when nothing is known against it. */
export const errorText = (channel: SeenChannel, { language }: Environment): string =>
  wordsIn(language, channelErrorOf(channel));

/** The same as a sentence with its time. */
export function errorSentence(channel: SeenChannel, environment: Environment): string {
  const { id, health } = channel;
  const { speak } = environment;
  const error = errorText(channel, environment);
  if (error === '') return '';
  const { reason, since } = channelReasonOf(channel);
  if (reason === '')
    return speak('tui.channel.lastErrorAt', { id, time: formatTime(health?.last_error_at ?? 0), reason: error });
  if (channelStateOf(channel) === 'auto-disabled')
    return speak('tui.channel.autoOffSince', { id, time: since > 0 ? formatTime(since) : '?', reason: error });
  if (since === 0) return speak('tui.channel.failingNow', { id, reason: error });
  return speak('tui.channel.failingSince', { id, time: formatTime(since), reason: error });
}
