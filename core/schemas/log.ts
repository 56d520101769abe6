import { z } from 'zod';
import { clampedNumber, pageSchema, pagingSchema } from './paging.ts';
import { flagTextSchema, pageQuery, filterTextSchema as text } from './query.ts';

/** How a call ended that was not charged. `shed`: turned away under overload. `unavailable`: nothing here or upstream could serve it. */
const failedOutcomes = ['refused', 'limited', 'upstream', 'clientGone', 'unavailable', 'shed', 'error'] as const;
export type FailedOutcome = (typeof failedOutcomes)[number];

/** How a paid response ended that is not whole; the content of its row says which. */
export const cutOutcomes = ['broken', 'stopped', 'clientGone'] as const;

/** As a number or, in a query, as its text. 0, nothing and nonsense mean all. */
const whole = z
  .union([z.string(), z.number()])
  .optional()
  .transform((value) => clampedNumber(value, 0, 0, Number.MAX_SAFE_INTEGER));

const filters = {
  /** 0 stands for all but channel tests. */
  type: whole,
  username: text,
  /** Finds the rows of deleted accounts too. */
  user_id: whole,
  token_name: text,
  /** `%` stands for any text, as consoles know it; everything else is literal. */
  model_name: text,
  /** Unix seconds; milliseconds simply find nothing. */
  start_timestamp: whole,
  end_timestamp: whole,
  channel: whole,
  group: text,
  /** Of one call. */
  request_id: text,
  /** Only calls whose response broke off. */
  cut: z.union([z.boolean(), flagTextSchema]).optional().catch(undefined),
  /** Only rows of calls that took at least so many seconds. */
  min_seconds: whole,
  /** Only rows that cost at least so much quota. */
  min_quota: whole,
};

const cursors = {
  /** Only rows below this one: the next page without counting past the ones before it. */
  before_id: whole,
  /** Only rows with a larger id, oldest first: what came since. */
  after_id: z
    .union([z.string(), z.number()])
    .optional()
    .transform((value) => (value === undefined ? undefined : clampedNumber(value, 0, 0, Number.MAX_SAFE_INTEGER))),
};

export const logListSchema = pagingSchema.extend({ ...filters, ...cursors });
export type LogList = z.output<typeof logListSchema>;

export const logStatSchema = z.object(filters);
export type LogFilter = z.output<typeof logStatSchema>;

export const logQuery = pageQuery.extend({ ...filters, ...cursors });
/** What users may narrow their own list by. */
export const ownLogQuery = logQuery.omit({ username: true, user_id: true, channel: true });
export const ownLogStatQuery = logStatSchema.omit({ username: true, user_id: true, channel: true });
export const logSearchQuery = z.object({ keyword: text });
/** `sk-` and a pinned channel may stand around it. */
export const tokenLogQuery = z.object({ key: z.string().max(300).default('') });
/** What is not a time is 0, which the service refuses. */
export const logClearQuery = z.object({ target_timestamp: whole });

export const logClearSchema = z.object({
  /** Unix seconds: rows older than this are deleted. */
  target_timestamp: z.number().int(),
  dry_run: z.boolean().default(false),
});
export type LogClear = z.output<typeof logClearSchema>;

/** A log row as consoles know it. */
export const logSchema = z.object({
  id: z.number(),
  request_id: z.string().nullable(),
  user_id: z.number(),
  created_at: z.number(),
  type: z.number(),
  content: z.string(),
  username: z.string(),
  token_id: z.number(),
  token_name: z.string(),
  model_name: z.string(),
  quota: z.number(),
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  /** Whole seconds. */
  use_time: z.number(),
  is_stream: z.boolean(),
  channel: z.number(),
  /** Empty for users, and when the channel is gone. */
  channel_name: z.string(),
  group: z.string(),
  /** JSON text; `admin_info` is there for admins only. */
  other: z.string(),
});
export type Log = z.output<typeof logSchema>;

export const logPageSchema = pageSchema(logSchema).extend({
  /** The total is a lower bound: counting millions of rows would take longer than reading the page. */
  total_capped: z.boolean(),
});
export type LogPage = z.output<typeof logPageSchema>;

export const logStatResponseSchema = z.object({
  /** Sum over the consumption rows in the range. */
  quota: z.number(),
  /** Calls and tokens of the last minute, whatever the range. */
  rpm: z.number(),
  tpm: z.number(),
});
export type LogStat = z.output<typeof logStatResponseSchema>;
