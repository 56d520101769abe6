import type { OverviewOutcomes } from '../../../../core/schemas/overview.ts';
import type { Bucket } from './usage-series.ts';

/** As they are stacked, from the ground. */
export const outcomes = ['ok', 'cut', 'refused', 'failed'] as const;
export type Outcome = (typeof outcomes)[number];

export type OutcomeBucket = Pick<Bucket, 'start' | 'end'> & Record<Outcome, number>;

/** Counts of hours or days as the bars of a chart. */
export function outcomeSeries(rows: OverviewOutcomes[], buckets: Pick<Bucket, 'start' | 'end'>[]): OutcomeBucket[] {
  const series = buckets.map(({ start, end }) => ({ start, end, ok: 0, cut: 0, refused: 0, failed: 0 }));
  for (const row of rows) {
    const bucket = series.findLast(({ start }) => start <= row.created_at);
    if (bucket) for (const key of outcomes) bucket[key] += row[key];
  }
  return series;
}

export const totalOf = (bucket: Record<Outcome, number>): number => outcomes.reduce((sum, key) => sum + bucket[key], 0);
