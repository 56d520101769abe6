import { z } from 'zod';
import { pagingSchema } from './paging.ts';

export const logType = { topUp: 1, consume: 2, manage: 3, system: 4 } as const;

const text = z.string().trim().max(64).default('');
/** Unix seconds; 0 = open. Nonsense such as milliseconds simply finds nothing. */
const time = z.number().int().nonnegative().default(0);

const filters = {
  /** 0 = all. */
  type: z.number().int().min(0).max(5).default(0),
  username: text,
  token_name: text,
  /** `%` stands for any text, as consoles know it; everything else is literal. */
  model_name: text,
  start_timestamp: time,
  end_timestamp: time,
  /** 0 = all. */
  channel: z.number().int().nonnegative().default(0),
  group: text,
};

export const logListSchema = pagingSchema.extend({
  ...filters,
  /** Only rows with a smaller id: the next page without counting past the ones before it. */
  before_id: z.number().int().nonnegative().default(0),
  /** Only rows with a larger id, oldest first: what came since. */
  after_id: z.number().int().nonnegative().optional(),
});
export type LogList = z.output<typeof logListSchema>;

export const logStatSchema = z.object(filters);
export type LogFilter = z.output<typeof logStatSchema>;

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
  group: z.string(),
  /** JSON text; `admin_info` is there for admins only. */
  other: z.string(),
});
export type Log = z.output<typeof logSchema>;

export const logStatAnswerSchema = z.object({
  /** Sum over the consumption rows in the range. */
  quota: z.number(),
  /** Calls and tokens of the last minute, whatever the range. */
  rpm: z.number(),
  tpm: z.number(),
});
export type LogStat = z.output<typeof logStatAnswerSchema>;
