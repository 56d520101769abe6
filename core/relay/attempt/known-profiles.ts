import { secondsPerDay } from '../../lib/clock.ts';
import type { ProviderAdapter } from '../../providers/adapter.ts';
import type { RoutedChannel } from '../../services/routing.ts';

const maxKnown = 2000;

interface ProfileChoice {
  channel: Pick<RoutedChannel, 'id'> & Parameters<NonNullable<ProviderAdapter['profiles']>>[1];
  adapter: Pick<ProviderAdapter, 'profiles'>;
  upstreamModel: string;
}

/**
 * The profile that served a model on a channel after another was refused, in memory alone. Clouds open models in more ways with
 * time, so it counts for a day. Bounded: the oldest entries are forgotten.
 */
export class KnownProfiles {
  readonly #known = new Map<string, { profile: string; at: number }>();
  readonly #nowSeconds: () => number;

  constructor(nowSeconds: () => number) {
    this.#nowSeconds = nowSeconds;
  }

  /** The profile to begin with; undefined for the vendor's first one, and where a vendor has none. */
  first({ channel, adapter, upstreamModel }: ProfileChoice): string | undefined {
    const known = adapter.profiles && this.#known.get(keyOf(channel.id, upstreamModel));
    if (!known || known.at <= this.#nowSeconds() - secondsPerDay) return undefined;
    // The channel may have another region by now.
    return adapter.profiles?.(upstreamModel, channel).includes(known.profile) ? known.profile : undefined;
  }

  /** The next one after `refused` are out; undefined when none is left. */
  next({ channel, adapter, upstreamModel }: ProfileChoice, refused: readonly string[]): string | undefined {
    return adapter.profiles?.(upstreamModel, channel).find((profile) => !refused.includes(profile));
  }

  served({ channel, upstreamModel }: ProfileChoice, profile: string): void {
    const key = keyOf(channel.id, upstreamModel);
    this.#known.delete(key);
    this.#known.set(key, { profile, at: this.#nowSeconds() });
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxKnown && oldest !== undefined) this.#known.delete(oldest);
  }
}

function keyOf(channelId: number, model: string): string {
  return `${channelId}\n${model}`;
}
