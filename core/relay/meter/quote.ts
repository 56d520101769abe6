import { type PriceExtras, priceQuota } from '../../billing/price.ts';
import type { RelayRequest } from '../../canonical/request.ts';
import type { Usage } from '../../canonical/usage.ts';
import { AppError } from '../../errors/app-error.ts';
import { adapterFor } from '../../providers/registry.ts';
import type { Priced, Pricing } from '../../services/pricing/pricing.ts';
import type { Tiers } from '../../services/routing.ts';
import type { Protocol } from '../../wire/protocol.ts';
import type { RelayBody } from '../call.ts';
import type { RelayOptions } from '../relay-options.ts';
import { upstreamModelOf } from '../request/outgoing-call.ts';
import { estimateTools, estimateUsage, unitExtras } from './estimate.ts';

/** What a call will cost as far as it can be said beforehand. */
export interface Quote {
  priced: Priced;
  extras: PriceExtras;
  estimate: Usage;
  /** Quota to hold. */
  amount: number;
}

interface QuotedCall {
  protocol: Protocol;
  request: RelayRequest;
  body: Pick<RelayBody, 'measure'>;
  group: string;
  /** Where the call may go. */
  tiers: Tiers;
}

interface QuoteDependencies {
  pricing: Pick<Pricing, 'find'>;
  options: Pick<RelayOptions, 'preConsumedQuota' | 'modelSettings'>;
}

/**
 * Throws `model.unpriced` when nothing says what the model costs, and `model.overpriced` when a call might cost more than can be booked,
 * which would be known only once it has been served.
 */
export function findPrice(pricing: Pick<Pricing, 'find'>, model: string, group: string): Priced {
  const priced = pricing.find(model, group);
  if (!priced.isPayable) throw new AppError('model.overpriced', { model: model.slice(0, 100) }, { param: 'model' });
  return priced;
}

export function quoteCall(
  { protocol, request, body, group, tiers }: QuotedCall,
  { pricing, options }: QuoteDependencies,
): Quote {
  const priced = findPrice(pricing, request.model, group);
  const extras = drawnExtras(unitExtras(request, body.measure), tiers);
  const estimate = estimateUsage(protocol, request, body.measure, options.preConsumedQuota(), priced.rates);
  if (protocol.chat) estimate.completion = Math.max(estimate.completion, outputBound(request, tiers, options));
  if (protocol.name === 'openai-speech') {
    const bound = outputBound(request, tiers, options);
    if (bound > estimate.completion) Object.assign(estimate, { completion: bound, audioOutput: bound });
  }
  const tools = protocol.chat && estimateTools(request, priced.rates);
  if (tools) estimate.serverTools = tools;
  return { priced, extras, estimate, amount: priceQuota(priced.prepared, estimate, extras) };
}

/** The price of a small picture is one of vendors that draw small ones: elsewhere it would buy a large one. */
function drawnExtras(extras: PriceExtras, tiers: Tiers): PriceExtras {
  const isSmall = extras.imageFactor !== undefined && extras.imageFactor < 1;
  const isLarge = isSmall && tiers.some((tier) => tier.some(({ type }) => adapterFor(type)?.drawsFullSize));
  return isLarge ? { ...extras, imageFactor: 1 } : extras;
}

/** The largest bound of output that any of the channels would be sent, where they set one themselves; 0 where none does. */
export function outputBound(
  request: RelayRequest,
  tiers: Tiers,
  { modelSettings }: Pick<RelayOptions, 'modelSettings'>,
): number {
  let largest = 0;
  for (const tier of tiers) {
    for (const channel of tier) {
      const adapter = adapterFor(channel.type);
      if (!adapter?.outputBound) continue;
      const bound = adapter.outputBound(upstreamModelOf(channel, request.model), request, modelSettings());
      largest = Math.max(largest, bound);
    }
  }
  return largest;
}
