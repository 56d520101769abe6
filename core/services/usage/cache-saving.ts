import type { Database } from '../../database/connect.ts';
import { serviceTiers } from '../../schemas/surcharge.ts';

// SQL: sums over what a row keeps in its text.

/**
 * What calls found in their vendors' prompt caches, as parts of a statement on the log: `cached_tokens`, and `saved_quota`, the quota units
 * with fractions that those tokens would have cost more as plain ones, less what it cost to write the cache: at the rates that the call
 * was charged by, those of its service tier and of a long prompt too.
 */
export function cacheSums(engine: Database['engine']): string {
  const field = (name: string, missing = 0) => `coalesce(${fieldOf(engine, name)}, ${missing})`;
  const [hour, written] = [field('cache_creation_tokens_1h'), field('cache_creation_tokens')];
  const ifSaid = (name: string, factor: string) => `(CASE WHEN other LIKE '%"${name}"%' THEN ${factor} ELSE 1 END)`;
  const [ofPrompt, ofCached] = (['prompt', 'cached'] as const).map((part) =>
    ifSaid('long_prompt', field(`long_prompt.${part}`, 1)),
  );
  const ofTiers = serviceTiers.map((tier) => field(`service_tier_ratio.${tier}`, 1)).join(' * ');
  const saved = [
    `${field('cache_tokens')} * (${ofPrompt} - ${field('cache_ratio')} * ${ofCached})`,
    `(${written} - ${hour}) * (${field('cache_creation_ratio')} - 1) * ${ofPrompt}`,
    `${hour} * (${field('cache_creation_ratio_1h')} - 1) * ${ofPrompt}`,
  ].join(' - ');
  const rate = `${field('model_ratio')} * ${field('group_ratio')} * ${ifSaid('service_tier_ratio', ofTiers)}`;
  const ofCachedCalls = (sum: string) => `CASE WHEN other LIKE '%"cache_%' THEN ${sum} ELSE 0 END`;
  return `CAST(sum(${ofCachedCalls(field('cache_tokens'))}) AS BIGINT) AS cached_tokens,
    CAST(sum(${ofCachedCalls(`${rate} * (${saved})`)}) AS DOUBLE PRECISION) AS saved_quota`;
}

/** No count and no ratio has more digits before the point. Without a limit, absurd numbers of an imported row overflow the sums of its hour. */
const maxDigits = 12;

/** A number of the row's text, perhaps one within an object of it. The text of an imported row need not be JSON. */
function fieldOf(engine: Database['engine'], path: string): string {
  if (engine === 'sqlite') {
    const value = `CAST(CASE WHEN json_valid(other) THEN json_extract(other, '$.${path}') END AS REAL)`;
    const limit = `1e${maxDigits}`;
    return `nullif(nullif(max(-${limit}, min(${limit}, ${value})), ${limit}), -${limit})`;
  }
  const [name = '', outer] = path.split('.').reverse();
  const before = outer === undefined ? '' : `"${outer}": ?\\{[^{}]*`;
  return `CAST(substring(other FROM '${before}"${name}": ?(-?[0-9]{1,${maxDigits}}(\\.[0-9]{1,100})?([eE]-[0-9]{1,3})?)(?![0-9.eE])') AS NUMERIC)`;
}
