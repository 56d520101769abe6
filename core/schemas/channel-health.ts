import { z } from 'zod';
import { coded } from '../text/coded.ts';
import { durationText } from './duration.ts';
import { wholeTextSchema } from './query.ts';

export const channelHealthQuery = z.object({
  /** All channels where none is named. */
  channel_id: wholeTextSchema.optional(),
  model: z.string().max(255).default(''),
});
export type ChannelHealthQuery = z.output<typeof channelHealthQuery>;

export const healthSpanSchema = z.object({
  /** Attempts that say something of the channel: those that failed for the caller's own error do not. */
  requests: z.number(),
  failed: z.number(),
  /** The share of attempts that went well; null when there were none. */
  success: z.number().nullable(),
  /** Milliseconds until the first token of streams, right within a tenth; null where nothing was measured. */
  first_token_p50: z.number().nullable(),
  first_token_p95: z.number().nullable(),
  /** Tokens per second from the first token to the last; of p95, 95 of 100 streams were faster. */
  speed_p50: z.number().nullable(),
  speed_p95: z.number().nullable(),
});
export type HealthSpan = z.output<typeof healthSpanSchema>;

/** One model on one channel, over the last 5 minutes, hour and day. */
export const modelHealthSchema = z.object({
  channel_id: z.number(),
  channel_name: z.string(),
  model: z.string(),
  five_minutes: healthSpanSchema,
  hour: healthSpanSchema,
  day: healthSpanSchema,
  /** Why the latest attempt that failed within the day did, and when in unix seconds; '' and 0 when none did. */
  last_error: z.string(),
  last_error_at: z.number(),
});
export type ModelHealth = z.output<typeof modelHealthSchema>;

export const channelHealthListSchema = z.array(modelHealthSchema);

/** The last hour as a person reads it, in codes: `health.*` of the texts `detail`. */
export function healthText({ requests, success, first_token_p50: firstToken, speed_p50: tokens }: HealthSpan): string {
  return [
    coded('health.hour', { success: percent(success ?? 0), count: requests }),
    firstToken === null ? '' : coded('health.firstToken', { duration: durationText(firstToken) }),
    tokens === null ? '' : coded('health.speed', { tokens }),
  ].join('');
}

/** All only where all went well. */
const percent = (share: number) => `${share === 1 ? 100 : Math.min(99.9, Math.round(share * 1000) / 10)}%`;
