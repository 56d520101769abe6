import type { RoutedChannel } from '../../services/routing.ts';
import type { Attachment } from './affinity.ts';

/**
 * The one of these channels that a conversation belongs to: the one it comes from, else the highest of the lots drawn from its id and
 * theirs (weighted rendezvous hashing). Each channel gets its share by tickets, and one that joins or leaves moves no other's conversations.
 */
export function attachedTo(
  { conversation: { id }, channelId }: Attachment,
  usable: readonly RoutedChannel[],
  ticketsOf: (channel: RoutedChannel) => number,
): RoutedChannel | undefined {
  let best: RoutedChannel | undefined;
  let highest = Number.NEGATIVE_INFINITY;
  for (const channel of usable) {
    if (channel.id === channelId) return channel;
    const lot = -ticketsOf(channel) / Math.log(fractionOf(id, channel.id));
    if (lot > highest) [best, highest] = [channel, lot];
  }
  return best;
}

/** The key of a channel that a conversation belongs to, of those usable; all keys have the same share. */
export function keyOf(conversation: string, usable: readonly RoutedChannel[]): RoutedChannel | undefined {
  const lotOf = ({ id, keyId }: RoutedChannel) => fractionOf(conversation, id * keysPerChannel + keyId);
  return usable.reduce<RoutedChannel | undefined>(
    (best, one) => (best && lotOf(best) >= lotOf(one) ? best : one),
    undefined,
  );
}

/** Numbers a key among those of all channels. */
const keysPerChannel = 65_536;

/** Evenly spread between 0 and 1, both excluded; mixed as the last step of MurmurHash3 does. */
function fractionOf(id: string, number: number): number {
  const half = mixed(Number.parseInt(id.slice(0, 8), 16) ^ Math.imul(number, 0x9e37_79b1));
  return (mixed(half ^ Number.parseInt(id.slice(8, 16), 16)) >>> 0) / 2 ** 32 + 2 ** -33;
}

function mixed(bits: number): number {
  const once = Math.imul(bits ^ (bits >>> 16), 0x85eb_ca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2_ae35);
  return twice ^ (twice >>> 16);
}
