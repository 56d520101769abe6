import type { Database } from '../../database/connect.ts';
import { type CalendarWindow, calendarWindow } from '../../lib/calendar-window.ts';
import { secondsPerDay, secondsPerHour } from '../../lib/clock.ts';
import type { LatencyPoint, OverviewQuery, OverviewSpan } from '../../schemas/overview.ts';
import type { UsageScope } from '../usage/usage-source.ts';
import { latencyOf } from './latency.ts';
import { readLatencySamples } from './latency-sample.ts';

type Clock = Pick<OverviewQuery, 'utc_offset' | 'time_zone'>;

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
  { unit, scope, ...clock }: Clock & Pick<OverviewQuery, 'unit'> & { scope: UsageScope },
): Promise<LatencyPoint[]> {
  const fits = units.filter((one) => (end - start) / secondsPer[one] < maxPoints);
  const wanted = unit ?? 'hour';
  const drawn = fits.includes(wanted) ? wanted : (fits[0] ?? 'week');
  const slots = slotsIn({ start, end }, drawn, clock);
  const max = Math.min(maxPerPoint, Math.floor(maxRead / slots.length));
  const samples = await readLatencySamples(
    database,
    slots.map((slot) => ({ start: Math.max(slot.start, start), end: Math.min(slot.end - 1, end) })),
    { max, scope },
  );
  return slots.flatMap(({ start: created_at }, index) => {
    const { totals = [], firsts = [] } = samples[index] ?? {};
    const point = latencyOf(totals, firsts);
    return point.p50 === null && point.first_p50 === null ? [] : [{ created_at, ...point }];
  });
}

/** Hours, days or weeks of the reader's clock, the first of them with the start of the span. */
function slotsIn({ start, end }: OverviewSpan, unit: (typeof units)[number], clock: Clock): CalendarWindow[] {
  const { utc_offset, time_zone } = clock;
  const seconds = secondsPer[unit];
  const offset = (unit === 'hour' ? 0 : utc_offset * 60) + (unit === 'week' ? mondayOffset : 0);
  const slotOf = (at: number): CalendarWindow => {
    if (unit !== 'hour' && time_zone !== undefined) return calendarWindow(unit, time_zone, at);
    const first = at - ((at + offset) % seconds);
    return { start: first, end: first + seconds };
  };
  const slots = [slotOf(start)];
  for (let next = slots[0]?.end ?? end; next <= end; next = slots.at(-1)?.end ?? end + 1) slots.push(slotOf(next));
  return slots;
}
