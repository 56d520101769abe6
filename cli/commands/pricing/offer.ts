import type { Command } from 'commander';
import { systemActor } from '../../../core/schemas/actor.ts';
import { type PriceOffer, priceOfferAskSchema } from '../../../core/schemas/price-sync.ts';
import { offerChange } from '../../../core/services/pricing/price-offer.ts';
import type { Context } from '../../context.ts';
import { example } from '../../flag/selection.ts';
import type { Column } from '../../output.ts';
import { hasPrice } from '../../print/price-offer.ts';

interface Flags {
  yes?: boolean;
}

const figure = (value: number | undefined) => value ?? '-';

const columns: Column<PriceOffer>[] = [
  { title: 'MODEL', value: ({ model }) => model, keep: true },
  { title: 'IN $/1M', value: ({ price }) => figure(price?.input), right: true },
  { title: 'CACHED $/1M', extra: true, value: ({ price }) => figure(price?.cached), right: true },
  { title: 'OUT $/1M', value: ({ price }) => figure(price?.output), right: true },
  { title: '$/CALL', extra: true, value: ({ price }) => figure(price?.call), right: true },
  { title: 'LISTED AS', value: ({ listed_as }) => listed_as || '-' },
  { title: 'LIST', value: ({ source }) => source || '-' },
];

export function addOffer(noun: Command, context: Context): void {
  const { output, speak } = context;
  const command = noun.command('offer').description(speak('help.pricingOffer'));
  example(command, context, 'pricing offer', 'pricing offer openai/gpt-4o --yes');
  command
    .argument('[models...]', speak('argument.offerModels'))
    .option('-y, --yes', speak('flag.offerYes'))
    .action(async (models: string[], { yes }: Flags) => {
      const { priceOffers } = (await context.app()).services;
      const offers =
        models.length > 0
          ? await priceOffers.ofModels(systemActor, priceOfferAskSchema.parse({ models }))
          : await priceOffers.ofServed(systemActor);
      const found = offers.filter(hasPrice);
      if (yes) {
        const changes = found.map(offerChange);
        const taken = changes.length > 0 ? await priceOffers.accept(systemActor, changes) : { models: [] };
        const left = offers.filter((offer) => !hasPrice(offer)).map(({ model }) => model);
        const details = { count: taken.models.length, left: left.length };
        return output.done(speak('pricing.offersTaken', details), { ...taken, without_offer: left });
      }
      await output.list({ items: offers, page: 1, page_size: offers.length, total: offers.length }, columns);
      if (offers.length === 0) output.say(speak('pricing.allPriced'));
      else if (found.length > 0) output.say(speak('pricing.offerHint', { count: found.length }));
    });
}
