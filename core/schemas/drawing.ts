import { z } from 'zod';
import { filterTextSchema, pageSizeText, timeTextSchema, wholeTextSchema, zeroPageText } from './query.ts';
import { chargeFields } from './task.ts';

export const drawingStatuses = [
  ...(['NOT_START', 'SUBMITTED', 'QUEUED', 'IN_PROGRESS', 'MODAL', 'SUCCESS', 'FAILURE', 'UNKNOWN'] as const),
];
export const drawingActions = [
  ...(['IMAGINE', 'UPSCALE', 'VARIATION', 'HIGH_VARIATION', 'LOW_VARIATION', 'PAN', 'DESCRIBE', 'BLEND'] as const),
  ...(['UPLOAD', 'SHORTEN', 'REROLL', 'INPAINT', 'ZOOM', 'CUSTOM_ZOOM', 'MODAL', 'SWAP_FACE'] as const),
];

/** A drawing as consoles know it. Times are unix milliseconds. */
export const drawingSchema = z.object({
  id: z.number(),
  code: z.number(),
  user_id: z.number(),
  /** Empty when the account is gone. */
  username: z.string(),
  action: z.string(),
  mj_id: z.string(),
  prompt: z.string(),
  prompt_en: z.string(),
  description: z.string(),
  state: z.string(),
  submit_time: z.number(),
  start_time: z.number(),
  finish_time: z.number(),
  image_url: z.string(),
  status: z.string(),
  /** `0%` to `100%`. */
  progress: z.string(),
  fail_reason: z.string(),
  /** 0 in a user's own list. */
  channel_id: z.number(),
  quota: z.number(),
  buttons: z.string(),
  properties: z.string(),
  ...chargeFields,
  /** It is under way, and its provider can stop it. */
  can_cancel: z.boolean(),
});
export type Drawing = z.output<typeof drawingSchema>;

/** Times are unix milliseconds here too; 0 = open. */
export const ownDrawingQuery = z.object({
  p: zeroPageText,
  page_size: pageSizeText,
  mj_id: filterTextSchema,
  action: filterTextSchema,
  status: filterTextSchema,
  start_timestamp: timeTextSchema,
  end_timestamp: timeTextSchema,
});

export const drawingQuery = ownDrawingQuery.extend({ channel_id: wholeTextSchema, username: filterTextSchema });
export type DrawingFilter = z.output<typeof ownDrawingQuery> & { channel_id?: number; username?: string };
