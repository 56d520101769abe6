import { z } from 'zod';
import { filterTextSchema } from './query.ts';
import { readerClock, userUsageQuery } from './usage-data.ts';

export const usageSubjects = ['model', 'user', 'channel', 'day'] as const;
export type UsageSubject = (typeof usageSubjects)[number];

export const usageReportSchema = z.object({
  by: z.enum(usageSubjects),
  /** '' = all users. */
  username: filterTextSchema,
  /** Unix seconds, both included. */
  start_timestamp: z.int().nonnegative(),
  end_timestamp: z.int().nonnegative(),
  /** Prompt, completion and cached tokens apart: from the hours that were added up, and from the log for the rest of the range. */
  split: z.boolean().default(false),
});
export type UsageReportInput = z.output<typeof usageReportSchema>;

/** Times are unix seconds; without any, the last 30 days are meant. Days are those of UTC unless the reader's clock is said. */
export const usageReportQuery = userUsageQuery.extend({
  by: z.enum(usageSubjects).default('model'),
  username: filterTextSchema,
  ...readerClock,
});
export type UsageReportQuery = z.output<typeof usageReportQuery>;

export const ownUsageReportQuery = userUsageQuery.extend({
  by: z.enum(['model', 'day']).default('model'),
  ...readerClock,
});
export type OwnUsageReportQuery = z.output<typeof ownUsageReportQuery>;

/** What one model, user, channel or day used in the range. */
export const usageSumSchema = z.object({
  /** The model, the user's name, the channel's name, or `yyyy-MM-dd`. */
  name: z.string(),
  /** Of the user or channel; 0 for models and days. */
  id: z.number(),
  calls: z.number(),
  /** Prompt and completion together. */
  tokens: z.number(),
  quota: z.number(),
  /** Of calls whose hour was added up before it left the log, or that are still there; null when not requested separately. */
  prompt_tokens: z.number().nullable(),
  completion_tokens: z.number().nullable(),
  /** Of the prompt tokens those that a vendor had cached. */
  cached_tokens: z.number().nullable(),
  /** Quota units that these would have cost more as plain prompt tokens, less what writing the cache cost. May be negative. */
  saved_quota: z.number().nullable(),
});
export type UsageSum = z.output<typeof usageSumSchema>;
