import { builtinTables } from '../../billing/default-ratios.ts';
import { type DollarPrices, type PriceRatios, ratiosOfDollars } from '../../billing/dollar-ratio.ts';
import { dollarsPerMillion, type Rates } from '../../billing/price.ts';
import { ratesFor } from '../../billing/rates.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import type { ModelFacts } from '../../schemas/model-fact.ts';
import type { OptionKey } from '../../schemas/option.ts';
import type { ModelPrice, PriceSet } from '../../schemas/pricing.ts';
import { requireRole } from '../actor.ts';
import type { ServedModels } from '../model/served-model.ts';
import type { OptionService } from '../option/option.ts';
import type { ReadOption } from '../option/value.ts';
import type { ListedModels } from './listed-model.ts';
import { mapsWith, type PriceEntries, priceMapKeys } from './price-figure.ts';
import { type Pricing, rateTablesOf } from './pricing.ts';

interface PriceSettingDependencies {
  options: Pick<OptionService, 'get' | 'load' | 'change' | 'resetMany' | 'list'>;
  pricing: Pricing;
  servedModels: Pick<ServedModels, 'read'>;
  listedModels: Pick<ListedModels, 'facts'>;
}

export type PriceSettings = ReturnType<typeof createPriceSettings>;

/** Figures of models, changed one model at a time in the maps that hold them. */
export function createPriceSettings({ options, pricing, servedModels, listedModels }: PriceSettingDependencies) {
  /** What enabled channels serve, and what the operator has set a price of; in the order of the names. */
  async function list(actor: Actor): Promise<ModelPrice[]> {
    requireRole(actor, role.root);
    const [served, factsOf] = await Promise.all([servedModels.read(), listedModels.facts()]);
    const own = priceMapKeys.flatMap((key) => Object.keys(options.get(key)));
    const names = [...new Set([...served.keys(), ...own])].sort();
    return names.map((model) => ({ ...priceOf(model, served.get(model) ?? []), ...factsOf(model) }));
  }

  async function get(actor: Actor, model: string): Promise<ModelPrice> {
    requireRole(actor, role.root);
    const [served, factsOf] = await Promise.all([servedModels.read(), listedModels.facts()]);
    return { ...priceOf(model, served.get(model) ?? []), ...factsOf(model) };
  }

  /** What the output of each model with a price by tokens costs, as a multiple of its input: also where only a rule of its family says it. */
  function completionRatios(actor: Actor): Record<string, number> {
    requireRole(actor, role.root);
    const names = new Set([...Object.keys(builtinTables.modelRatio), ...Object.keys(options.get('ModelRatio'))]);
    const ratios: Record<string, number> = Object.create(null);
    for (const model of names) {
      const rates = unlessUnpriced(() => pricing.find(model, '').rates);
      if (rates?.kind === 'ratio') ratios[model] = rates.completionRatio;
    }
    return ratios;
  }

  function priceOf(model: string, groups: readonly string[]): Omit<ModelPrice, keyof ModelFacts> {
    const rates = unlessUnpriced(() => pricing.find(model, '').rates);
    if (!rates) return { model, source: 'none', ...noFigures, groups: [...groups] };
    const { source, modelRatio, completionRatio, cacheRatio, createCacheRatio, modelPrice } = rates;
    if (rates.kind === 'price') return { model, source, ...noFigures, price: modelPrice, groups: [...groups] };
    const { prompt, cached, completion } = dollarsPerMillion({ ...rates, groupRatio: 1 });
    return {
      model,
      source,
      ratio: modelRatio,
      completion_ratio: completionRatio,
      cache_ratio: cacheRatio,
      create_cache_ratio: createCacheRatio,
      input: prompt,
      output: completion,
      cached,
      price: null,
      groups: [...groups],
    };
  }

  /** A price per call takes the place of one by tokens, and the other way round. `changed`: the options that are not as they were. */
  async function set(actor: Actor, input: PriceSet): Promise<{ price: ModelPrice; changed: string[] }> {
    requireRole(actor, role.root);
    const changed = await save(actor, [input.model], (values) => entriesOf(input, values));
    return { price: await get(actor, input.model), changed };
  }

  /** Back to the built-in price or the vendor's list price; returns the options that changed. */
  async function remove(actor: Actor, models: string[]): Promise<string[]> {
    requireRole(actor, role.root);
    return save(actor, models, () => Object.fromEntries(priceMapKeys.map((key) => [key, null])));
  }

  function save(actor: Actor, models: string[], entries: (values: ReadOption) => PriceEntries): Promise<string[]> {
    return options.change(actor, (values) => {
      const changed = entries(values);
      return mapsWith(values, new Map(models.map((model) => [model, changed])));
    });
  }

  /** Everything on the price card, tools and service tiers too. */
  async function reset(actor: Actor): Promise<OptionKey[]> {
    requireRole(actor, role.root);
    await options.load();
    const items = options.list(actor).filter(({ card, has }) => card === 'price' && has);
    const keys = items.map(({ key }) => key);
    await options.resetMany(actor, keys);
    return keys;
  }

  return { list, get, completionRatios, set, remove, reset };
}

function entriesOf(input: PriceSet, values: ReadOption): PriceEntries {
  const { model, price } = input;
  const rates = unlessUnpriced(() => ratesFor(rateTablesOf(values), model, ''));
  const ratios = ratiosOf(input, rates, values('QuotaPerUnit'));
  if ((price === undefined) === !isSome(ratios)) throw new AppError('price.oneKind', { model });
  if (price !== undefined) return { ModelPrice: price };
  const { modelRatio, completionRatio, cacheRatio, createCacheRatio } = ratios;
  const isPricedByTokens = modelRatio !== undefined || rates?.kind === 'ratio';
  if (!isPricedByTokens) throw new AppError('price.inputFirst', { model });
  return {
    // Only a new price by tokens takes the place of a price per call.
    ModelPrice: modelRatio === undefined ? undefined : null,
    ModelRatio: modelRatio,
    CompletionRatio: completionRatio,
    CacheRatio: cacheRatio,
    CreateCacheRatio: createCacheRatio,
  };
}

function ratiosOf(input: PriceSet, rates: Rates | undefined, quotaPerUnit: number): PriceRatios {
  const { model, ratio, completion_ratio, cache_ratio, create_cache_ratio } = input;
  const plain = { modelRatio: ratio, completionRatio: completion_ratio, cacheRatio: cache_ratio };
  const ratios: PriceRatios = { ...plain, createCacheRatio: create_cache_ratio };
  const { input: prompt, output, cached, cache_write: cacheWrite } = input;
  const named: DollarPrices = { input: prompt, output, cached, cacheWrite };
  if (!isSome(named)) return ratios;
  if (isSome(ratios)) throw new AppError('price.oneKind', { model });
  const now = rates?.kind === 'ratio' ? dollarsPerMillion({ ...rates, groupRatio: 1 }) : undefined;
  // The output price is stored as a multiple of the input price: it is rewritten, so that it stays where only the other is named.
  const isKept = prompt !== undefined && prompt > 0 && rates?.source !== 'selfUse';
  const dollars = { ...named, output: output ?? (isKept ? now?.completion : undefined) };
  const found = ratiosOfDollars(dollars, quotaPerUnit, now?.prompt);
  if (!found) throw new AppError('price.inputFirst', { model });
  return found;
}

/** A model's own figures are the same in every group. */
function unlessUnpriced(read: () => Rates): Rates | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'model.unpriced')) throw error;
    return undefined;
  }
}

const isSome = (figures: object) => Object.values(figures).some((value) => value !== undefined);

const noFigures = {
  ratio: null,
  completion_ratio: null,
  cache_ratio: null,
  create_cache_ratio: null,
  input: null,
  output: null,
  cached: null,
  price: null,
};
