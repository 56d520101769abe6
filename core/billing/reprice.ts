import type { RehearsalGap } from '../schemas/price-rehearsal.ts';
import { type PreparedRates, type PriceExtras, priceQuota } from './price.ts';
import type { Bill } from './receipt.ts';

/** Calls whose fixed price is paid by pictures or searches; a bill by tokens does not count them. */
const countedProtocols = new Set(['openai-image', 'openai-image-edit', 'rerank', 'cohere-rerank']);

/** What a call that was charged before costs at other rates, in quota, or why that cannot be known. `protocolOf` is asked when the kind of price changes. */
export function repriceBill(
  { rates, usage, extras }: Bill,
  prepared: PreparedRates,
  protocolOf: () => string,
): number | RehearsalGap {
  if (rates.quotaPerUnit !== prepared.rates.quotaPerUnit) return 'otherUnit';
  if (rates.kind === prepared.kind) return priceQuota(prepared, usage, extras);
  const hasTokens = usage.prompt + usage.completion > 0;
  if (prepared.kind === 'ratio') {
    // A model that draws is paid by its tokens where it reports them, else by picture.
    if (hasTokens) return priceQuota(prepared, usage);
    return isSaid(extras) ? priceQuota(prepared, usage, extras) : 'noTokens';
  }
  if (!isSaid(extras) && countedProtocols.has(protocolOf())) return 'noUnits';
  return priceQuota(prepared, usage, extras);
}

/** Pictures were counted, or nothing of the response was delivered. */
const isSaid = ({ imageFactor, calls }: PriceExtras) => imageFactor !== undefined || calls === 0;
