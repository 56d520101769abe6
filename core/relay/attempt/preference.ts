import { listRatiosFor } from '../../billing/list-price.ts';
import { AppError } from '../../errors/app-error.ts';
import type { RoutingStrategy } from '../../schemas/routing-strategy.ts';
import type { ChannelSpeed } from '../../services/health/speeds.ts';
import type { Pricing } from '../../services/pricing/pricing.ts';
import type { RoutedChannel } from '../../services/routing.ts';
import { upstreamModelOf } from '../request/outgoing-call.ts';

/** Which channels of a tier a group prefers; weights and conversations decide between those. */
export interface Preference {
  /** At least one of them. */
  narrow(usable: readonly RoutedChannel[]): readonly RoutedChannel[];
  /** Why a channel is behind one that is preferred; undefined when it is as good. */
  reasonAgainst(channel: RoutedChannel, preferred: RoutedChannel): AppError | undefined;
}

export interface PreferenceDependencies {
  speeds: { of(channelId: number, model: string): ChannelSpeed | undefined };
  pricing: Pick<Pricing, 'find'>;
  options: { routingStrategy(group: string): RoutingStrategy };
}

interface PreferredCall {
  model: string;
  group: string;
}

/** Nearly as fast is as fast: load is spread, and conversations stay, where there is little to gain. */
const speedTolerance = 1.25;
const priceTolerance = 1 + 1e-9;

/** Undefined where weights alone decide. */
export function preferenceOf(call: PreferredCall, dependencies: PreferenceDependencies): Preference | undefined {
  const strategy = dependencies.options.routingStrategy(call.group);
  if (strategy === 'speed') return bySpeed(call.model, dependencies);
  return strategy === 'price' ? byPrice(call, dependencies) : undefined;
}

/** Channels of which nothing is known lately are among the preferred: that is how they come to be known. */
function bySpeed(model: string, { speeds }: PreferenceDependencies): Preference {
  const speedOf = ({ id }: RoutedChannel) => speeds.of(id, model);
  return {
    narrow(usable) {
      const known = usable.map(speedOf).filter((speed) => speed !== undefined);
      const timeOf = timer(known);
      const limit = Math.min(...known.map(timeOf)) * speedTolerance;
      return usable.filter((channel) => {
        const speed = speedOf(channel);
        return !speed || timeOf(speed) <= limit;
      });
    },
    reasonAgainst(channel, preferred) {
      const [own, best] = [speedOf(channel), speedOf(preferred)];
      if (!own || !best) return undefined;
      const timeOf = timer([own, best]);
      if (timeOf(own) <= timeOf(best) * speedTolerance) return undefined;
      return new AppError('explain.slower', { seconds: seconds(timeOf(own)), best: seconds(timeOf(best)) });
    },
  };
}

const seconds = (ms: number) => (ms / 1000).toFixed(2);

/** So long a completion, if all of those to be compared are known to make some; else the first token alone. */
const typicalTokens = 200;

function timer(speeds: readonly ChannelSpeed[]): (speed: ChannelSpeed) => number {
  const isFirstOnly = speeds.some(({ tokensPerSecond }) => tokensPerSecond === null);
  return ({ firstTokenMs, tokensPerSecond }) =>
    isFirstOnly ? firstTokenMs : firstTokenMs + (typicalTokens * 1000) / (tokensPerSecond ?? 1);
}

function byPrice(call: PreferredCall, { pricing }: PreferenceDependencies): Preference {
  const costOf = (channel: RoutedChannel) => costOfCall(channel, call, pricing);
  return {
    narrow(usable) {
      const limit = Math.min(...usable.map(costOf)) * priceTolerance;
      return usable.filter((channel) => costOf(channel) <= limit);
    },
    reasonAgainst(channel, preferred) {
      const [cost, best] = [costOf(channel), costOf(preferred)];
      return cost <= best * priceTolerance ? undefined : new AppError('explain.dearer', { share: share(cost, best) });
    },
  };
}

const share = (cost: number, best: number) => (best > 0 ? `${Math.round((cost / best - 1) * 100)}%` : '∞');

/** A typical call: three prompt tokens for each of the completion. */
const [typicalPrompt, typicalCompletion] = [3000, 1000];

/** US dollars: by its vendor's list price, else what callers pay for its model, times the cost ratio of the channel. */
function costOfCall(channel: RoutedChannel, { model, group }: PreferredCall, pricing: Pick<Pricing, 'find'>) {
  const { cost_ratio: set } = channel.setting;
  // A row that another program wrote may have anything there.
  const costRatio = typeof set === 'number' && set >= 0 ? set : 1;
  const upstream = upstreamModelOf(channel, model);
  return costRatio * (listCost(upstream) ?? ownCost(pricing, upstream, group) ?? ownCost(pricing, model, group) ?? 1);
}

const listCosts = new Map<string, number | undefined>();
/** The list changes with a release; some of its prices, with the day. */
const keptMs = 3_600_000;
let listedAt = 0;

function listCost(model: string): number | undefined {
  if (performance.now() - listedAt > keptMs) {
    listCosts.clear();
    listedAt = performance.now();
  }
  if (!listCosts.has(model)) {
    const listed = listRatiosFor(model);
    listCosts.set(model, listed && tokenCost(listed.modelRatio, listed.completionRatio ?? 1));
  }
  return listCosts.get(model);
}

function ownCost(pricing: Pick<Pricing, 'find'>, model: string, group: string): number | undefined {
  try {
    const { rates } = pricing.find(model, group);
    return rates.kind === 'price' ? rates.modelPrice : tokenCost(rates.modelRatio, rates.completionRatio);
  } catch {
    // Without a price there is nothing to compare.
    return undefined;
  }
}

/** A ratio of 1 is two US dollars per million tokens. */
function tokenCost(modelRatio: number, completionRatio: number): number {
  return (modelRatio * 2 * (typicalPrompt + typicalCompletion * completionRatio)) / 1_000_000;
}
