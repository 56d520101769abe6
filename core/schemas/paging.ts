import { z } from 'zod';
import { defaultPageSize, maxPageSize } from './page-size.ts';

export { defaultPageSize, maxPageSize };

export interface Page<T> {
  items: T[];
  page: number;
  page_size: number;
  total: number;
}

/** The schema of a page of `item`. */
export const pageSchema = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), page: z.number(), page_size: z.number(), total: z.number() });

/** Never refuses: consoles send 0, nothing or nonsense here, and all of it means the nearest sensible page. */
export const pagingSchema = z.object({
  page: z
    .unknown()
    .optional()
    .transform((value) => clampedNumber(value, 1, 1, 1_000_000_000)),
  page_size: z
    .unknown()
    .optional()
    .transform((value) => clampedNumber(value, defaultPageSize, 1, maxPageSize)),
});
export type Paging = z.output<typeof pagingSchema>;

/** Text people search for: longer ones are refused rather than matched slowly. */
export const keywordSchema = z.string().trim().max(64).default('');

/** The nearest number in the range; `fallback` for what is not a number or lies below it. */
export function clampedNumber(value: unknown, fallback: number, min: number, max: number): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || Number.isNaN(number) || number < min) return fallback;
  return Math.min(Math.trunc(number), max);
}
