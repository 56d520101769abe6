import type { LatencyPoint } from '../../../../core/schemas/overview.ts';
import type { Bucket } from './usage-series.ts';

export const latencyKeys = ['p50', 'p95', 'first_p50', 'first_p95'] as const;
export type LatencyKey = (typeof latencyKeys)[number];

/** Milliseconds; null where no request tells. */
export type LatencyBucket = Pick<Bucket, 'start' | 'end'> & Record<LatencyKey, number | null>;

/** The points of hours, days or weeks at the times of a chart. */
export function latencySeries(points: LatencyPoint[], buckets: Pick<Bucket, 'start' | 'end'>[]): LatencyBucket[] {
  return buckets.map(({ start, end }) => {
    const point = points.find(({ created_at: at }) => start <= at && at < end);
    const { p50 = null, p95 = null, first_p50 = null, first_p95 = null } = point ?? {};
    return { start, end, p50, p95, first_p50, first_p95 };
  });
}
