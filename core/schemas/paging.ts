import { z } from 'zod';

export interface Page<T> {
  items: T[];
  page: number;
  page_size: number;
  total: number;
}

export const defaultPageSize = 10;
export const maximumPageSize = 100;

/** Never refuses: consoles send 0, nothing or nonsense here, and all of it means the nearest sensible page. */
export const pagingSchema = z.object({
  page: z
    .unknown()
    .optional()
    .transform((value) => clamp(value, 1, 1, 1_000_000_000)),
  page_size: z
    .unknown()
    .optional()
    .transform((value) => clamp(value, defaultPageSize, 1, maximumPageSize)),
});
export type Paging = z.output<typeof pagingSchema>;

/** Text people search for: longer ones are refused rather than matched slowly. */
export const keywordSchema = z.string().trim().max(64).default('');

function clamp(value: unknown, fallback: number, least: number, most: number): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || Number.isNaN(number) || number < least) return fallback;
  return Math.min(Math.trunc(number), most);
}
