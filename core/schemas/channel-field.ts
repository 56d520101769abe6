import { z } from 'zod';
import { typedNames } from '../lib/typed-list.ts';
import { coded } from '../text/coded.ts';

/** One line of text; null is what forms send for nothing. */
export const lineText = (max: number) =>
  z.preprocess(
    (value) => value ?? '',
    z
      .string()
      .trim()
      .max(max)
      .refine((value) => !/\p{Cc}/u.test(value), { message: coded('input.noControl') }),
  );

/** A comma list; blanks and repeats are dropped. */
export const nameList = (max: number) =>
  lineText(65_536)
    .transform((list) => typedNames(list))
    .refine((list) => list.every((name) => name.length <= max), {
      message: coded('input.maxInName', { limit: max }),
    })
    .transform((list) => list.join(','));

export const maxModelNameLength = 255;
export const maxGroupNameLength = 64;
export const maxTagLength = 64;
