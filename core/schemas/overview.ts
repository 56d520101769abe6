import { z } from 'zod';
import { coded } from '../text/coded.ts';
import { auditSchema } from './audit.ts';
import { logSchema } from './log.ts';
import { ownUsageDataQuery, usageDataSchema } from './usage-data.ts';

/** Times are unix seconds; without any, the last 24 hours and the 24 hours before them are compared. An end of 0 is now. */
export const overviewQuery = ownUsageDataQuery.extend({
  /** How fine the courses are; counts and sums of weeks come by day. */
  unit: z.enum(['hour', 'day', 'week']).optional().catch(undefined),
  previous_start: ownUsageDataQuery.shape.start_timestamp,
  previous_end: ownUsageDataQuery.shape.end_timestamp,
});
export type OverviewQuery = z.output<typeof overviewQuery>;

/** Unix seconds, both included. */
const spanSchema = z.object({ start: z.number(), end: z.number() });
export type OverviewSpan = z.output<typeof spanSchema>;

const totalsSchema = z.object({
  requests: z.number(),
  /** Quota units. */
  quota: z.number(),
  tokens: z.number(),
  /** Users with at least one paid request. */
  users: z.number(),
  /** Requests that failed; they are not among `requests`, which were paid. */
  failed: z.number(),
});
export type OverviewTotals = z.output<typeof totalsSchema>;

/** Milliseconds, of the latest 1000 paid requests; null when none tells. */
const latencySchema = z.object({
  p50: z.number().nullable(),
  p95: z.number().nullable(),
  /** Until the first token of a streamed response. */
  first_p50: z.number().nullable(),
  first_p95: z.number().nullable(),
});
export type OverviewLatency = z.output<typeof latencySchema>;

/** How the requests of an hour or a day ended; those that were paid are `ok` or `cut`. */
const outcomesSchema = z.object({
  /** Unix seconds of the first moment. */
  created_at: z.number(),
  ok: z.number(),
  /** The response broke off. */
  cut: z.number(),
  /** Turned away here: not allowed, over a limit, or too many at once. */
  refused: z.number(),
  /** No channel could serve them, or the client left before anything came. */
  failed: z.number(),
});
export type OverviewOutcomes = z.output<typeof outcomesSchema>;

/** How fast the latest paid requests of an hour, a day or a week were. */
const latencyPointSchema = latencySchema.extend({ created_at: z.number() });
export type LatencyPoint = z.output<typeof latencyPointSchema>;

/** A figure of this span beside that of the span before; null where it was not computed. */
const compared = { requests: z.number(), quota: z.number(), previous_quota: z.number().nullable() };

const topModelSchema = z.object({ name: z.string(), ...compared });
const topUserSchema = z.object({ id: z.number(), name: z.string(), ...compared });
const topTokenSchema = z.object({
  id: z.number(),
  name: z.string(),
  user_id: z.number(),
  username: z.string(),
  ...compared,
});
export type TopToken = z.output<typeof topTokenSchema>;

const channelState = ['working', 'slow', 'failing', 'off', 'unknown'] as const;

const channelHealthSchema = z.object({
  id: z.number(),
  name: z.string(),
  type: z.number(),
  status: z.number(),
  /** `working` was proven within the hour; `unknown` was not tried that recently. */
  state: z.enum(channelState),
  /** Why it fails or went off; '' when nothing is known against it. */
  reason: z.string(),
  /** Unix seconds since when it fails or is off by itself; 0 where that is not known. */
  since: z.number(),
  test_time: z.number(),
  /** Milliseconds of the last test; 0 if it failed or there was none. */
  response_time: z.number(),
  /** US dollars, of `balance_updated_time`. */
  balance: z.number(),
  balance_updated_time: z.number(),
  /** Of the last 24 hours. */
  requests: z.number(),
  quota: z.number(),
  /** Of the latest 1000 requests of the last 24 hours: attempts that it could not serve, also where another channel then did. */
  failed: z.number(),
  /** The share of attempts that it served, and the median of their milliseconds; null when there were none. */
  success: z.number().nullable(),
  p50: z.number().nullable(),
  /** Why the latest of those attempts failed, and when; '' and 0 when none did. */
  last_error: z.string(),
  last_error_at: z.number(),
  /** Paid requests in each of the last 24 hours, the current one last; empty where there were none. */
  hours: z.array(z.number()),
  /** Unix seconds of the last paid request within 24 hours; 0 if there was none. */
  last_used: z.number(),
});
export type ChannelCondition = z.output<typeof channelHealthSchema>;

/** Where there are thousands of channels, an overview shows those in trouble and those that serve the most, and counts the others. */
const channelsPart = {
  /** Failing ones first, then by what they served; at most 50. */
  channels: z.array(channelHealthSchema),
  /** How many channels there are in each state, those that are not listed included. */
  channel_states: z.record(z.enum(channelState), z.number()),
};
export type ChannelStates = z.output<typeof channelsPart.channel_states>;

/** What needs a person, the most urgent first. */
const attentionSchema = z.object({
  kind: z.enum([
    ...(['channelOff', 'channelFailing', 'unserved', 'channelSlow', 'channelFirstSlow'] as const),
    ...(['channelBalance', 'userBalance'] as const),
  ]),
  /** The id of the channel or user; 0 of a model, which has only its name. */
  id: z.number(),
  name: z.string(),
  reason: z.string(),
  /** Unix seconds, or 0. */
  since: z.number(),
  /** Days until the balance ends at the rate of late; null where it is no matter of a balance or nothing was spent. */
  days: z.number().nullable(),
  /** What is left: US dollars for a channel, quota units for a user. */
  left: z.number(),
  /** Of a model without a channel: the group that asked for it, and how often in the last 24 hours. */
  group: z.string(),
  count: z.number(),
  /** Milliseconds of the last hour and of the 24 hours before it, where a channel became slow; else null. */
  p95: z.number().nullable(),
  previous_p95: z.number().nullable(),
});
export type Attention = z.output<typeof attentionSchema>;

const paceSchema = z.object({
  /** Requests and tokens of the last minute. */
  rpm: z.number(),
  tpm: z.number(),
});

const common = {
  /** When the figures were computed; they are kept for a moment. */
  computed_at: z.number(),
  span: spanSchema,
  previous_span: spanSchema,
  current: totalsSchema,
  previous: totalsSchema,
  pace: paceSchema,
  /** Of the minute that is as far from the end of the span before as this one is from that of the span. */
  previous_pace: paceSchema,
  latency: latencySchema,
  previous_latency: latencySchema,
  /** The latest failed requests, newest first. */
  failures: z.array(logSchema),
  /** Sums per model, by hour or by day. */
  series: z.array(
    usageDataSchema.pick({ model_name: true, created_at: true, token_used: true, count: true, quota: true }),
  ),
  outcomes: z.array(outcomesSchema),
  latencies: z.array(latencyPointSchema),
  top_models: z.array(topModelSchema),
  /** Of the last 24 hours for operators, of the last 7 days for users. */
  top_tokens: z.array(topTokenSchema),
};

export const overviewSchema = z.object({
  ...common,
  top_users: z.array(topUserSchema),
  ...channelsPart,
  attention: z.array(attentionSchema),
  changes: z.array(auditSchema),
});
export type SystemOverview = z.output<typeof overviewSchema>;

export const ownOverviewSchema = z.object({
  ...common,
  /** Quota units left, and spent in the last 7 days. */
  balance: z.number(),
  spent_in_week: z.number(),
});
export type OwnOverview = z.output<typeof ownOverviewSchema>;

/** One channel, model, user or token. Lists that say nothing of such an object, or are not for the reader, are empty. */
export const objectOverviewSchema = z.object({
  ...common,
  name: z.string(),
  top_users: z.array(topUserSchema),
  /** The channel itself, or the channels of a model. */
  ...channelsPart,
});
export type ObjectOverview = z.output<typeof objectOverviewSchema>;

/** A model's name as it is; in a path its slashes are encoded. */
export const modelParams = z.object({ name: z.string().min(1).max(255) });

export const channelConditionsSchema = z.array(channelHealthSchema);

/** Of which channels; all where none are named. */
export const channelConditionsQuery = z.object({
  ids: z
    .string()
    .regex(/^[1-9]\d{0,14}(,[1-9]\d{0,14})*$/, coded('input.positiveWhole'))
    .transform((text) => text.split(',').map(Number))
    .optional(),
});
