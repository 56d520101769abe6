import { z } from 'zod';
import type { OptionKey } from './option.ts';

/** The options that a rehearsal may replace; a dollar is not among them, because sums of two units cannot be compared. */
export const rehearsedOptionKeys = [
  'ModelRatio',
  'ModelPrice',
  'CompletionRatio',
  'CacheRatio',
  'CreateCacheRatio',
  'CreateCacheHourRatio',
  'LongPromptRatio',
  'ToolPrice',
  'ServiceTierRatio',
  'GroupRatio',
  'SelfUseModeEnabled',
] as const satisfies OptionKey[];

const maxRehearsalDays = 366;

export const priceRehearsalSchema = z.object({
  /** Options by name, as text or as JSON. One that is left out keeps its value of today; one that is no price is ignored. */
  options: z.record(z.string(), z.unknown()),
  /** The last so many days, up to now. */
  days: z.coerce.number().int().min(1).max(maxRehearsalDays).default(30),
});
export type PriceRehearsal = z.output<typeof priceRehearsalSchema>;

/** In quota: what was charged, and what the proposed prices would have charged for the same requests. */
const sums = { calls: z.number(), old_quota: z.number(), new_quota: z.number() };

/**
 * Why a request has no new price: its log row does not say how it was charged; the proposed prices have none for its model; its
 * group is gone; it was charged per call without a count of tokens, or by tokens without a count of pictures or searches; a dollar
 * was another number of units; the new price is out of range.
 */
const rehearsalGaps = ['noBill', 'unpriced', 'noGroup', 'noTokens', 'noUnits', 'otherUnit', 'overflow'] as const;
export type RehearsalGap = (typeof rehearsalGaps)[number];

export const rehearsalReportSchema = z.object({
  /** Unix seconds, both included. */
  start: z.number(),
  end: z.number(),
  total: z.object(sums),
  /** Those whose sum changes the most first, at most 500. */
  models: z.array(z.object({ model: z.string(), ...sums })),
  users: z.array(z.object({ user_id: z.number(), username: z.string(), ...sums })),
  model_count: z.number(),
  user_count: z.number(),
  /** Requests that are in no sum above, by reason and model; those that were charged the most first. */
  skipped: z.array(
    z.object({ reason: z.enum(rehearsalGaps), model: z.string(), calls: z.number(), quota: z.number() }),
  ),
  skipped_calls: z.number(),
  /** Jobs that failed and were paid back: they cost nothing under any price. */
  refunded_calls: z.number(),
  /** Of the proposal, because they price no request. */
  ignored_options: z.array(z.string()),
});
export type RehearsalReport = z.output<typeof rehearsalReportSchema>;
