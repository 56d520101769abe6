import type { RoutedChannel, Tiers } from '../services/routing.ts';
import type { Breaker } from './breaker.ts';

/** Added to each weight, so that channels of weight 0 share evenly (relay reference, section 3). */
const weightFloor = 10;

/**
 * The next channel to try: the highest tier that has one left, weighted at random inside it. Channels already tried and open
 * circuits are left out; when only open circuits are left, the one that closes soonest serves, because a group and model never
 * loses its last channel to the breaker.
 */
export function chooseChannel(
  tiers: Tiers,
  tried: readonly number[],
  breaker: Breaker,
  random: () => number = Math.random,
): RoutedChannel | undefined {
  let soonest: RoutedChannel | undefined;
  for (const tier of tiers) {
    const chosen = pick(tier, tried, breaker, random);
    if (chosen) return chosen;
    for (const channel of tier) {
      if (tried.includes(channel.id)) continue;
      if (!soonest || breaker.waitMs(channel.id) < breaker.waitMs(soonest.id)) soonest = channel;
    }
  }
  return soonest;
}

/** Whether a channel not yet tried is left. */
export function hasUntried(tiers: Tiers, tried: readonly number[]): boolean {
  return tiers.some((tier) => tier.some(({ id }) => !tried.includes(id)));
}

function pick(
  tier: readonly RoutedChannel[],
  tried: readonly number[],
  breaker: Breaker,
  random: () => number,
): RoutedChannel | undefined {
  let total = 0;
  let last: RoutedChannel | undefined;
  let count = 0;
  const isUsable = ({ id }: RoutedChannel) => !tried.includes(id) && breaker.allows(id);
  for (const channel of tier) {
    if (!isUsable(channel)) continue;
    total += channel.weight + weightFloor;
    last = channel;
    count += 1;
  }
  if (count < 2) return last;
  let left = random() * total;
  for (const channel of tier) {
    if (!isUsable(channel)) continue;
    left -= channel.weight + weightFloor;
    if (left < 0) return channel;
  }
  return last;
}
