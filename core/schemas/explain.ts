import { z } from 'zod';
import { coded } from '../text/coded.ts';
import { maxGroupNameLength, maxModelNameLength } from './channel-field.ts';
import { healthSpanSchema } from './channel-health.ts';
import { conversationTurns } from './conversation-turn.ts';
import { explainedProtocols } from './explained-protocol.ts';
import { firstTokenLimitSchema } from './first-token.ts';
import { limitSchema } from './limit.ts';

const name = (max: number) => z.string().trim().min(1).max(max);
const rowId = z.number().int().positive();

export const explainSchema = z
  .object({
    /** May be left out where the body names it. */
    model: name(maxModelNameLength).optional(),
    protocol: z.enum(explainedProtocols).default('openai-chat'),
    stream: z.boolean().default(false),
    group: name(maxGroupNameLength).optional(),
    token_id: rowId.optional(),
    channel_id: rowId.optional(),
    /** Where the call comes from, for tokens that may not be used from everywhere. */
    address: z.union([z.ipv4(), z.ipv6()]).optional(),
    /** What the client sends: as text, to the last byte, or as an object. A short greeting when left out. */
    body: z
      .union([z.string().min(1), z.record(z.string(), z.unknown()).transform((object) => JSON.stringify(object))])
      .optional(),
  })
  .refine(({ group, token_id }) => group === undefined || token_id === undefined, {
    message: coded('input.groupOrToken'),
    path: ['group'],
  });
export type ExplainInput = z.output<typeof explainSchema>;

const reasonSchema = z.object({
  code: z.string(),
  message: z.string(),
  /** What to do about it, where there is one thing to do. */
  hint: z.string().optional(),
});

const explainedChannelSchema = z.object({
  id: z.number(),
  name: z.string(),
  type: z.number(),
  type_name: z.string(),
  status: z.number(),
  priority: z.number(),
  weight: z.number(),
  /** 1 for those of which one is tried first, 2 for those that follow when these fail; null = never. */
  turn: z.number().nullable(),
  /** How likely it is the first of its turn, from 0 to 1. */
  chance: z.number(),
  /** Why a conversation has it served here: null for a call without one, and for the channels behind the first. */
  conversation: z.enum(conversationTurns).nullable(),
  /** How long a stream may take on it until its first token; null without a limit, also for a call that is not streamed. */
  first_token: firstTokenLimitSchema.extend({ text: z.string() }).nullable(),
  /** How it served this model on all servers in the last hour; null when it did not. */
  health: healthSpanSchema.extend({ text: z.string() }).nullable(),
  /** What keeps it out, or behind others. */
  reasons: z.array(reasonSchema),
});

const explainedRequestSchema = z.object({
  channel_id: z.number(),
  channel_name: z.string(),
  method: z.string(),
  url: z.string(),
  /** Secrets are masked. */
  headers: z.record(z.string(), z.string()),
  /** Whose signature or token is added when it is sent; empty when the headers say all. */
  signed_by: z.string(),
  proxy: z.string(),
  upstream_model: z.string(),
  upstream_protocol: z.string(),
  /** Keys of the body that the channel sets itself. */
  overridden: z.array(z.string()),
  /** As the header x-tollgate-dropped names them. */
  dropped: z.array(z.object({ field: z.string(), kind: z.enum(['dropped', 'emulated']) })),
  /** Addresses that are read before the call goes out. */
  fetched: z.array(z.string()),
  /** Byte for byte what is sent. */
  body: z.string(),
  body_bytes: z.number(),
});

const explainedPriceSchema = z.object({
  kind: z.enum(['ratio', 'price']),
  /** Where the figures come from. */
  source: z.enum(['operator', 'builtin', 'list', 'selfUse']),
  model_ratio: z.number(),
  completion_ratio: z.number(),
  cache_ratio: z.number(),
  /** US dollars per call, -1 when priced by ratio. */
  model_price: z.number(),
  group_ratio: z.number(),
  quota_per_unit: z.number(),
  /** US dollars; null when a call has one price. */
  per_million: z.object({ prompt: z.number(), cached: z.number(), completion: z.number() }).nullable(),
  /** Estimated. */
  prompt_tokens: z.number(),
  /** What the call may cost at most as far as it says, or else the option PreConsumedQuota. */
  completion_tokens: z.number(),
  /** Quota held before the call goes out. */
  hold: z.number(),
});

const explainedLimitSchema = limitSchema
  .pick({ id: true, subject_kind: true, subject: true, measure: true, period: true, amount: true })
  .extend({
    used: z.number(),
    /** Reserved for calls under way; budgets only. */
    held: z.number(),
    remaining: z.number(),
    /** What this call would take. */
    needed: z.number(),
    /** Unix seconds at which a budget starts again; 0 for the others, which slide. */
    resets_at: z.number(),
    refuses: z.boolean(),
  });

export const explanationSchema = z.object({
  served: z.boolean(),
  model: z.string(),
  group: z.string(),
  protocol: z.string(),
  stream: z.boolean(),
  token: z.object({ id: z.number(), name: z.string(), user_id: z.number(), username: z.string() }).nullable(),
  /** Why the call would be refused; its client gets the first. */
  refusals: z.array(reasonSchema),
  pinned: z.boolean(),
  retries: z.number(),
  /** That apply to the call, in the order in which it meets them. */
  limits: z.array(explainedLimitSchema),
  /** Whether channels that rest after failures were to be seen: only the process that serves calls knows them. */
  sees_circuits: z.boolean(),
  channels: z.array(explainedChannelSchema),
  request: explainedRequestSchema.nullable(),
  price: explainedPriceSchema.nullable(),
});
export type ExplanationView = z.output<typeof explanationSchema>;
