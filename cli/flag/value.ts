import { AppError } from '../../core/errors/app-error.ts';
import { coded } from '../../core/text/coded.ts';

/** Rows of a list unless `--page-size` says otherwise: about a screenful. */
export const rowsOfList = 30;

const secondsPer: Record<string, number> = { h: 3600, d: 86_400 };
const never = -1;

/** Unix seconds to come, -1 for never. */
export function parseExpiry(text: string, nowSeconds: number): number {
  if (text.trim().toLowerCase() === 'never') return never;
  const time = durationSeconds(text);
  const moment = time === undefined ? localSeconds(text) : nowSeconds + time;
  if (moment === undefined) throw new AppError('cli.expiryForm', { value: text.slice(0, 40) });
  if (moment <= nowSeconds) throw new AppError('cli.expiryPast', { value: text.slice(0, 40) });
  return moment;
}

/** Unix seconds of a moment in the past: a date, or how long ago. */
export function parseTime(text: string, nowSeconds: number): number {
  const ago = durationSeconds(text);
  const moment = ago === undefined ? localSeconds(text) : nowSeconds - ago;
  if (moment === undefined) throw new AppError('cli.timeForm', { value: text.slice(0, 40) });
  return moment;
}

export interface RangeWords {
  since?: string | undefined;
  until?: string | undefined;
}

/** Both ends of a range of time. One that ends before it starts would look like a range without rows. */
export function parseRange({ since, until }: RangeWords, nowSeconds: number) {
  const start = since === undefined ? undefined : parseTime(since, nowSeconds);
  const end = until === undefined ? undefined : parseTime(until, nowSeconds);
  if (start !== undefined && end !== undefined && start > end)
    throw new AppError('input.invalid', { reason: coded('input.rangeReversed') });
  return { start, end };
}

const secondsPerUnit: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Seconds of a duration such as `90s` or `10m`; the error names `flag`. */
export function parseDuration(text: string, flag: string): number {
  const [, amount, unit = ''] = /^(\d{1,6})([smhd])$/i.exec(text.trim()) ?? [];
  if (amount === undefined)
    throw new AppError('input.invalid', { reason: `${flag} "${text.slice(0, 40)}": ${coded('input.duration')}` });
  return Number(amount) * (secondsPerUnit[unit.toLowerCase()] ?? 1);
}

/** `yyyy-MM-dd HH:mm:ss` in local time, as `parseExpiry` reads it. */
export function formatTime(seconds: number): string {
  const date = new Date(seconds * 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
}

/** Reads a whole number a person typed; anything else becomes NaN, which every schema refuses. */
export function wholeNumber(text: string): number {
  return /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN;
}

function durationSeconds(text: string): number | undefined {
  const match = /^(\d{1,5})([hd])$/i.exec(text.trim());
  return match ? Number(match[1]) * (secondsPer[(match[2] ?? '').toLowerCase()] ?? 0) : undefined;
}

/** Undefined for anything that is not a day of the calendar. */
function localSeconds(text: string): number | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d):(\d\d))?$/.exec(text.trim());
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const date = new Date(year, month - 1, day, hour, minute, second);
  const isReal = date.getMonth() === month - 1 && date.getDate() === day && hour < 24 && minute < 60 && second < 60;
  return isReal ? Math.floor(date.getTime() / 1000) : undefined;
}
