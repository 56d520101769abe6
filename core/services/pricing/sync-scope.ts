import type { DiffScope } from '../../schemas/price-sync.ts';
import type { ReadOption } from '../option/value.ts';
import { priceMapKeys } from './price-figure.ts';
import type { PriceReading } from './price-reading.ts';

interface ScopeChoice {
  reading: Pick<PriceReading, 'names'>;
  served: ReadonlyMap<string, unknown>;
  scope: DiffScope;
  /** Only these; `*` stands for any characters. A name without one counts although nothing knows it. */
  patterns: readonly string[];
}

/** The models that are compared, in the order of their names. */
export function modelsInScope(get: ReadOption, { reading, served, scope, patterns }: ScopeChoice): string[] {
  const names = new Set(served.keys());
  if (scope !== 'served') for (const key of priceMapKeys) for (const name of Object.keys(get(key))) names.add(name);
  // A pattern is for whatever the list has, too.
  if (scope === 'all' || (scope === 'known' && patterns.length > 0))
    for (const name of reading.names()) names.add(name);
  if (patterns.length === 0) return [...names].sort();
  const fits = patterns.filter((pattern) => pattern.includes('*')).map(patternOf);
  const plain = patterns.filter((pattern) => !pattern.includes('*') && (scope !== 'served' || served.has(pattern)));
  const found = [...names].filter((name) => fits.some((fit) => fit.test(name)));
  return [...new Set([...plain, ...found])].sort();
}

const patternOf = (pattern: string) => new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`, 'i');
const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
