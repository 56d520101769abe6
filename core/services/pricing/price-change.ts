import type { RateTables } from '../../billing/rates.ts';
import type { ListedPrice } from '../../schemas/price-sync.ts';
import { figuresIn } from './price-figure.ts';

/** One model's price before and after, in US dollars; null where it had none or has none any more. */
export interface PriceChange {
  model: string;
  before: ListedPrice | null;
  after: ListedPrice | null;
}

const maps = [
  ...(['modelRatio', 'modelPrice', 'completionRatio', 'cacheRatio'] as const),
  ...(['createCacheRatio', 'createCacheHourRatio', 'longPrompt'] as const),
];

/** A model takes half a millisecond, and the books wait meanwhile. */
const maxModels = 2000;

/**
 * The models whose own entries differ between two tables and whose price does, too: an entry that says what the vendor's list says
 * changes nothing. Prices are those without a group. None where a whole table of more than 2,000 models is replaced.
 */
export function priceChanges(before: RateTables, after: RateTables): PriceChange[] {
  const models = differingModels(before, after);
  if (models.length > maxModels) return [];
  return models
    .map((model) => changeOf(model, priceIn(before, model), priceIn(after, model)))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));
}

function differingModels(before: RateTables, after: RateTables): string[] {
  const names = new Set<string>();
  for (const map of maps) {
    const [was, is]: Readonly<Record<string, unknown>>[] = [before[map] ?? {}, after[map] ?? {}];
    if (was === is || !was || !is) continue;
    for (const name of [...Object.keys(was), ...Object.keys(is)]) {
      if (JSON.stringify(was[name]) !== JSON.stringify(is[name])) names.add(name);
    }
  }
  return [...names].sort();
}

const priceIn = (tables: RateTables, model: string): ListedPrice | null => figuresIn(tables, model)?.figures ?? null;

/** What follows the other figures is named only where it changed by itself. */
function changeOf(model: string, before: ListedPrice | null, after: ListedPrice | null): PriceChange {
  const isOwnChange = (key: 'cache_write' | 'long_prompt') =>
    before?.input !== undefined && after?.input !== undefined && factorsOf(before, key) !== factorsOf(after, key);
  const [hasWrite, hasLong] = [isOwnChange('cache_write'), isOwnChange('long_prompt')];
  const shown = (price: ListedPrice | null) => {
    if (!price) return null;
    const { cache_write, long_prompt, ...rest } = price;
    return {
      ...rest,
      ...(hasWrite && cache_write !== undefined && { cache_write }),
      ...(hasLong && long_prompt && { long_prompt }),
    };
  };
  return { model, before: shown(before), after: shown(after) };
}

/** Against the prices of the short prompt. */
function factorsOf({ input = 0, ...price }: ListedPrice, key: 'cache_write' | 'long_prompt'): string {
  const ratio = (part = 0, whole = input) => (whole > 0 ? (part / whole).toFixed(6) : '');
  if (key === 'cache_write') return ratio(price.cache_write);
  const { long_prompt: long } = price;
  if (!long) return '';
  return [long.above, ratio(long.input), ratio(long.cached, price.cached), ratio(long.output, price.output)].join(' ');
}
