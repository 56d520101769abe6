import type { UpstreamError } from '../../errors/upstream-error.ts';
import type { RoutedChannel } from '../../services/routing.ts';
import { keyOf } from '../affinity/rendezvous.ts';

const firstPauseMs = 2000;
const maxPauseMs = 60_000;

interface Pause {
  until: number;
  /** Of the next pause, unless the upstream says how long it is to be. */
  nextMs: number;
}

/**
 * Which key of a channel with several serves a call, in memory of this process. A key that was refused pauses by itself while the others
 * go on: for as long as the upstream says, or 2 s doubling to a minute. Times are monotonic milliseconds.
 */
export class KeyRotation {
  private readonly pauses = new Map<string, Pause>();
  /** The key that had the last turn, by channel. */
  private readonly turns = new Map<number, number>();
  private readonly now: () => number;
  private readonly random: () => number;

  constructor(now: () => number = () => performance.now(), random: () => number = Math.random) {
    this.now = now;
    this.random = random;
  }

  /**
   * The channel with the key that serves the call. Paused keys and those that failed in this call are left out as long as another is
   * there; else the one whose pause ends first serves. A channel that has its key already, or only one, is returned as it is.
   * Calls of a conversation go to the same key as long as that is usable, on every machine alike.
   */
  choose(channel: RoutedChannel, failed: readonly RoutedChannel[] = [], conversation?: string): RoutedChannel {
    const { pool } = channel;
    if (!pool || channel.keyId !== 0 || pool.on.length === 0) return channel;
    const usable = this.usable(pool.on, failed);
    if (usable.length === 0) return this.soonest(pool.on);
    if (conversation !== undefined) return keyOf(conversation, usable) ?? channel;
    if (pool.mode === 'polling') return this.nextInTurn(channel.id, usable);
    return usable[Math.floor(this.random() * usable.length)] ?? channel;
  }

  /** Another key of the same channel that can take over; undefined when the channel as a whole can do no more. */
  spare(channel: RoutedChannel, failed: readonly RoutedChannel[]): RoutedChannel | undefined {
    const { pool } = channel;
    const usable = pool ? this.usable(pool.on, failed).filter(({ keyId }) => keyId !== channel.keyId) : [];
    if (usable.length === 0) return undefined;
    return pool?.mode === 'polling'
      ? this.nextInTurn(channel.id, usable)
      : usable[Math.floor(this.random() * usable.length)];
  }

  /** It was refused: the key rests, and not its channel. */
  fail(channel: RoutedChannel, retryAfterSeconds?: number): void {
    const name = nameOf(channel);
    const ms = this.pauses.get(name)?.nextMs ?? firstPauseMs;
    const pauseMs = retryAfterSeconds === undefined ? ms : retryAfterSeconds * 1000;
    this.pauses.set(name, { until: this.now() + pauseMs, nextMs: Math.min(maxPauseMs, ms * 2) });
  }

  succeed(channel: RoutedChannel): void {
    if (channel.keyId !== 0 && this.pauses.size > 0) this.pauses.delete(nameOf(channel));
  }

  /** Milliseconds until this key may be asked, 0 when it may now. */
  waitMs(channel: RoutedChannel): number {
    const pause = this.pauses.size === 0 ? undefined : this.pauses.get(nameOf(channel));
    return pause ? Math.max(0, pause.until - this.now()) : 0;
  }

  /** Milliseconds until the first key of the channel may be asked. */
  channelWaitMs({ pool }: RoutedChannel): number {
    return pool ? Math.min(...pool.on.map((one) => this.waitMs(one))) : 0;
  }

  private usable(keys: readonly RoutedChannel[], failed: readonly RoutedChannel[]): readonly RoutedChannel[] {
    if (failed.length === 0 && this.pauses.size === 0) return keys;
    return keys.filter((one) => this.waitMs(one) === 0 && !failed.some((other) => isSameKey(one, other)));
  }

  private soonest(keys: readonly RoutedChannel[]): RoutedChannel {
    return keys.reduce((first, one) => (this.waitMs(one) < this.waitMs(first) ? one : first));
  }

  /** Keys are in the order of their ids, so the next one stays the next when others come and go. */
  private nextInTurn(channelId: number, usable: readonly RoutedChannel[]): RoutedChannel {
    const last = this.turns.get(channelId) ?? 0;
    const next = usable.find(({ keyId }) => keyId > last) ?? (usable[0] as RoutedChannel);
    this.turns.set(channelId, next.keyId);
    return next;
  }
}

/** The keys of one call: none that was refused in it is asked again while another is there. */
export class CallKeys {
  private readonly rotation: KeyRotation;
  private readonly conversation: string | undefined;
  private refused: RoutedChannel[] | undefined;

  constructor(rotation: KeyRotation, conversation: string | undefined) {
    this.rotation = rotation;
    this.conversation = conversation;
  }

  choose(channel: RoutedChannel | undefined): RoutedChannel | undefined {
    return channel?.pool ? this.rotation.choose(channel, this.refused, this.conversation) : channel;
  }

  /**
   * The same channel with another key, where this one was refused. One more key of a channel, then other channels first: an account
   * that was closed has many keys.
   */
  spare(channel: RoutedChannel, error: UpstreamError, othersLeft: boolean): RoutedChannel | undefined {
    if (!isKeyFailure(channel, error)) return undefined;
    this.refused ??= [];
    const isFirst = !this.refused.some(({ id }) => id === channel.id);
    this.refused.push(channel);
    return isFirst || !othersLeft ? this.rotation.spare(channel, this.refused) : undefined;
  }
}

/** What another key might not have been refused: the account behind this one is at fault, or has no more calls for now. */
export function isKeyFailure({ keyId }: RoutedChannel, error: UpstreamError): boolean {
  return keyId !== 0 && error.retryable && (error.concernsOperator || error.status === 429);
}

const nameOf = ({ id, keyId }: RoutedChannel): string => `${id} ${keyId}`;

const isSameKey = (one: RoutedChannel, other: RoutedChannel): boolean =>
  one.id === other.id && one.keyId === other.keyId;
