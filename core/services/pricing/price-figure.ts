import { ratiosOfDollars } from '../../billing/dollar-ratio.ts';
import { dollarsPerMillion, type Rates } from '../../billing/price.ts';
import { type RateTables, ratesFor } from '../../billing/rates.ts';
import { AppError } from '../../errors/app-error.ts';
import type { LongPrompt } from '../../schemas/option/json.ts';
import type { OptionKey, OptionValues } from '../../schemas/option.ts';
import type { ListedPrice } from '../../schemas/price-sync.ts';
import type { ReadOption } from '../option/value.ts';

/** The options that hold a model's own price, one map for each figure. */
export const priceMapKeys = [
  ...(['ModelRatio', 'ModelPrice', 'CompletionRatio', 'CacheRatio'] as const),
  ...(['CreateCacheRatio', 'CreateCacheHourRatio', 'LongPromptRatio'] as const),
] satisfies OptionKey[];
export type PriceMapKey = (typeof priceMapKeys)[number];

/** Null takes the entry out, undefined leaves it. */
export type PriceEntries = Partial<Record<PriceMapKey, number | LongPrompt | null | undefined>>;

/** What a model costs without a group; undefined while it has no price of its own or of a list. */
export function figuresIn(tables: RateTables, model: string): { figures: ListedPrice; rates: Rates } | undefined {
  try {
    const rates = ratesFor(tables, model, '');
    return { figures: figuresOf(rates), rates };
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'model.unpriced')) throw error;
    return undefined;
  }
}

/** US dollars per million tokens, or per call. */
export function figuresOf(rates: Rates): ListedPrice {
  if (rates.kind === 'price') return { call: rates.modelPrice };
  const { prompt, cached, completion } = dollarsPerMillion({ ...rates, groupRatio: 1 });
  const { longPrompt, createCacheRatio } = rates;
  return {
    input: prompt,
    cached,
    cache_write: tidy(prompt * createCacheRatio),
    output: completion,
    ...(longPrompt && {
      long_prompt: {
        above: longPrompt.above,
        input: tidy(prompt * longPrompt.prompt),
        cached: tidy(cached * longPrompt.cached),
        output: tidy(completion * longPrompt.completion),
      },
    }),
  };
}

const tidy = (value: number) => Number(value.toPrecision(12));
const ratio = (part: number, whole: number) => (whole > 0 ? Number((part / whole).toFixed(10)) : 1);

/**
 * The entries that make a model cost what a list says. What the list has no figure for keeps its ratio to the input price; `step` is what
 * holds for long prompts where the list does not say it; null = nothing.
 */
export function entriesOfPrice(
  model: string,
  price: ListedPrice,
  { quotaPerUnit, step }: { quotaPerUnit: number; step?: LongPrompt | null | undefined },
): PriceEntries {
  if (!(price.call ?? price.input)) throw new AppError('priceSync.noFigure', { model });
  if (price.call !== undefined) {
    return { ...Object.fromEntries(priceMapKeys.map((key) => [key, null])), ModelPrice: price.call };
  }
  const { input, cached, output, cache_write: cacheWrite, long_prompt: long } = price;
  const ratios = ratiosOfDollars({ input, cached, output, cacheWrite }, quotaPerUnit, undefined);
  if (!ratios || !input) throw new AppError('price.inputFirst', { model });
  const [baseOutput, baseCached] = [output ?? input, cached ?? input];
  const listed = long && {
    above: long.above,
    prompt: ratio(long.input, input),
    cached: ratio(long.cached, baseCached),
    completion: ratio(long.output, baseOutput),
  };
  return {
    ModelPrice: null,
    ModelRatio: ratios.modelRatio,
    CompletionRatio: ratios.completionRatio,
    CacheRatio: ratios.cacheRatio,
    CreateCacheRatio: ratios.createCacheRatio,
    LongPromptRatio: listed ?? step,
  };
}

type PriceMaps = Record<PriceMapKey, Readonly<Record<string, number | LongPrompt>>>;

/** A model's own entries, in one order: the same text as long as nothing about them changed. Empty when it has none. */
export function ownEntriesText(get: ReadOption, model: string): string {
  const own = ownEntries(get, model);
  return Object.keys(own).length === 0 ? '' : JSON.stringify(own);
}

function ownEntries(get: ReadOption, model: string): PriceEntries {
  const maps = Object.fromEntries(priceMapKeys.map((key) => [key, get(key)])) as PriceMaps;
  return Object.fromEntries(
    priceMapKeys.flatMap((key) => (Object.hasOwn(maps[key], model) ? [[key, maps[key][model]]] : [])),
  );
}

/** The maps with a model's entries in place of those it had; only those that differ. */
export function mapsWith(get: ReadOption, changes: ReadonlyMap<string, PriceEntries>): Partial<OptionValues> {
  const maps: Partial<PriceMaps> = {};
  for (const key of priceMapKeys) {
    const map: Record<string, number | LongPrompt> = Object.assign(Object.create(null), get(key));
    let isChanged = false;
    for (const [model, entries] of changes) {
      const value = entries[key];
      if (value === undefined || (value === null && !Object.hasOwn(map, model))) continue;
      if (value === null) delete map[model];
      else map[model] = value;
      isChanged = true;
    }
    if (isChanged) maps[key] = map;
  }
  // The entries of a map are those that its key has.
  return maps as Partial<OptionValues>;
}

const tableOf = {
  ModelRatio: 'modelRatio',
  ModelPrice: 'modelPrice',
  CompletionRatio: 'completionRatio',
  CacheRatio: 'cacheRatio',
  CreateCacheRatio: 'createCacheRatio',
  CreateCacheHourRatio: 'createCacheHourRatio',
  LongPromptRatio: 'longPrompt',
} as const satisfies Record<PriceMapKey, keyof RateTables>;

/** Tables that know the one model, with these entries laid over its own. */
export function tablesWith(tables: RateTables, model: string, entries: PriceEntries): RateTables {
  const changed: Partial<Record<keyof RateTables, object>> = {};
  for (const key of priceMapKeys) {
    const value = entries[key];
    if (value === undefined) continue;
    const map: Record<string, unknown> = Object.create(null);
    if (value !== null) map[model] = value;
    changed[tableOf[key]] = map;
  }
  return { ...tables, ...changed } as RateTables;
}
