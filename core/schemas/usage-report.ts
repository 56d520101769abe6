import { z } from 'zod';
import { filterTextSchema } from './query.ts';

export const usageSubjects = ['model', 'user', 'channel', 'day'] as const;
export type UsageSubject = (typeof usageSubjects)[number];

export const usageReportSchema = z.object({
  by: z.enum(usageSubjects),
  /** '' = all users. */
  username: filterTextSchema,
  /** Unix seconds, both included. */
  start_timestamp: z.int().nonnegative(),
  end_timestamp: z.int().nonnegative(),
  /** Prompt and completion tokens apart, which takes reading every call of the range in the log. */
  split: z.boolean().default(false),
});
export type UsageReportInput = z.output<typeof usageReportSchema>;

/** What one model, user, channel or day used in the range. */
export interface UsageSum {
  /** The model, the user's name, the channel's name, or `yyyy-MM-dd`. */
  name: string;
  /** Of the user or channel; 0 for models and days. */
  id: number;
  calls: number;
  /** Prompt and completion together. */
  tokens: number;
  quota: number;
  /** Of the calls that are still in the log; null when they were not requested separately. */
  prompt_tokens: number | null;
  completion_tokens: number | null;
  /** Of the prompt tokens those that a vendor had cached. */
  cached_tokens: number | null;
  /** Quota units that these would have cost more as plain prompt tokens, less what writing the cache cost. May be negative. */
  saved_quota: number | null;
}
