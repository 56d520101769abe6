import { z } from 'zod';
import { pagingSchema } from './paging.ts';
import { filterTextSchema, pageQuery, timeTextSchema } from './query.ts';

/** A piece of a sentence: words, or the name of an object that has a page. */
const auditPartSchema = z.object({
  text: z.string(),
  kind: z.enum(['user', 'channel', 'token', 'model', 'option']).optional(),
  id: z.string().optional(),
});
export type AuditPart = z.output<typeof auditPartSchema>;

/** Who did what to which object; nothing removes such a row. */
export const auditSchema = z.object({
  id: z.number(),
  /** Unix seconds. */
  created_at: z.number(),
  /** 0 for the command line and for jobs. */
  actor_id: z.number(),
  actor_name: z.string(),
  address: z.string(),
  /** `noun.verb`, such as `channel.update`. */
  action: z.string(),
  object_kind: z.string(),
  object_id: z.string(),
  /** The name of the user, channel or token today; empty for others, and when it is gone. */
  object_name: z.string(),
  /** The row in words, in the language of the reader. */
  sentence: z.array(auditPartSchema),
  /** What changed, secrets masked; null when there is nothing to say. */
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
});
export type Audit = z.output<typeof auditSchema>;

/** What a rehearsed call would have written to the audit log; without the id of what would be new. */
export type Change = Pick<Audit, 'action' | 'object_id' | 'before' | 'after'>;

const filters = {
  /** A whole `noun.verb`. */
  action: filterTextSchema,
  object_kind: filterTextSchema,
  object_id: filterTextSchema,
  /** The id or the name of the user who did it. */
  actor: filterTextSchema,
  start_timestamp: timeTextSchema,
  end_timestamp: timeTextSchema,
};

export const auditQuery = pageQuery.extend(filters);
export const auditListSchema = pagingSchema.extend(filters);
export type AuditList = z.output<typeof auditListSchema>;
