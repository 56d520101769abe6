import { z } from 'zod';
import { coded } from '../text/coded.ts';
import { maxModelNameLength } from './channel-field.ts';
import { modelFactsFields } from './model-fact.ts';
import { largestRatio } from './option/json.ts';

const form = coded('input.figure');
const range = coded('input.range', { min: 0, max: largestRatio });

/** A ratio or a price. */
export const figure = z.preprocess(
  // A text is a number as people write it, with or without the sign of the dollar.
  (value) =>
    typeof value === 'string' && /^\$?\d+(\.\d+)?$/.test(value.trim()) ? Number(value.replace('$', '')) : value,
  z.number({ error: form }).min(0, { error: form }).max(largestRatio, { error: range }).optional(),
);

/** Ratios, or US dollars per million tokens, or US dollars per call. Absent = unchanged. */
export const priceSetSchema = z.object({
  model: z.string().trim().min(1).max(maxModelNameLength),
  ratio: figure,
  completion_ratio: figure,
  cache_ratio: figure,
  create_cache_ratio: figure,
  input: figure,
  output: figure,
  cached: figure,
  cache_write: figure,
  price: figure,
});
export type PriceSet = z.output<typeof priceSetSchema>;

export const modelPriceSchema = z.object({
  model: z.string(),
  /** Where the figures come from; `none`: calls are refused until a price is set. */
  source: z.enum(['operator', 'builtin', 'list', 'selfUse', 'none']),
  ratio: z.number().nullable(),
  completion_ratio: z.number().nullable(),
  cache_ratio: z.number().nullable(),
  create_cache_ratio: z.number().nullable(),
  /** US dollars per million tokens; null for a price per call. */
  input: z.number().nullable(),
  output: z.number().nullable(),
  cached: z.number().nullable(),
  /** US dollars per call; null for a price by tokens. */
  price: z.number().nullable(),
  /** Groups in which an enabled channel serves it. */
  groups: z.array(z.string()),
  ...modelFactsFields,
});
export type ModelPrice = z.output<typeof modelPriceSchema>;
