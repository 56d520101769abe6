import { z } from 'zod';
import { filterTextSchema, timeTextSchema } from './query.ts';

/** Consumption of one user and model in one hour; of all users together the user is 0 and has no name. */
export const usageDataSchema = z.object({
  /** 0 in sums over all users; else only a number to tell the rows of one answer apart. */
  id: z.number(),
  user_id: z.number(),
  username: z.string(),
  model_name: z.string(),
  /** Unix seconds of the full hour. */
  created_at: z.number(),
  token_used: z.number(),
  count: z.number(),
  quota: z.number(),
});
export type UsageData = z.output<typeof usageDataSchema>;

/** Consumption of one user in a range. */
export const userUsageSchema = usageDataSchema.pick({
  user_id: true,
  username: true,
  token_used: true,
  count: true,
  quota: true,
});
export type UserUsage = z.output<typeof userUsageSchema>;

/** Times are unix seconds; without any, the last 30 days are meant. */
export const ownUsageDataQuery = z.object({ start_timestamp: timeTextSchema, end_timestamp: timeTextSchema });
export const usageDataQuery = ownUsageDataQuery.extend({ username: filterTextSchema });

export type UsageDataRange = z.output<typeof ownUsageDataQuery>;
export type UsageDataFilter = z.output<typeof usageDataQuery>;
