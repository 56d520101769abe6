import type { Database } from '../../database/connect.ts';
import { cacheSums } from '../usage/cache-saving.ts';

/** What the hourly sums do not tell of the calls they count. */
export interface CallParts {
  prompt_tokens: number;
  completion_tokens: number;
  cached_tokens: number;
  /** Quota units, with fractions until everything is added up. */
  saved_quota: number;
}

export const noParts: CallParts = { prompt_tokens: 0, completion_tokens: 0, cached_tokens: 0, saved_quota: 0 };

export const partNames = ['prompt_tokens', 'completion_tokens', 'cached_tokens', 'saved_quota'] as const;

// SQL: sums. PostgreSQL returns sums of decimals as text.

/** As sums over rows of the log. */
export const rowParts = (engine: Database['engine']): string =>
  `CAST(sum(prompt_tokens) AS BIGINT) AS prompt_tokens, CAST(sum(completion_tokens) AS BIGINT) AS completion_tokens,
    ${cacheSums(engine)}`;

/** As sums over rolled hours. */
export const rolledParts = `CAST(sum(prompt_tokens) AS BIGINT) AS prompt_tokens,
    CAST(sum(completion_tokens) AS BIGINT) AS completion_tokens, CAST(sum(cached_tokens) AS BIGINT) AS cached_tokens,
    sum(saved_quota) AS saved_quota`;

/** One row for each key, with the named numbers of all its rows. */
export function addUp<Name extends string, Row extends Record<Name, number>>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  names: readonly Name[],
): Row[] {
  const totals = new Map<string, Row>();
  for (const row of rows) {
    const total: Record<Name, number> | undefined = totals.get(keyOf(row));
    if (total) for (const name of names) total[name] += row[name];
    else totals.set(keyOf(row), { ...row });
  }
  return [...totals.values()];
}

/** Half a unit away from zero; whether a fraction came in one piece or in many makes no difference. */
export function roundedParts<Row extends Pick<CallParts, 'saved_quota'>>(row: Row): Row {
  const saved = Number(row.saved_quota.toFixed(6));
  return { ...row, saved_quota: Math.sign(saved) * Math.round(Math.abs(saved)) || 0 };
}
