import { isPayable } from '../../billing/payable.ts';
import { type PreparedRates, prepareRates, type Rates } from '../../billing/price.ts';
import { jobRatesFor, type RateTables, ratesFor } from '../../billing/rates.ts';
import { nowSeconds, secondsPerDay } from '../../lib/clock.ts';
import type { OptionKey, OptionValues } from '../../schemas/option.ts';

export interface Priced {
  rates: Rates;
  prepared: PreparedRates;
  /** Whatever counts an upstream reports, the bill can be booked. */
  isPayable: boolean;
}

/** The rates in force, prepared once per model and group, and forgotten when an option changes and when a day is over. */
export interface Pricing {
  /** Throws `model.unpriced` when nothing says what the model costs. */
  find(model: string, group: string): Priced;
  /** The same for a drawing, a song or a video. */
  findJob(model: string, group: string): Priced;
  forget(): void;
}

/** Clients choose model names, so the memory for them is bounded. */
const maxEntries = 20_000;

export function createPricing(tables: () => RateTables): Pricing {
  const known = new Map<string, Priced>();
  let knownDay = 0;

  function remembered(key: string, read: () => Rates): Priced {
    // A vendor's list price may begin on a date: a process that runs for months charges it from that day on, as all others do.
    const today = Math.floor(nowSeconds() / secondsPerDay);
    if (today !== knownDay) {
      knownDay = today;
      known.clear();
    }
    const found = known.get(key);
    if (found) return found;
    const rates = read();
    const prepared = prepareRates(rates);
    const priced = { rates, prepared, isPayable: isPayable(prepared) };
    if (known.size >= maxEntries) known.clear();
    known.set(key, priced);
    return priced;
  }

  return {
    find: (model, group) => remembered(`${group}\n${model}`, () => ratesFor(tables(), model, group)),
    findJob: (model, group) => remembered(`${group}\n${model}\njob`, () => jobRatesFor(tables(), model, group)),
    forget: () => known.clear(),
  };
}

export function rateTablesOf(get: <K extends OptionKey>(key: K) => OptionValues[K]): RateTables {
  return {
    modelRatio: get('ModelRatio'),
    modelPrice: get('ModelPrice'),
    completionRatio: get('CompletionRatio'),
    cacheRatio: get('CacheRatio'),
    createCacheRatio: get('CreateCacheRatio'),
    createCacheHourRatio: get('CreateCacheHourRatio'),
    longPrompt: get('LongPromptRatio'),
    toolPrice: get('ToolPrice'),
    serviceTierRatio: get('ServiceTierRatio'),
    groupRatio: get('GroupRatio'),
    quotaPerUnit: get('QuotaPerUnit'),
    selfUse: get('SelfUseModeEnabled'),
  };
}
