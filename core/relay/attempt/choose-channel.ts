import type { RoutedChannel, Tiers } from '../../services/routing.ts';
import type { Attachment } from '../affinity/affinity.ts';
import { attachedTo } from '../affinity/rendezvous.ts';
import type { Breaker } from './breaker.ts';

/** Added to each weight, so that channels of weight 0 share evenly (relay reference, section 3). */
const weightFloor = 10;

/** What else decides where a call goes. */
export interface ChannelChoice {
  /** The conversation it belongs to decides within a tier. */
  attachment?: Attachment | undefined;
  random?: () => number;
}

/**
 * The next channel to try: the highest tier that has one left, weighted at random inside it, or where its conversation is. Channels already tried and open
 * circuits are left out; when only open circuits are left, the one that closes soonest serves, because a group and model never
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
  attachment?: Attachment,
): ReadonlyMap<number, number> {
  for (const tier of tiers) {
    const usable = tier.filter(({ id }) => isUsable(id, tried, breaker));
    const own = attachment && attachedTo(attachment, usable, ticketsOf);
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

function pick(
  tier: readonly RoutedChannel[],
  tried: readonly number[],
  breaker: Breaker,
  { attachment, random = Math.random }: ChannelChoice,
): RoutedChannel | undefined {
  if (attachment && tier.length > 1) {
    const usable = tier.filter(({ id }) => isUsable(id, tried, breaker));
    return attachedTo(attachment, usable, ticketsOf);
  }
  let total = 0;
  let last: RoutedChannel | undefined;
  let count = 0;
  for (const channel of tier) {
    if (!isUsable(channel.id, tried, breaker)) continue;
    total += ticketsOf(channel);
    last = channel;
    count += 1;
  }
  if (count < 2) return last;
  let left = random() * total;
  for (const channel of tier) {
    if (!isUsable(channel.id, tried, breaker)) continue;
    left -= ticketsOf(channel);
    if (left < 0) return channel;
  }
  return last;
}

export interface AttemptPlan {
  tiers: Tiers;
  /** The call names its channel: nothing else is tried. */
  pinned: boolean;
  /** Option RetryTimes. */
  retries: number;
  /** Group and model, for the retry budget. */
  budgetKey: string;
  /** Undefined for a call without a conversation. */
  attachment?: Attachment | undefined;
  upstreamModel(channel: RoutedChannel): string;
}
