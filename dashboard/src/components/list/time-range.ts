/** The filters of a list that is narrowed to a time; all of them are in the address. */
export type RangeFilters = { range: string; start: string; end: string };

/** Unix seconds; 0 is open. */
export interface TimeRange {
  start: number;
  end: number;
}

export const rangeChoices = [
  ...(['today', 'three', 'week', 'month', 'quarter'] as const),
  ...(['thisWeek', 'thisMonth', 'all', 'custom'] as const),
];
export type RangeChoice = (typeof rangeChoices)[number];

const daySeconds = 86_400;

/** The last hour of a list lies ahead: what is written meanwhile belongs to it, and clocks differ. */
const aheadSeconds = 3600;

/** A start or an end in the address is a range of its own, as links from charts have it. */
export function rangeChoice({ range, start, end }: RangeFilters): RangeChoice {
  if (start || end) return 'custom';
  return rangeChoices.find((choice) => choice === range) ?? 'all';
}

export function timeRange(filters: RangeFilters, now = Math.floor(Date.now() / 1000)): TimeRange {
  const choice = rangeChoice(filters);
  const start = {
    today: dayStart(now),
    three: dayStart(now, 2),
    week: dayStart(now, 6),
    month: now - 30 * daySeconds,
    quarter: dayStart(now, 89),
    thisWeek: dayStart(now, daysSinceMonday(now)),
    thisMonth: dayStart(now, new Date(now * 1000).getDate() - 1),
    all: 0,
    custom: secondsOf(filters.start),
  }[choice];
  return { start, end: choice === 'custom' ? secondsOf(filters.end) : now + aheadSeconds };
}

/** Weeks begin on Monday. */
const daysSinceMonday = (now: number) => (new Date(now * 1000).getDay() + 6) % 7;

/** Local midnight, so many days before. */
function dayStart(now: number, daysBefore = 0): number {
  const day = new Date(now * 1000);
  return Math.floor(new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysBefore).getTime() / 1000);
}

/** Links may contain anything. */
function secondsOf(text: string): number {
  const seconds = Math.trunc(Number(text));
  return seconds > 0 && seconds < 1e11 ? seconds : 0;
}
