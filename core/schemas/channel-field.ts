import { z } from 'zod';
import { coded } from '../text/coded.ts';

/** One line of text; null is what forms send for nothing. */
export const lineText = (most: number) =>
  z.preprocess(
    (value) => value ?? '',
    z
      .string()
      .trim()
      .max(most)
      .refine((value) => !/\p{Cc}/u.test(value), { message: coded('input.noControl') }),
  );

/** A comma list; blanks and repeats are dropped. */
export const nameList = (most: number) =>
  lineText(65_536)
    .transform((list) => [...new Set(list.split(',').map((name) => name.trim()))].filter(Boolean))
    .refine((list) => list.every((name) => name.length <= most), {
      message: coded('input.mostInName', { limit: most }),
    })
    .transform((list) => list.join(','));

export const longestModelName = 255;
export const longestGroupName = 64;
export const longestTag = 64;

export const leastPriority = -999;
export const mostPriority = 1_000_000_000;
export const mostWeight = 1_000_000;
