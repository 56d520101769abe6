import { Op } from 'sequelize';
import { audioRuleFor } from '../../billing/default-ratios.ts';
import { listEntryOf } from '../../billing/list-price.ts';
import type { RateTables } from '../../billing/rates.ts';
import type { Database } from '../../database/connect.ts';
import { AppError } from '../../errors/app-error.ts';
import { parseRecord } from '../../lib/json-value.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { channelStatus } from '../../schemas/channel-status.ts';
import { noFacts } from '../../schemas/model-fact.ts';
import type { ListedPrice, PriceOffer, PriceOfferAsk, SeenChange } from '../../schemas/price-sync.ts';
import { requireRole } from '../actor.ts';
import type { ServedModels } from '../model/served-model.ts';
import type { OptionService } from '../option/option.ts';
import type { ListedModels } from './listed-model.ts';
import { isSamePrice } from './price-diff.ts';
import { entriesOfPrice, figuresIn, mapsWith, ownEntriesText, type PriceEntries } from './price-figure.ts';
import { rateTablesOf } from './pricing.ts';

interface PriceOfferDependencies {
  database: Pick<Database, 'channels'>;
  options: Pick<OptionService, 'get' | 'change'>;
  servedModels: Pick<ServedModels, 'read'>;
  listedModels: ListedModels;
}

export type PriceOffers = ReturnType<typeof createPriceOffers>;

/** The list prices of models that have no price, to be taken in one step. */
export function createPriceOffers({ database, options, servedModels, listedModels }: PriceOfferDependencies) {
  /** Of these models those without a price. */
  async function ofModels(actor: Actor, { models, model_mapping: mapping }: PriceOfferAsk): Promise<PriceOffer[]> {
    requireRole(actor, role.admin);
    const stored = await listedModels.read();
    const tables = rateTablesOf(options.get);
    const unpriced = [...new Set(models)].filter((model) => {
      const now = figuresIn(tables, model);
      return !now || now.rates.source === 'selfUse';
    });
    const listedOf = (name: string) => {
      const synced = stored.get(name);
      if (synced?.price) return { price: synced.price, facts: synced.facts, source: synced.source };
      const packaged = listEntryOf(name);
      return packaged?.price && { price: packaged.price, facts: packaged.facts, source: 'packaged' };
    };
    return unpriced.map((model): PriceOffer => {
      for (const name of namesOf(model, mapping)) {
        const listed = listedOf(name);
        if (listed) return { model, listed_as: name, ...listed, media_as_text: isMediaAsText(tables, { model, name }) };
      }
      return { model, price: null, listed_as: '', source: '', facts: noFacts, media_as_text: false };
    });
  }

  return {
    ofModels,
    /** Of every model that a channel serves. */
    async ofServed(actor: Actor): Promise<PriceOffer[]> {
      const served = await servedModels.read();
      const where = { status: channelStatus.enabled, model_mapping: { [Op.ne]: '' } };
      const channels = await database.channels.findAll({ attributes: ['model_mapping'], where, raw: true });
      const mappings = channels.flatMap(({ model_mapping }) => Object.entries(parseRecord(model_mapping ?? '') ?? {}));
      const texts = mappings.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
      return ofModels(actor, { models: [...served.keys()], model_mapping: Object.fromEntries(texts) });
    },
    /** All of them or none; a model that has a price by now keeps it. */
    async accept(actor: Actor, changes: readonly SeenChange[]): Promise<{ models: string[] }> {
      requireRole(actor, role.root);
      const planned = new Map<string, PriceEntries>();
      await options.change(
        actor,
        (get) => {
          planned.clear();
          const tables = rateTablesOf(get);
          for (const { model, next } of changes) {
            const now = figuresIn(tables, model);
            const isPriced = now && now.rates.source !== 'selfUse' && !isSamePrice(now.figures, next);
            if (isPriced) throw new AppError('priceSync.moved', { model });
            planned.set(model, entriesOfPrice(model, next, { quotaPerUnit: tables.quotaPerUnit }));
          }
          return mapsWith(get, planned);
        },
        {
          from: { origin: 'offer' },
          async alsoWrite(get, transaction) {
            const texts = new Map([...planned.keys()].map((model) => [model, ownEntriesText(get, model)]));
            await listedModels.markApplied('offer', texts, transaction);
          },
        },
      );
      listedModels.forget();
      return { models: [...planned.keys()] };
    },
  };
}

/** No setting has a price of sound and pictures: they follow from the name that is billed, which is the alias. */
function isMediaAsText(tables: RateTables, { model, name }: { model: string; name: string }): boolean {
  const listed = figuresIn(tables, name)?.rates;
  if (name === model || listed?.kind !== 'ratio') return false;
  return listed.imageRatio !== 1 || (listed.audioRatio !== 1 && audioRuleFor(model) === undefined);
}

/** What a list may have a model by: its own name, the model behind an alias, and both without the vendor in front. */
function namesOf(model: string, mapping: Readonly<Record<string, string>>): string[] {
  const behind = Object.hasOwn(mapping, model) ? mapping[model] : undefined;
  const names = behind ? [behind, model] : [model];
  const bare = names.map((name) => name.slice(name.lastIndexOf('/') + 1));
  return [...new Set([...names, ...bare, ...bare.map((name) => name.toLowerCase())])];
}

/** What calls would be charged by, as `accept` takes it. */
export const offerChange = ({ model, price }: PriceOffer & { price: ListedPrice }): SeenChange => ({
  model,
  old: null,
  next: price,
});
