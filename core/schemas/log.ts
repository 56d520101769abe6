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
export interface Log {
  id: number;
  request_id: string | null;
  user_id: number;
  created_at: number;
  type: number;
  content: string;
  username: string;
  token_id: number;
  token_name: string;
  model_name: string;
  quota: number;
  prompt_tokens: number;
  completion_tokens: number;
  /** Whole seconds. */
  use_time: number;
  is_stream: boolean;
  channel: number;
  group: string;
  /** JSON text; `admin_info` is there for admins only. */
  other: string;
}

export interface LogStat {
  /** Sum over the consumption rows in the range. */
  quota: number;
  /** Calls and tokens of the last minute, whatever the range. */
  rpm: number;
  tpm: number;
}
