import { describe, expect, it } from 'vitest';
import { type CalendarUnit, calendarWindow, isTimeZone, zoneOffsets } from '../../../core/lib/calendar-window.ts';

const seconds = (text: string) => Date.parse(text) / 1000;
const windowOf = (unit: CalendarUnit, zone: string, at: string) => {
  const { start, end } = calendarWindow(unit, zone, seconds(at));
  return [start, end].map((moment) => new Date(moment * 1000).toISOString().slice(0, 16));
};

describe('a window by the calendar of a time zone', () => {
  it.each([
    ['day', 'UTC', '2026-03-10T23:59:59Z', '2026-03-10T00:00', '2026-03-11T00:00'],
    ['day', 'Asia/Shanghai', '2026-03-10T16:00:00Z', '2026-03-10T16:00', '2026-03-11T16:00'],
    ['day', 'Asia/Shanghai', '2026-03-10T15:59:59Z', '2026-03-09T16:00', '2026-03-10T16:00'],
    // 23 and 25 hours.
    ['day', 'Europe/Berlin', '2026-03-29T12:00:00Z', '2026-03-28T23:00', '2026-03-29T22:00'],
    ['day', 'Europe/Berlin', '2026-10-25T12:00:00Z', '2026-10-24T22:00', '2026-10-25T23:00'],
    ['day', 'America/New_York', '2026-11-01T05:30:00Z', '2026-11-01T04:00', '2026-11-02T05:00'],
    // The clock jumps over midnight, and goes back to the day before.
    ['day', 'Africa/Cairo', '2026-04-24T10:00:00Z', '2026-04-23T22:00', '2026-04-24T21:00'],
    ['day', 'Africa/Cairo', '2026-10-29T21:30:00Z', '2026-10-28T21:00', '2026-10-29T22:00'],
    ['week', 'UTC', '2026-03-01T12:00:00Z', '2026-02-23T00:00', '2026-03-02T00:00'],
    ['week', 'Europe/Berlin', '2026-03-29T12:00:00Z', '2026-03-22T23:00', '2026-03-29T22:00'],
    ['month', 'Europe/Berlin', '2026-03-31T21:59:59Z', '2026-02-28T23:00', '2026-03-31T22:00'],
    ['month', 'Europe/Berlin', '2026-12-31T23:00:00Z', '2026-12-31T23:00', '2027-01-31T23:00'],
    ['hour', 'Asia/Kolkata', '2026-03-10T10:29:59Z', '2026-03-10T09:30', '2026-03-10T10:30'],
    ['hour', 'Europe/Berlin', '2026-10-25T01:30:00Z', '2026-10-25T01:00', '2026-10-25T02:00'],
  ] as const)('a %s in %s at %s', (unit, zone, at, start, end) => {
    expect(windowOf(unit, zone, at)).toEqual([start, end]);
  });

  it('leaves no gap and no overlap, whatever the clocks of a year do', () => {
    for (const zone of ['Europe/Berlin', 'America/Sao_Paulo', 'Africa/Cairo', 'Australia/Lord_Howe', 'Asia/Beirut']) {
      for (const unit of ['day', 'week', 'month'] as const) {
        let at = seconds('2026-01-01T12:00:00Z');
        while (at < seconds('2027-01-02T00:00:00Z')) {
          const window = calendarWindow(unit, zone, at);
          expect(window.start).toBeLessThanOrEqual(at);
          expect(calendarWindow(unit, zone, window.end - 1)).toEqual(window);
          expect(calendarWindow(unit, zone, window.end).start).toBe(window.end);
          at = window.end;
        }
      }
    }
  });

  it('knows the names of time zones, and no offsets', () => {
    for (const name of ['UTC', 'Europe/Berlin', 'Asia/Shanghai']) expect(isTimeZone(name), name).toBe(true);
    for (const name of ['', '+02:00', 'Europe/Nowhere', 'Berlin time']) expect(isTimeZone(name), name).toBe(false);
  });

  it('knows when the clocks of a zone are set', () => {
    const offsets = (zone: string, start: string, end: string) =>
      zoneOffsets(zone, { start: seconds(start), end: seconds(end) }).map(({ from, offset }) => [
        new Date(from * 1000).toISOString().slice(0, 16),
        offset / 60,
      ]);
    expect(offsets('Europe/Berlin', '2026-01-10T07:00Z', '2026-12-01T00:00Z')).toEqual([
      ['2026-01-10T07:00', 60],
      ['2026-03-29T01:00', 120],
      ['2026-10-25T01:00', 60],
    ]);
    expect(offsets('Australia/Lord_Howe', '2026-04-04T14:59Z', '2026-04-04T15:01Z')).toEqual([
      ['2026-04-04T14:59', 660],
      ['2026-04-04T15:00', 630],
    ]);
    expect(offsets('Asia/Kolkata', '1990-01-01T00:00Z', '2026-01-01T00:00Z')).toEqual([['1990-01-01T00:00', 330]]);
    expect(zoneOffsets('Europe/Berlin', { start: 0, end: Number.MAX_SAFE_INTEGER }).length).toBeGreaterThan(50);
  });
});
