import type { PriceRow } from '../../api/pricing.ts';

export const units = ['1M', '1K'] as const;
export type Unit = (typeof units)[number];

const tokensIn: Record<Unit, number> = { '1M': 1_000_000, '1K': 1000 };

/** In quota, as everything is counted; whoever shows it turns it into money. */
export type ModelPrice = { perCall: number } | { prompt: number; completion: number };

interface PriceTerms {
  groupRatio: number;
  unit: Unit;
  quotaPerUnit: number;
}

/** What so many tokens, or one call, cost in a group. Undefined while nobody has set a price and calls are refused. */
export function priceOf(row: PriceRow, { groupRatio, unit, quotaPerUnit }: PriceTerms): ModelPrice | undefined {
  if (row.price_source === 'none') return undefined;
  if (row.quota_type === 1) return { perCall: row.model_price * quotaPerUnit * groupRatio };
  const prompt = row.model_ratio * groupRatio * tokensIn[unit];
  return { prompt, completion: prompt * row.completion_ratio };
}
