import type { Database } from '../../database/connect.ts';

// SQL: sums over what a row keeps in its text.

/**
 * What calls found in their vendors' prompt caches, as parts of a statement on the log: `cached_tokens`, and `saved_quota`, the quota units
 * with fractions that those tokens would have cost more as plain ones, less what it cost to write the cache; rates for long prompts
 * are left out.
 */
export function cacheSums(engine: Database['engine']): string {
  const field = (name: string) => `coalesce(${fieldOf(engine, name)}, 0)`;
  const [hour, written] = [field('cache_creation_tokens_1h'), field('cache_creation_tokens')];
  const saved = [
    `${field('cache_tokens')} * (1 - ${field('cache_ratio')})`,
    `(${written} - ${hour}) * (${field('cache_creation_ratio')} - 1)`,
    `${hour} * (${field('cache_creation_ratio_1h')} - 1)`,
  ].join(' - ');
  const ofCached = (sum: string) => `CASE WHEN other LIKE '%"cache_%' THEN ${sum} ELSE 0 END`;
  return `CAST(sum(${ofCached(field('cache_tokens'))}) AS BIGINT) AS cached_tokens,
    CAST(sum(${ofCached(`${field('model_ratio')} * ${field('group_ratio')} * (${saved})`)}) AS DOUBLE PRECISION) AS saved_quota`;
}

/** A number of the row's text. The text of an imported row need not be JSON. */
function fieldOf(engine: Database['engine'], name: string): string {
  return engine === 'postgres'
    ? `CAST(substring(other FROM '"${name}": ?(-?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]{1,3})?)') AS NUMERIC)`
    : `CAST(CASE WHEN json_valid(other) THEN json_extract(other, '$.${name}') END AS REAL)`;
}
