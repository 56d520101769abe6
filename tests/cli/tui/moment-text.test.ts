import { expect, it } from 'vitest';
import { momentText } from '../../../cli/tui/moment-text.ts';
import { nowSeconds } from '../../../core/lib/clock.ts';

it('says a moment as short as it stays clear: the time alone only for today', () => {
  const now = new Date();
  const thisYear = now.getFullYear();
  const seconds = (date: Date) => Math.floor(date.getTime() / 1000);
  expect(momentText(nowSeconds())).toMatch(/^\d\d:\d\d:\d\d$/);
  // Another day of this year, whatever day it is today.
  const other = new Date(thisYear, now.getMonth() === 0 ? 1 : 0, 5, 23, 19, 59);
  expect(momentText(seconds(other))).toBe(now.getMonth() === 0 ? '02-05 23:19:59' : '01-05 23:19:59');
  const yearAgo = new Date(thisYear - 1, now.getMonth(), Math.min(now.getDate(), 28), 23, 19, 59);
  expect(momentText(seconds(yearAgo))).toMatch(new RegExp(`^${thisYear - 1}-\\d\\d-\\d\\d 23:19:59$`));
});
