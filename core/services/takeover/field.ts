import { isJsonObject } from '../../lib/json-value.ts';
import type { SourceRow } from './source-reader.ts';

/** A text column; fixed-width ones of PostgreSQL come padded with blanks. */
export function textOf(row: SourceRow, name: string): string {
  const value = row[name];
  const text = typeof value === 'string' ? value : value === null || value === undefined ? '' : String(value);
  // Neither engine stores a NUL.
  return text.replaceAll('\0', '').trim();
}

/** A whole number; anything else, or one too large to be exact, becomes the fallback. */
export function wholeOf(row: SourceRow, name: string, fallback = 0): number {
  const value = row[name];
  if (value === null || value === undefined || value === '') return fallback;
  const number = Math.trunc(Number(value));
  return Number.isSafeInteger(number) ? number : fallback;
}

/** What a balance becomes that is too large to be counted exactly: two billion dollars at the usual rate. */
const largestTaken = 1_000_000_000_000_000;

export const isTooLarge = (row: SourceRow, name: string): boolean =>
  Math.abs(Number(row[name])) > Number.MAX_SAFE_INTEGER;

/** Whether the source has the column, and nothing in it for this row. */
export const isBlank = (row: SourceRow, name: string): boolean =>
  name in row && (row[name] === null || row[name] === '');

/** The old programs read nothing as 0, which is not enabled. Without the column there is no state to keep. */
export const statusIn = (row: SourceRow): number => ('status' in row ? wholeOf(row, 'status') : 1);

/** Units of quota. */
export const quotaOf = (row: SourceRow, name: string): number =>
  isTooLarge(row, name) ? Math.sign(Number(row[name])) * largestTaken : wholeOf(row, name);

/** More seconds than any date has: these are milliseconds. */
const firstMilliseconds = 100_000_000_000;

/** Unix seconds; some programs of the family wrote milliseconds at times. */
export function secondsOf(row: SourceRow, name: string, fallback = 0): number {
  const time = wholeOf(row, name, fallback);
  return time >= firstMilliseconds ? Math.trunc(time / 1000) : time;
}

/** SQLite stores 0 and 1. */
export const flagOf = (row: SourceRow, name: string): boolean => row[name] === true || Number(row[name]) === 1;

export function isDeleted(row: SourceRow): boolean {
  return row.deleted_at !== null && row.deleted_at !== undefined && row.deleted_at !== '';
}

export function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? { ...value } : {};
  } catch {
    return {}; // free text where the old program kept JSON
  }
}
