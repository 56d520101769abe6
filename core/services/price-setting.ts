import { type DollarPrices, type PriceRatios, ratiosOfDollars } from '../billing/dollar-ratio.ts';
import { dollarsPerMillion } from '../billing/price.ts';
import { AppError } from '../errors/app-error.ts';
import { definedFields } from '../lib/defined-fields.ts';
import { type Actor, role } from '../schemas/actor.ts';
import type { OptionKey, OptionSet } from '../schemas/option.ts';
import type { ModelPrice, PriceSet } from '../schemas/pricing.ts';
import { requireRole } from './actor.ts';
import type { OptionService } from './option.ts';
import type { Pricing } from './pricing.ts';
import type { ServedModels } from './served-model.ts';

interface PriceSettingDependencies {
  options: Pick<OptionService, 'get' | 'load' | 'differs' | 'setMany' | 'reset' | 'list'>;
  pricing: Pricing;
  servedModels: Pick<ServedModels, 'read'>;
}

/** The operator's own entries, one map for each figure. */
const mapKeys = [
  ...(['ModelRatio', 'ModelPrice', 'CompletionRatio', 'CacheRatio'] as const),
  ...(['CreateCacheRatio', 'CreateCacheHourRatio'] as const),
];
type MapKey = (typeof mapKeys)[number];

/** Figures of models, changed one model at a time in the maps that hold them. */
export function createPriceSettings({ options, pricing, servedModels }: PriceSettingDependencies) {
  /** What enabled channels serve, and what the operator has set a price of; in the order of the names. */
  async function list(actor: Actor): Promise<ModelPrice[]> {
    requireRole(actor, role.root);
    const served = await servedModels.read();
    const own = mapKeys.flatMap((key) => Object.keys(options.get(key)));
    const names = [...new Set([...served.keys(), ...own])].sort();
    return names.map((model) => priceOf(model, served.get(model) ?? []));
  }

  async function get(actor: Actor, model: string): Promise<ModelPrice> {
    requireRole(actor, role.root);
    return priceOf(model, (await servedModels.read()).get(model) ?? []);
  }

  function priceOf(model: string, groups: readonly string[]): ModelPrice {
    const rates = ratesOf(model);
    if (!rates) return { model, source: 'none', ...noFigures, groups: [...groups] };
    const { source, modelRatio, completionRatio, cacheRatio, createCacheRatio, modelPrice } = rates;
    if (rates.kind === 'price') return { model, source, ...noFigures, price: modelPrice, groups: [...groups] };
    const { prompt, cached, completion } = dollarsPerMillion({ ...rates, groupRatio: 1 });
    return {
      ...{ model, source, ratio: modelRatio, completion_ratio: completionRatio, cache_ratio: cacheRatio },
      ...{ create_cache_ratio: createCacheRatio, input: prompt, output: completion, cached, price: null },
      groups: [...groups],
    };
  }

  /** A model's own figures are the same in every group. */
  function ratesOf(model: string) {
    try {
      return pricing.find(model, '').rates;
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'model.unpriced')) throw error;
      return undefined;
    }
  }

  /** A price per call takes the place of one by tokens, and the other way round. `changed`: the options that are not as they were. */
  async function set(actor: Actor, input: PriceSet): Promise<{ price: ModelPrice; changed: string[] }> {
    requireRole(actor, role.root);
    await options.load();
    const changed = await save(actor, [input.model], entriesOf(input));
    return { price: await get(actor, input.model), changed };
  }

  function entriesOf(input: PriceSet): Partial<Record<MapKey, number | null>> {
    const { model, price } = input;
    const ratios = ratiosOf(input);
    if ((price === undefined) === !isSome(ratios)) throw new AppError('price.oneKind', { model });
    if (price !== undefined) return { ModelPrice: price };
    const { modelRatio, completionRatio, cacheRatio, createCacheRatio } = ratios;
    const isPricedByTokens = modelRatio !== undefined || ratesOf(model)?.kind === 'ratio';
    if (!isPricedByTokens) throw new AppError('price.inputFirst', { model });
    return definedFields<Partial<Record<MapKey, number | null | undefined>>>({
      // Only a new price by tokens takes the place of a price per call.
      ModelPrice: modelRatio === undefined ? undefined : null,
      ModelRatio: modelRatio,
      CompletionRatio: completionRatio,
      CacheRatio: cacheRatio,
      CreateCacheRatio: createCacheRatio,
    });
  }

  function ratiosOf(input: PriceSet): PriceRatios {
    const { model, ratio, completion_ratio, cache_ratio, create_cache_ratio } = input;
    const plain = { modelRatio: ratio, completionRatio: completion_ratio, cacheRatio: cache_ratio };
    const ratios: PriceRatios = { ...plain, createCacheRatio: create_cache_ratio };
    const { input: prompt, output, cached, cache_write: cacheWrite } = input;
    const dollars: DollarPrices = { input: prompt, output, cached, cacheWrite };
    if (!isSome(dollars)) return ratios;
    if (isSome(ratios)) throw new AppError('price.oneKind', { model });
    const now = ratesOf(model);
    const inputNow = now?.kind === 'ratio' ? dollarsPerMillion({ ...now, groupRatio: 1 }).prompt : undefined;
    const found = ratiosOfDollars(dollars, options.get('QuotaPerUnit'), inputNow);
    if (!found) throw new AppError('price.inputFirst', { model });
    return found;
  }

  /** Back to the built-in price or the vendor's list price; answers the options that changed. */
  async function remove(actor: Actor, models: string[]): Promise<string[]> {
    requireRole(actor, role.root);
    await options.load();
    return save(actor, models, Object.fromEntries(mapKeys.map((key) => [key, null])));
  }

  async function save(
    actor: Actor,
    models: string[],
    entries: Partial<Record<MapKey, number | null>>,
  ): Promise<string[]> {
    const changes: OptionSet[] = mapKeys.flatMap((key) => {
      const value = entries[key];
      if (value === undefined) return [];
      const map: Record<string, number> = Object.assign(Object.create(null), options.get(key));
      for (const model of models) {
        if (value === null) delete map[model];
        else map[model] = value;
      }
      return [{ key, value: JSON.stringify(map) }];
    });
    const different = changes.filter((entry) => options.differs(actor, entry));
    if (different.length > 0) await options.setMany(actor, different);
    return different.map(({ key }) => key);
  }

  /** Everything on the price card, tools and service tiers too. */
  async function reset(actor: Actor): Promise<OptionKey[]> {
    requireRole(actor, role.root);
    await options.load();
    const keys = options.list(actor).filter(({ card, has }) => card === 'price' && has);
    for (const { key } of keys) await options.reset(actor, key);
    return keys.map(({ key }) => key as OptionKey);
  }

  return { list, get, set, remove, reset };
}

const isSome = (figures: object) => Object.values(figures).some((value) => value !== undefined);

const noFigures = {
  ...{ ratio: null, completion_ratio: null, cache_ratio: null, create_cache_ratio: null },
  ...{ input: null, output: null, cached: null, price: null },
};
