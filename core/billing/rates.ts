import { AppError } from '../errors/app-error.ts';
import type { LongPrompt } from '../schemas/option/json.ts';
import {
  audioRuleFor,
  builtinTables,
  completionRuleFor,
  defaultAudioCompletionRatio,
  defaultCacheRatio,
  defaultCreateCacheRatio,
  entryFor,
  type RatioMap,
  selfUseRatio,
} from './default-ratios.ts';
import { type ListRatios, listRatiosFor } from './list-price.ts';
import type { Rates } from './price.ts';
import { tierRatiosFor, toolPricesFor } from './surcharge.ts';

/** The operator's own entries, as the options hold them; a model without an entry keeps its built-in or list price. */
export interface RateTables {
  modelRatio: RatioMap;
  modelPrice: RatioMap;
  completionRatio: RatioMap;
  cacheRatio: RatioMap;
  createCacheRatio?: RatioMap;
  createCacheHourRatio?: RatioMap;
  audioRatio?: RatioMap;
  audioCompletionRatio?: RatioMap;
  longPrompt?: Readonly<Record<string, LongPrompt>>;
  /** US dollars per thousand uses of a tool; factors of service tiers (surcharge.ts says how entries are written). */
  toolPrice?: RatioMap;
  serviceTierRatio?: RatioMap;
  groupRatio: RatioMap;
  quotaPerUnit: number;
  /** The option SelfUseModeEnabled: models without a price are served at a high ratio instead of refused. */
  selfUse: boolean;
}

interface BasePrice {
  kind: Rates['kind'];
  value: number;
  source: Rates['source'];
  /** The vendor's list price, where it was looked up and found. */
  list?: ListRatios | undefined;
}

/** The rates of one call. Not cheap for models outside the built-in table: keep the result per model and group. */
export function ratesFor(tables: RateTables, model: string, group: string): Rates {
  const base = ownPrice(tables, model) ?? builtinPrice(model) ?? listPrice(model) ?? selfUsePrice(tables, model);
  return {
    ...(base.kind === 'price'
      ? { kind: 'price', modelPrice: base.value, modelRatio: 0, ...noMultiples }
      : { kind: 'ratio', modelPrice: -1, modelRatio: base.value, ...multiplesFor(tables, model, base) }),
    // The relay refuses a group without an entry; the price page may still ask for one.
    groupRatio: entryFor(tables.groupRatio, group) ?? 1,
    quotaPerUnit: tables.quotaPerUnit,
    source: base.source,
    ...(base.kind === 'ratio' && surchargesFor(tables, model, base)),
  };
}

/** What comes on top of the price of tokens. A price per call covers everything. */
function surchargesFor(tables: RateTables, model: string, { source, list }: BasePrice): Partial<Rates> {
  const own = tables.longPrompt && Object.hasOwn(tables.longPrompt, model) ? tables.longPrompt[model] : undefined;
  // Steps for long prompts belong to the list price; an operator's own ratio holds for every length unless they set one.
  const longPrompt = own ?? (source === 'list' ? list?.longPrompt : undefined);
  return {
    toolPrices: toolPricesFor(tables.toolPrice, model),
    tierRatios: tierRatiosFor(tables.serviceTierRatio, model),
    ...(longPrompt && { longPrompt }),
  };
}

/** US dollars for a job of a model that has a ratio and no price, as in the programs before us. */
const defaultJobPrice = 0.1;

/** The rates of a drawing, a song, or a second of a video. They have no tokens, so that paid by a ratio they would be free. */
export function jobRatesFor(tables: RateTables, model: string, group: string): Rates {
  const rates = ratesFor(tables, model, group);
  if (rates.kind === 'price') return rates;
  const { groupRatio, quotaPerUnit, source } = rates;
  // A ratio of 0 says that it is free.
  const price = entryFor(builtinTables.modelPrice, model) ?? defaultJobPrice;
  const modelPrice = rates.modelRatio === 0 ? 0 : price;
  return { kind: 'price', modelPrice, modelRatio: 0, ...noMultiples, groupRatio, quotaPerUnit, source };
}

/** The built-in tables with the operator's entries laid over them, as the option list and the price page show them. */
export function effectiveTables(tables: RateTables) {
  const prices = Object.entries(builtinTables.modelPrice).filter(([model]) => ownRatio(tables, model) === undefined);
  return {
    modelRatio: { ...builtinTables.modelRatio, ...tables.modelRatio },
    modelPrice: { ...Object.fromEntries(prices), ...tables.modelPrice },
    completionRatio: { ...builtinTables.completionRatio, ...tables.completionRatio },
    cacheRatio: { ...builtinTables.cacheRatio, ...tables.cacheRatio },
    createCacheRatio: { ...builtinTables.createCacheRatio, ...tables.createCacheRatio },
    audioRatio: { ...tables.audioRatio },
    audioCompletionRatio: { ...tables.audioCompletionRatio },
    // Groups are not models: one the operator removed stays removed.
    groupRatio: { ...tables.groupRatio },
  };
}

function ownPrice(tables: RateTables, model: string): BasePrice | undefined {
  const price = entryFor(tables.modelPrice, model);
  if (price !== undefined) return { kind: 'price', value: price, source: 'operator' };
  const ratio = ownRatio(tables, model);
  return ratio === undefined
    ? undefined
    : { kind: 'ratio', value: ratio, source: 'operator', list: listRatiosFor(model) };
}

/** A console saves the whole map it was shown: an entry equal to the built-in one does not replace a built-in price per call. */
function ownRatio(tables: RateTables, model: string): number | undefined {
  const ratio = entryFor(tables.modelRatio, model);
  const isUnchanged = ratio === entryFor(builtinTables.modelRatio, model);
  return isUnchanged && entryFor(builtinTables.modelPrice, model) !== undefined ? undefined : ratio;
}

function builtinPrice(model: string): BasePrice | undefined {
  const price = entryFor(builtinTables.modelPrice, model);
  if (price !== undefined) return { kind: 'price', value: price, source: 'builtin' };
  const ratio = entryFor(builtinTables.modelRatio, model);
  return ratio === undefined ? undefined : { kind: 'ratio', value: ratio, source: 'builtin' };
}

function listPrice(model: string): BasePrice | undefined {
  const list = listRatiosFor(model);
  return list && { kind: 'ratio', value: list.modelRatio, source: 'list', list };
}

function selfUsePrice(tables: RateTables, model: string): BasePrice {
  if (tables.selfUse) return { kind: 'ratio', value: selfUseRatio, source: 'selfUse' };
  throw new AppError('model.unpriced', { model: model.slice(0, 100) }, { param: 'model' });
}

/** Everything that is a multiple of the prompt price. */
type Multiples = Pick<
  Rates,
  | 'completionRatio'
  | 'cacheRatio'
  | 'createCacheRatio'
  | 'createCacheHourRatio'
  | 'audioRatio'
  | 'audioCompletionRatio'
  | 'imageRatio'
  | 'imageCompletionRatio'
>;

const noMultiples: Multiples = {
  completionRatio: 0,
  cacheRatio: 0,
  createCacheRatio: 0,
  createCacheHourRatio: 0,
  audioRatio: 0,
  audioCompletionRatio: 0,
  imageRatio: 0,
  imageCompletionRatio: 0,
};

/**
 * Figures of one price list belong together: a built-in price never takes its multiples from the list, and an operator who set only
 * ModelRatio gets the vendor's proportions where the built-in table has none. Of a model that the table does not know they are those
 * of its list price: what the table would guess from a part of the name is not asked.
 */
function multiplesFor(tables: RateTables, model: string, { list }: BasePrice): Multiples {
  const isOfList = list !== undefined && !isBuiltin(model);
  const builtin = builtinMultiples(model);
  const layers = [ownMultiples(tables, model), ...(isOfList ? [withSound(list, builtin)] : [builtin, list ?? {}])];
  const pick = (name: keyof Multiples) => layers.find((layer) => layer[name] !== undefined)?.[name];
  const completionRatio = pick('completionRatio') ?? (isOfList ? 1 : completionRuleFor(model).ratio);
  const audioRatio = pick('audioRatio');
  const createCacheRatio = pick('createCacheRatio') ?? (isOfList ? 1 : defaultCreateCacheRatio);
  return {
    completionRatio,
    cacheRatio: pick('cacheRatio') ?? defaultCacheRatio,
    createCacheRatio,
    createCacheHourRatio: pick('createCacheHourRatio') ?? hourRatioOf(createCacheRatio),
    // Without a figure for audio or pictures their tokens cost what text costs.
    audioRatio: audioRatio ?? 1,
    audioCompletionRatio:
      pick('audioCompletionRatio') ?? (audioRatio === undefined ? completionRatio : defaultAudioCompletionRatio),
    imageRatio: pick('imageRatio') ?? 1,
    imageCompletionRatio: pick('imageCompletionRatio') ?? completionRatio,
  };
}

const isBuiltin = (model: string): boolean =>
  (entryFor(builtinTables.modelRatio, model) ?? entryFor(builtinTables.modelPrice, model)) !== undefined;

/** Some audio models are in the list without a price for sound: their family's is nearer than that of text. */
function withSound(list: ListRatios, { audioRatio, audioCompletionRatio }: Partial<Multiples>): Partial<Multiples> {
  const isUnsaid = list.audioRatio === undefined && audioRatio !== undefined;
  return isUnsaid ? { ...list, audioRatio, audioCompletionRatio } : list;
}

/** Anthropic: 1.25 times the input price for five minutes, 2 times for an hour; ten decimals, as all ratios. */
function hourRatioOf(createCacheRatio: number): number {
  return Number((createCacheRatio * 1.6).toFixed(10));
}

/** A figure for five minutes brings the one for an hour with it, so that both come from one table. */
function cacheWriteMultiples(createCacheRatio: number | undefined, hourRatio?: number): Partial<Multiples> {
  const known = createCacheRatio === undefined ? undefined : hourRatioOf(createCacheRatio);
  return { createCacheRatio, createCacheHourRatio: hourRatio ?? known };
}

function ownMultiples(tables: RateTables, model: string): Partial<Multiples> {
  return {
    completionRatio: entryFor(tables.completionRatio, model),
    cacheRatio: entryFor(tables.cacheRatio, model),
    ...cacheWriteMultiples(entryFor(tables.createCacheRatio, model), entryFor(tables.createCacheHourRatio, model)),
    audioRatio: entryFor(tables.audioRatio, model),
    audioCompletionRatio: entryFor(tables.audioCompletionRatio, model),
  };
}

function builtinMultiples(model: string): Partial<Multiples> {
  const rule = completionRuleFor(model);
  const audioRatio = audioRuleFor(model);
  return {
    completionRatio: rule.fixed ? rule.ratio : entryFor(builtinTables.completionRatio, model),
    cacheRatio: entryFor(builtinTables.cacheRatio, model),
    ...cacheWriteMultiples(entryFor(builtinTables.createCacheRatio, model)),
    audioRatio,
    audioCompletionRatio: audioRatio === undefined ? undefined : defaultAudioCompletionRatio,
  };
}
