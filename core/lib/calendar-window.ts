/** An hour, a day, a week from Monday, or a month, by the calendar of a time zone. */
export type CalendarUnit = 'hour' | 'day' | 'week' | 'month';

/** Unix seconds, the end not included. */
export interface CalendarWindow {
  start: number;
  end: number;
}

export function isTimeZone(name: string): boolean {
  // An offset such as +02:00 knows no daylight saving time, which is never what is meant.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const hourSeconds = 3600;
const daySeconds = 86_400;

/** The window that a moment lies in. Days are 23 to 25 hours long where the clock is set forward or back. */
export function calendarWindow(unit: CalendarUnit, zone: string, now: number): CalendarWindow {
  const local = localTime(zone, now);
  if (unit === 'hour') {
    const start = now - modulo(local, hourSeconds);
    return { start, end: start + hourSeconds };
  }
  const day = Math.floor(local / daySeconds);
  const [first, next] = daysOf(unit, day);
  return { start: startOfDay(zone, first), end: startOfDay(zone, next) };
}

/** The first day of the window and of the one after it, as days since 1970-01-01. */
function daysOf(unit: Exclude<CalendarUnit, 'hour'>, day: number): [first: number, next: number] {
  if (unit === 'day') return [day, day + 1];
  if (unit === 'week') {
    // 1970-01-01 was a Thursday.
    const monday = day - modulo(day + 3, 7);
    return [monday, monday + 7];
  }
  const date = new Date(day * daySeconds * 1000);
  const monthStart = (more: number) =>
    Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + more, 1) / 1000 / daySeconds;
  return [monthStart(0), monthStart(1)];
}

/**
 * The first moment of a local day. Where the clock jumps over midnight, that is the moment of the jump; where it goes back to the
 * day before, it is the second midnight. Days are counted from 1970-01-01.
 */
export function startOfDay(zone: string, day: number): number {
  const midnight = day * daySeconds;
  const possible = [midnight - daySeconds, midnight + daySeconds].map((near) => midnight - offsetOf(zone, near));
  const fitting = possible.filter((moment) => Math.floor(localTime(zone, moment) / daySeconds) === day);
  return Math.min(...(fitting.length > 0 ? fitting : possible));
}

const weekSeconds = 7 * daySeconds;
/** 2100-01-01: what is asked for beyond it is read by the last rule known. */
const furthest = 4_102_444_800;

/** By how many seconds the clocks of a zone are ahead of UTC, and from which moment on: the first from the beginning of the range. */
export function zoneOffsets(
  zone: string,
  { start, end }: { start: number; end: number },
): { from: number; offset: number }[] {
  const offsets = [{ from: start, offset: offsetOf(zone, Math.min(start, furthest)) }];
  let known = offsets[0]?.offset ?? 0;
  for (let at = start; at < Math.min(end, furthest); ) {
    const next = Math.min(at + weekSeconds, end, furthest);
    const from = firstOther(zone, { start: at, end: next, known });
    if (from !== undefined) {
      known = offsetOf(zone, from);
      offsets.push({ from, offset: known });
    }
    at = from ?? next;
  }
  return offsets;
}

/** The moment the clock is set to something else; undefined while it is not. */
function firstOther(zone: string, { start, end, known }: { start: number; end: number; known: number }) {
  if (offsetOf(zone, end) === known) return undefined;
  let [same, other] = [start, end];
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    if (offsetOf(zone, middle) === known) same = middle;
    else other = middle;
  }
  return other;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** What the clocks of the zone show, as if they showed UTC. */
function localTime(zone: string, moment: number): number {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(zone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(moment * 1000).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
}

function offsetOf(zone: string, moment: number): number {
  return localTime(zone, moment) - moment;
}

const modulo = (value: number, by: number) => ((value % by) + by) % by;
