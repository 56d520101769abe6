import { z } from 'zod';
import { filterTextSchema, pageSizeText, timeTextSchema, wholeTextSchema, zeroPageText } from './query.ts';

export const taskStatuses = [
  ...(['NOT_START', 'SUBMITTED', 'QUEUED', 'IN_PROGRESS', 'SUCCESS', 'FAILURE', 'UNKNOWN'] as const),
];

/** What jobs of these platforms can be asked for. */
export const taskPlatforms = ['suno', 'video'] as const;
export const taskActions = ['MUSIC', 'LYRICS', 'VIDEO'] as const;

/** What a failed job gave back. */
export const chargeFields = {
  /** Of its charge in the log; null for an imported row. */
  request_id: z.string().nullable(),
  /** Quota that was given back, 0 = nothing. */
  refund: z.number(),
  /** Unix seconds, 0 = never. */
  refunded_at: z.number(),
};

/** Kinds of files that tasks make. */
export const fileKinds = ['picture', 'audio', 'video'] as const;

/** One file of what a task made, as an address names it; parts count from 0. */
export const taskFileSchema = z.object({ id: z.string(), part: z.string(), kind: z.string() });
export type TaskFileName = z.output<typeof taskFileSchema>;

/** One thing that a task made. Addresses are of this server and open with the session of the console; '' = absent. */
export const madeSchema = z.object({
  title: z.string(),
  text: z.string(),
  tags: z.string(),
  picture: z.string(),
  audio: z.string(),
  video: z.string(),
});
export type Made = z.output<typeof madeSchema>;

/** A task as consoles know it. Times are unix seconds. */
export const taskSchema = z.object({
  id: z.number(),
  created_at: z.number(),
  updated_at: z.number(),
  task_id: z.string(),
  platform: z.string(),
  user_id: z.number(),
  /** Empty when the account is gone. */
  username: z.string(),
  /** 0 in a user's own list. */
  channel_id: z.number(),
  quota: z.number(),
  action: z.string(),
  /** One of `taskStatuses`; empty while it is being submitted. */
  status: z.string(),
  fail_reason: z.string(),
  submit_time: z.number(),
  start_time: z.number(),
  finish_time: z.number(),
  progress: z.string(),
  properties: z.record(z.string(), z.unknown()),
  /** What the vendor last said, null before it said anything. */
  data: z.unknown().nullable(),
  model: z.string(),
  ...chargeFields,
  made: z.array(madeSchema),
  /** It is under way, and its provider can stop it. */
  can_cancel: z.boolean(),
});
export type Task = z.output<typeof taskSchema>;

/** What becomes of a job that its provider has stopped. */
export const canceledTaskSchema = z.object({
  id: z.number(),
  task_id: z.string(),
  status: z.string(),
  fail_reason: z.string(),
  /** Given back to its user and token. */
  refunded: z.number(),
});
export type CanceledTask = z.output<typeof canceledTaskSchema>;

/** A job by its row id, or by its provider's name for it. */
export const taskParams = z.object({ id: z.string().min(1).max(256) });

export const ownTaskQuery = z.object({
  p: zeroPageText,
  page_size: pageSizeText,
  platform: filterTextSchema,
  task_id: filterTextSchema,
  status: filterTextSchema,
  action: filterTextSchema,
  start_timestamp: timeTextSchema,
  end_timestamp: timeTextSchema,
});

export const taskQuery = ownTaskQuery.extend({ channel_id: wholeTextSchema, username: filterTextSchema });
export type TaskFilter = z.output<typeof ownTaskQuery> & { channel_id?: number; username?: string };
