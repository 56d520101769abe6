import { nowSeconds } from '../../core/lib/clock.ts';
import { formatTime } from '../flag/value.ts';

/** A moment as short as it stays clear in a list: the time alone today, with month and day this year, and the whole date before. */
export function momentText(seconds: number): string {
  const time = formatTime(seconds);
  const now = formatTime(nowSeconds());
  if (time.slice(0, 10) === now.slice(0, 10)) return time.slice(11);
  return time.slice(0, 4) === now.slice(0, 4) ? time.slice(5) : time;
}
