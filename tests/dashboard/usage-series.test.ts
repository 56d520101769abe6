import { afterEach, expect, it } from 'vitest';
import { usageSeries } from '../../dashboard/src/pages/detail/usage-series.ts';

const { TZ } = process.env;
afterEach(() => {
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
});

const hour = 3600;
const secondsOf = (text: string) => Math.floor(new Date(text).getTime() / 1000);

it.each([
  ['Europe/Berlin', '2026-10-23', '2026-10-28', 25],
  ['America/New_York', '2026-10-30', '2026-11-04', 25],
  ['Africa/Cairo', '2026-04-22', '2026-04-28', 23], // at midnight the clock jumps to one
  ['America/Havana', '2026-10-30', '2026-11-04', 25], // midnight comes twice
])('bars of days have every hour once where the clock is set, as in %s', (zone, from, to, oddHours) => {
  process.env.TZ = zone;
  const [start, end] = [secondsOf(`${from}T00:00:00`), secondsOf(`${to}T00:00:00`)];
  const rows = Array.from({ length: (end - start) / hour }, (_, n) => ({
    ...{ model_name: 'm', token_used: 1, count: 1, quota: 1 },
    created_at: start + n * hour,
  }));
  const bars = usageSeries(rows, { start, end: end - 1 }, 'day').buckets;
  const inDays = new Map<string, number>();
  for (const { created_at } of rows) {
    const day = new Date(created_at * 1000).toDateString();
    inDays.set(day, (inDays.get(day) ?? 0) + 1);
  }
  expect(bars.map((bar) => [new Date(bar.start * 1000).toDateString(), bar.count])).toEqual([...inDays]);
  expect(bars.filter(({ count }) => count !== 24).map(({ count }) => count)).toEqual([oddHours]);

  const weeks = usageSeries(rows, { start, end: end - 1 }, 'week').buckets;
  expect(weeks.reduce((sum, { count }) => sum + count, 0)).toBe(rows.length);
  expect(weeks.map((bar) => new Date(bar.start * 1000).getDay())).toEqual(weeks.map(() => 1));
});
