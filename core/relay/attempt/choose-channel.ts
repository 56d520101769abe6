import type { RoutedChannel, Tiers } from '../../services/routing.ts';
import type { Attachment } from '../affinity/affinity.ts';
import { attachedTo } from '../affinity/rendezvous.ts';
import type { Breaker } from './breaker.ts';
import type { Preference } from './preference.ts';

/** Added to each weight, so that channels of weight 0 share evenly (relay reference, section 3). */
const weightFloor = 10;

/** What else decides where a call goes. */
export interface ChannelChoice {
  /** The conversation it belongs to decides within a tier. */
  attachment?: Attachment | undefined;
  /** Narrows a tier before; undefined where weights alone decide. */
  preference?: Preference | undefined;
  random?: () => number;
}

/**
 * The next channel to try: the highest tier that has one left, weighted at random inside it among those that its group prefers, or where
 * its conversation is. Channels already tried and open circuits are left out; when only open circuits are left, the one that closes soonest serves, because a group and model never
 * loses its last channel to the breaker.
 */
export function chooseChannel(
  tiers: Tiers,
  tried: readonly number[],
  breaker: Breaker,
  choice: ChannelChoice = {},
): RoutedChannel | undefined {
  for (const tier of tiers) {
    const chosen = pick(tier, tried, breaker, choice);
    if (chosen) return chosen;
  }
  return soonestOf(tiers, tried, breaker);
}

/** How likely each channel is the next to be tried, by id; those that cannot be are left out. The sum is 1, unless none is left. */
export function chancesOf(
  tiers: Tiers,
  tried: readonly number[],
  breaker: Breaker,
  choice: ChannelChoice = {},
): ReadonlyMap<number, number> {
  for (const tier of tiers) {
    const { own, usable } = candidatesOf(tier, tried, breaker, choice);
    if (own) return new Map([[own.id, 1]]);
    const total = usable.reduce((sum, channel) => sum + ticketsOf(channel), 0);
    if (usable.length > 0) return new Map(usable.map((channel) => [channel.id, ticketsOf(channel) / total]));
  }
  const soonest = soonestOf(tiers, tried, breaker);
  return new Map(soonest ? [[soonest.id, 1]] : []);
}

/** Whether a channel not yet tried is left. */
export function hasUntried(tiers: Tiers, tried: readonly number[]): boolean {
  return tiers.some((tier) => tier.some(({ id }) => !tried.includes(id)));
}

/** Whether one of those is not paused after failures. */
export function hasUsable(tiers: Tiers, tried: readonly number[], breaker: Breaker): boolean {
  return tiers.some((tier) => tier.some(({ id }) => isUsable(id, tried, breaker)));
}

function soonestOf(tiers: Tiers, tried: readonly number[], breaker: Breaker): RoutedChannel | undefined {
  let soonest: RoutedChannel | undefined;
  for (const tier of tiers) {
    for (const channel of tier) {
      if (tried.includes(channel.id)) continue;
      if (!soonest || breaker.waitMs(channel.id) < breaker.waitMs(soonest.id)) soonest = channel;
    }
  }
  return soonest;
}

function isUsable(id: number, tried: readonly number[], breaker: Breaker): boolean {
  return !tried.includes(id) && breaker.allows(id);
}

/** Its lots in the draw. */
function ticketsOf({ weight }: RoutedChannel): number {
  return weight + weightFloor;
}

interface Candidates {
  /** The one that its conversation belongs to. */
  own: RoutedChannel | undefined;
  usable: readonly RoutedChannel[];
}

/** A conversation stays where its prompt is cached; where a new one goes, its group's preference decides first. */
function candidatesOf(
  tier: readonly RoutedChannel[],
  tried: readonly number[],
  breaker: Breaker,
  { attachment, preference }: ChannelChoice,
): Candidates {
  const all = tier.filter(({ id }) => isUsable(id, tried, breaker));
  const stay = attachment && all.find(({ id }) => id === attachment.channelId);
  if (stay) return { own: stay, usable: all };
  const usable = preference && all.length > 1 ? preference.narrow(all) : all;
  return { own: attachment && attachedTo(attachment, usable, ticketsOf), usable };
}

function pick(
  tier: readonly RoutedChannel[],
  tried: readonly number[],
  breaker: Breaker,
  choice: ChannelChoice,
): RoutedChannel | undefined {
  const [only] = tier;
  if (only && tier.length === 1) return isUsable(only.id, tried, breaker) ? only : undefined;
  const { own, usable } = candidatesOf(tier, tried, breaker, choice);
  if (own || usable.length < 2) return own ?? usable[0];
  const { random = Math.random } = choice;
  let left = random() * usable.reduce((sum, channel) => sum + ticketsOf(channel), 0);
  for (const channel of usable) {
    left -= ticketsOf(channel);
    if (left < 0) return channel;
  }
  return usable.at(-1);
}
