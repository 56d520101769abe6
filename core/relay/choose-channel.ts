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
  tried: ReadonlySet<number>,
  breaker: Breaker,
  random: () => number = Math.random,
): RoutedChannel | undefined {
  let soonest: RoutedChannel | undefined;
  for (const tier of tiers) {
    const untried = tried.size === 0 ? tier : tier.filter(({ id }) => !tried.has(id));
    const usable = untried.filter(({ id }) => breaker.allows(id));
    if (usable.length > 0) return pick(usable, random);
    for (const channel of untried) {
      if (!soonest || breaker.waitMs(channel.id) < breaker.waitMs(soonest.id)) soonest = channel;
    }
  }
  return soonest;
}

/** Whether a channel not yet tried is left. */
export function hasUntried(tiers: Tiers, tried: ReadonlySet<number>): boolean {
  return tiers.some((tier) => tier.some(({ id }) => !tried.has(id)));
}

function pick(channels: readonly RoutedChannel[], random: () => number): RoutedChannel | undefined {
  if (channels.length === 1) return channels[0];
  const total = channels.reduce((sum, { weight }) => sum + weight + weightFloor, 0);
  let left = random() * total;
  for (const channel of channels) {
    left -= channel.weight + weightFloor;
    if (left < 0) return channel;
  }
  return channels.at(-1);
}
