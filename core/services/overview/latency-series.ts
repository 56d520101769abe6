import type { Database } from '../../database/connect.ts';
import { secondsPerDay, secondsPerHour } from '../../lib/clock.ts';
import type { LatencyPoint, OverviewQuery, OverviewSpan } from '../../schemas/overview.ts';
import type { UsageScope } from '../usage/usage-source.ts';
import { latencyOf } from './latency.ts';
import { readLatencySamples } from './latency-sample.ts';

const units = ['hour', 'day', 'week'] as const;
const secondsPer = { hour: secondsPerHour, day: secondsPerDay, week: 7 * secondsPerDay };
/** More points than this are no readable line. */
const maxPoints = 180;
/** Rows that are read at most, and of a single point. */
const maxRead = 20_000;
const maxPerPoint = 500;
/** The first of January 1970 was a Thursday; weeks begin on Monday. */
const mondayOffset = 3 * secondsPerDay;

/** How fast requests were over a span, each point from its latest requests; points without any are left out. */
export async function readLatencies(
  database: Database,
  { start, end }: OverviewSpan,
  { unit, utc_offset, scope }: Pick<OverviewQuery, 'unit' | 'utc_offset'> & { scope: UsageScope },
): Promise<LatencyPoint[]> {
  const fits = units.filter((one) => (end - start) / secondsPer[one] < maxPoints);
  const wanted = unit ?? 'hour';
  const drawn = fits.includes(wanted) ? wanted : (fits[0] ?? 'week');
  const seconds = secondsPer[drawn];
  const offset = (drawn === 'hour' ? 0 : utc_offset * 60) + (drawn === 'week' ? mondayOffset : 0);
  const first = start - ((start + offset) % seconds);
  const slots = Array.from({ length: Math.floor((end - first) / seconds) + 1 }, (_, index) => first + index * seconds);
  const max = Math.min(maxPerPoint, Math.floor(maxRead / slots.length));
  const samples = await readLatencySamples(
    database,
    slots.map((from) => ({ start: Math.max(from, start), end: Math.min(from + seconds - 1, end) })),
    { max, scope },
  );
  return slots.flatMap((created_at, index) => {
    const { totals = [], firsts = [] } = samples[index] ?? {};
    const point = latencyOf(totals, firsts);
    return point.p50 === null && point.first_p50 === null ? [] : [{ created_at, ...point }];
  });
}
