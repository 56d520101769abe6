import { z } from 'zod';
import { coded } from '../text/coded.ts';
import { maxModelNameLength } from './channel-field.ts';
import { clampedNumber, defaultPageSize, maxPageSize } from './paging.ts';

/** A row's id as it is in a path or a query. */
export const idTextSchema = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, coded('input.positiveWhole'))
  .transform(Number);

export const idParams = z.object({ id: idTextSchema });

/** `true` and `1` mean yes, everything else no: consoles send the text of a boolean. */
export const flagTextSchema = z
  .string()
  .optional()
  .transform((text) => text === 'true' || text === '1');

const wholeText = () =>
  z
    .string()
    .optional()
    .transform((text) => clampedNumber(text, 0, 0, Number.MAX_SAFE_INTEGER));

/** Unix seconds, or milliseconds for drawings; absent, empty and 0 mean no bound. */
export const timeTextSchema = wholeText();

/** A whole number that narrows a list, such as an id; absent, empty, 0 and nonsense mean all. */
export const wholeTextSchema = wholeText();

/** A whole number, as itself or as the text of it. */
export const numberTextSchema = z.union([
  z.int().nonnegative(),
  z
    .string()
    .regex(/^\d{0,9}$/, coded('input.whole'))
    .transform(Number),
]);

/** What a list is narrowed to, such as the longest name there can be, a model's; empty means all. */
export const filterTextSchema = z.string().trim().max(maxModelNameLength).default('');

export const pageSizeText = z
  .string()
  .optional()
  .transform((text) => clampedNumber(text, defaultPageSize, 1, maxPageSize));

/** Paging of a list that counts pages from 1 (console reference, section 3). */
export const pageQuery = z.object({
  p: z
    .string()
    .optional()
    .transform((text) => clampedNumber(text, 1, 1, 1_000_000_000)),
  page_size: pageSizeText,
});

/** The page of a list that counts from 0; the output counts from 1, as every service does. */
export const zeroPageText = z
  .string()
  .optional()
  .transform((text) => clampedNumber(text, 0, 0, 999_999_999) + 1);

/** Paging of a list that counts pages from 0. */
export const zeroPageQuery = z.object({ p: zeroPageText, page_size: pageSizeText });
