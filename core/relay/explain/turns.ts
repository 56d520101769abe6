import { AppError } from '../../errors/app-error.ts';
import type { RoutedChannel, Tiers } from '../../services/routing.ts';
import type { Breaker } from '../attempt/breaker.ts';
import { type ChannelChoice, chancesOf } from '../attempt/choose-channel.ts';

/** When a channel would be tried. */
export interface ExplainedTurn {
  channel: RoutedChannel;
  /** Counted from 1; undefined when the retries end before. */
  turn: number | undefined;
  chance: number;
  reasons: AppError[];
}

/** The order in which a call goes from channel to channel while each of them fails; the likeliest of a turn first. */
export function turnsOf(tiers: Tiers, retries: number, breaker: Breaker, choice: ChannelChoice = {}): ExplainedTurn[] {
  const channels = new Map(tiers.flat().map((channel) => [channel.id, channel]));
  const turns: ExplainedTurn[] = [];
  const tried: number[] = [];
  for (let turn = 1; ; turn += 1) {
    const chances = [...chancesOf(tiers, tried, breaker, choice)].sort(([, a], [, b]) => b - a);
    if (chances.length === 0) return turns;
    const isReached = tried.length <= retries;
    for (const [id, chance] of chances) {
      const channel = channels.get(id);
      if (!channel) continue;
      const reasons = behind(channel, turns[0]?.channel, breaker, choice);
      if (!isReached) reasons.push(new AppError('explain.beyondRetries', { retries }));
      turns.push({ channel, turn: isReached ? turn : undefined, chance: isReached ? chance : 0, reasons });
    }
    tried.push(...chances.map(([id]) => id));
  }
}

function behind(
  channel: RoutedChannel,
  first: RoutedChannel | undefined,
  breaker: Breaker,
  { preference }: ChannelChoice,
): AppError[] {
  const { id, priority } = channel;
  const waitMs = breaker.waitMs(id);
  const less = first && priority === first.priority ? preference?.reasonAgainst(channel, first) : undefined;
  return [
    ...(waitMs > 0 ? [new AppError('explain.circuitOpen', { seconds: Math.ceil(waitMs / 1000) })] : []),
    ...(first && priority < first.priority
      ? [new AppError('explain.lowerPriority', { priority, highest: first.priority })]
      : []),
    ...(less ? [less] : []),
    ...keyNote(channel, breaker),
  ];
}

/** How the key of a channel with several is chosen. */
function keyNote({ pool }: RoutedChannel, { keys }: Breaker): AppError[] {
  if (!pool) return [];
  const paused = pool.on.filter((one) => keys.waitMs(one) > 0).length;
  const code = pool.mode === 'polling' ? 'explain.keyInTurn' : 'explain.keyPool';
  return [new AppError(code, { on: pool.on.length, total: pool.all.length, paused })];
}
