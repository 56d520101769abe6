import { maxOverviewDays } from '../../../../core/schemas/overview-days.ts';
import { type RangeFilters, rangeChoice, timeRange } from '../../components/list/time-range.ts';
import { type Unit, unitFor, units } from '../detail/usage-series.ts';

export type PeriodFilters = RangeFilters & { unit: string; compare: string };

export const periodChoices = ['today', 'three', 'week', 'month', 'quarter', 'thisWeek', 'thisMonth', 'custom'] as const;

/** Unix seconds. */
export interface Period {
  start: number;
  end: number;
  previousStart: number;
  previousEnd: number;
  /** The text that names the time before: `compare.<key>`. */
  comparedWith: string;
  unit: Unit;
  /** The chosen time is longer: only its last days are shown. */
  isCut: boolean;
}

const daySeconds = 86_400;

/** The time that is shown and the one it is compared with, by the reader's own calendar. */
export function periodOf(filters: PeriodFilters, maxSeconds = maxOverviewDays * daySeconds): Period {
  const now = Math.floor(Date.now() / 1000);
  const choice = rangeChoice(filters);
  const range = timeRange(filters, now);
  const end = Math.min(range.end || now, now);
  const wanted = Math.min(range.start || end - daySeconds, end);
  const start = Math.max(wanted, end - maxSeconds);
  const isCut = start > wanted;
  const unit = unitFor(end - start, units.find((one) => one === filters.unit) ?? defaultUnit(end - start));
  if (choice === 'thisMonth') {
    const previousStart = shifted(start, { months: -1 });
    // A short month ends before this one's day.
    const previousEnd = Math.min(previousStart + (end - start), start - 1);
    return { start, end, previousStart, previousEnd, unit, isCut, comparedWith: choice };
  }
  const isWeekBefore = choice === 'today' && filters.compare === 'week';
  const days = isWeekBefore
    ? 7
    : { today: 1, three: 3, week: 7, month: 30, quarter: 90, thisWeek: 7 }[choice as string];
  const comparedWith = isWeekBefore ? 'todayWeek' : choice;
  if (days === undefined) {
    return {
      start,
      end,
      previousStart: start - (end - start) - 1,
      previousEnd: start - 1,
      unit,
      isCut,
      comparedWith: 'custom',
    };
  }
  const previousEnd = Math.min(shifted(end, { days: -days }), start - 1);
  return { start, end, previousStart: shifted(start, { days: -days }), previousEnd, unit, isCut, comparedWith };
}

/** A moment on another day at the same time of the clock. */
function shifted(seconds: number, { days = 0, months = 0 }: { days?: number; months?: number }): number {
  const time = new Date(seconds * 1000);
  time.setMonth(time.getMonth() + months, time.getDate() + days);
  return Math.floor(time.getTime() / 1000);
}

function defaultUnit(seconds: number): Unit {
  if (seconds <= 2 * daySeconds) return 'hour';
  return seconds <= 45 * daySeconds ? 'day' : 'week';
}
