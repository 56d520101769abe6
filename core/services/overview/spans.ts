import { secondsPerDay } from '../../lib/clock.ts';
import type { OverviewQuery, OverviewSpan } from '../../schemas/overview.ts';
import { maxOverviewDays } from '../../schemas/overview-days.ts';

const maxSpanSeconds = maxOverviewDays * secondsPerDay;
/** Spans that end now differ with every second; pages that ask within this many share a reading. */
const keyGridSeconds = 10;

export interface Spans {
  span: OverviewSpan;
  previous: OverviewSpan;
}

export function spansOf(query: OverviewQuery, now: number): Spans {
  // Cut to the last days before a far end, nothing would be left.
  const end = Math.min(query.end_timestamp || now, now);
  const start = Math.max(query.start_timestamp || end - secondsPerDay, end - maxSpanSeconds);
  const previousEnd = query.previous_end || start - 1;
  const previousStart = Math.max(query.previous_start || previousEnd - (end - start), previousEnd - maxSpanSeconds);
  return { span: { start, end }, previous: { start: previousStart, end: previousEnd } };
}

/** What two readings have in common that may be one. */
export function keyOf(whose: string, query: OverviewQuery): string {
  const { start_timestamp, end_timestamp, previous_start, previous_end, unit, utc_offset, time_zone } = query;
  const times = [start_timestamp, end_timestamp, previous_start, previous_end];
  return [whose, unit, utc_offset, time_zone, ...times.map((time) => Math.floor(time / keyGridSeconds))].join(' ');
}
