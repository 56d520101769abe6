import { systemActor } from '../../core/schemas/actor.ts';
import type { ListedPrice, PriceOffer } from '../../core/schemas/price-sync.ts';
import type { Context } from '../context.ts';
import { shortPrice } from './price-figure.ts';

export const hasPrice = (offer: PriceOffer): offer is PriceOffer & { price: ListedPrice } => offer.price !== null;

/** Of many the first few: the command that is named lists them all. */
const shown = 10;

interface NewModels {
  models: readonly string[];
  /** The channel's, as JSON text. */
  mapping?: string | null | undefined;
}

/** Of these models those without a price. */
export async function unpricedOf(context: Context, { models, mapping }: NewModels): Promise<PriceOffer[]> {
  const { services } = await context.app();
  return services.priceOffers.ofModels(systemActor, { models: [...models], model_mapping: mappingOf(mapping) });
}

/** Names the models that calls are refused for because they have no price, each with its list price. */
export function sayUnpriced({ output, speak }: Pick<Context, 'output' | 'speak'>, offers: PriceOffer[]): void {
  if (offers.length === 0) return;
  output.say(speak('pricing.unpricedModels', { count: offers.length }));
  for (const offer of offers.slice(0, shown)) {
    const { model, listed_as, source } = offer;
    output.say(
      hasPrice(offer)
        ? `  ${speak('pricing.offerLine', { model, price: shortPrice(offer.price), listed_as, source })}`
        : `  ${speak('pricing.noOfferLine', { model })}`,
    );
  }
  const asText = offers.filter(({ media_as_text }) => media_as_text).map(({ model }) => model);
  if (asText.length > 0) output.say(speak('pricing.mediaAsText', { models: asText.join(', ') }));
  if (offers.length > shown) output.say(`  ${speak('pricing.moreUnpriced', { count: offers.length - shown })}`);
  if (offers.some(hasPrice)) output.say(speak('pricing.offerCommand'));
}

/** A text that is no object of texts maps nothing. */
function mappingOf(text: string | null | undefined): Record<string, string> {
  try {
    const parsed: unknown = JSON.parse(text || '{}');
    const entries = Object.entries(parsed ?? {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    return Object.fromEntries(entries);
  } catch {
    return {};
  }
}
