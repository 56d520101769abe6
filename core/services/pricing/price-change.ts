import { dollarsPerMillion } from '../../billing/price.ts';
import { type RateTables, ratesFor } from '../../billing/rates.ts';
import { AppError } from '../../errors/app-error.ts';
import type { PriceFigures } from '../../schemas/pricing.ts';

/** One model's price before and after, in US dollars; null where it had none or has none any more. */
export interface PriceChange {
  model: string;
  before: PriceFigures | null;
  after: PriceFigures | null;
}

const maps = ['modelRatio', 'modelPrice', 'completionRatio', 'cacheRatio', 'createCacheRatio'] as const;

/** A model takes half a millisecond, and the books wait meanwhile. */
const maxModels = 500;

/**
 * The models whose own entries differ between two tables and whose price does, too: an entry that says what the vendor's list says
 * changes nothing. Prices are those without a group. None where a whole table of more than 500 models is replaced.
 */
export function priceChanges(before: RateTables, after: RateTables): PriceChange[] {
  const models = differingModels(before, after);
  if (models.length > maxModels) return [];
  return models
    .map((model) => ({ model, before: figuresOf(before, model), after: figuresOf(after, model) }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));
}

function differingModels(before: RateTables, after: RateTables): string[] {
  const names = new Set<string>();
  for (const map of maps) {
    const [was, is] = [before[map] ?? {}, after[map] ?? {}];
    for (const name of [...Object.keys(was), ...Object.keys(is)]) if (was[name] !== is[name]) names.add(name);
  }
  return [...names].sort();
}

function figuresOf(tables: RateTables, model: string): PriceFigures | null {
  try {
    const rates = ratesFor(tables, model, '');
    if (rates.kind === 'price') return { call: rates.modelPrice };
    const { prompt, cached, completion } = dollarsPerMillion({ ...rates, groupRatio: 1 });
    return { input: prompt, cached, output: completion };
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'model.unpriced')) throw error;
    return null;
  }
}
