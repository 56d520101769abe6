import { z } from 'zod';
import { isTimeZone } from '../lib/calendar-window.ts';
import { clampedNumber } from './paging.ts';
import { filterTextSchema, timeTextSchema } from './query.ts';

/** Consumption of one user and model in one hour; of all users together the user is 0 and has no name. */
export const usageDataSchema = z.object({
  /** 0 in sums over all users; else only a number to tell the rows of one response apart. */
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

const range = { start_timestamp: timeTextSchema, end_timestamp: timeTextSchema };
/** Minutes east of Greenwich, for where a day begins. */
const utcOffset = z
  .string()
  .optional()
  .transform((text) => clampedNumber(text, 0, -840, 840));

/** Where a day begins: by the calendar of a zone, or by an offset. */
export const readerClock = {
  utc_offset: utcOffset,
  /** `Europe/Berlin`: days as the clocks there have them, whatever `utc_offset` says. */
  time_zone: z.string().refine(isTimeZone).optional().catch(undefined),
};

/** Times are unix seconds; without any, the last 30 days are meant. */
export const userUsageQuery = z.object(range);
export const ownUsageDataQuery = userUsageQuery.extend({
  /** Sums of hours or of whole days; when left out, days from a range of more than 31 days on. */
  unit: z.enum(['hour', 'day']).optional().catch(undefined),
  ...readerClock,
});
export const usageDataQuery = ownUsageDataQuery.extend({ username: filterTextSchema });

export type UsageDataRange = z.output<typeof userUsageQuery>;
export type UsageDataSpan = UsageDataRange &
  Partial<Pick<z.output<typeof ownUsageDataQuery>, 'unit' | 'utc_offset' | 'time_zone'>>;
export type UsageDataFilter = UsageDataSpan & Pick<z.output<typeof usageDataQuery>, 'username'>;
