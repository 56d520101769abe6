import { z } from 'zod';
import { modelFactsFields } from './model-fact.ts';

export const priceRowSchema = z.object({
  model_name: z.string(),
  /** 1 = a fixed price per call, 0 = by tokens. */
  quota_type: z.number(),
  model_ratio: z.number(),
  /** US dollars per call, 0 when billed by tokens. */
  model_price: z.number(),
  owner_by: z.string(),
  /** Who made the model; '' where that is not known. */
  maker: z.string(),
  ...modelFactsFields,
  completion_ratio: z.number(),
  /** Against the price of the prompt: what came from a cache, what was written to one, and sound. 1 = no price of its own. */
  cache_ratio: z.number(),
  create_cache_ratio: z.number(),
  audio_ratio: z.number(),
  /** Against the price of sound in the prompt. */
  audio_completion_ratio: z.number(),
  /** Of what is kept in a cache for an hour. */
  create_cache_hour_ratio: z.number(),
  /** Of pictures: read, against the price of the prompt, and drawn, against the price of a picture in the prompt. */
  image_ratio: z.number(),
  image_completion_ratio: z.number(),
  /** Factors on the price of a call whose prompt has more than `above` tokens; null where it costs the same. */
  long_prompt: z
    .object({ above: z.number(), prompt: z.number(), cached: z.number(), completion: z.number() })
    .nullable(),
  /** Factors on the price of tokens, by service tier; only of those that a request can ask for. */
  tier_ratios: z.record(z.string(), z.number()),
  enable_groups: z.array(z.string()),
  /** Where the figures come from; `none`: there is no price, and calls are refused until one is set. */
  price_source: z.enum(['operator', 'builtin', 'list', 'selfUse', 'none']),
});
export type PriceRow = z.output<typeof priceRowSchema>;

export const priceListSchema = z.object({
  success: z.literal(true),
  data: z.array(priceRowSchema),
  group_ratio: z.record(z.string(), z.number()),
  /** Group to its description. */
  usable_group: z.record(z.string(), z.string()),
});
export type PriceList = Omit<z.output<typeof priceListSchema>, 'success'>;
