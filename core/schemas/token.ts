import { z } from 'zod';
import { latestTime } from '../lib/clock.ts';
import { hasUnseen } from '../lib/confusable-name.ts';
import { parseIpList } from '../lib/ip-list.ts';
import { typedNames } from '../lib/typed-list.ts';
import { coded } from '../text/coded.ts';
import { batchSchema } from './batch.ts';
import { loadedSchema } from './loaded.ts';
import { keywordSchema, pagingSchema } from './paging.ts';
import { requestKeySchema } from './request-key.ts';
import { sortSchema } from './sort.ts';
import { neverExpires, tokenStatus } from './token-status.ts';

export { neverExpires, tokenStatus };

const maxAddresses = 1000;

const nullToEmpty = (value: unknown) => value ?? '';

const maxNameBytes = 30;
const hasBytes = (limit: number) => (name: string) => new TextEncoder().encode(name).length <= limit;

const nameSchema = z
  .string()
  .trim()
  .min(1)
  .refine(hasBytes(maxNameBytes), { message: coded('input.maxBytes', { limit: maxNameBytes }) })
  .refine((name) => !hasUnseen(name), { message: coded('input.noUnseen') });

/** Each further token created at once has a dash and so many characters after the name. */
export const nameTailLength = 6;
const maxCommonBytes = maxNameBytes - nameTailLength - 1;

/** The name of several tokens: with a longer one the first would be created, and the others refused. */
export const commonNameSchema = nameSchema.refine(hasBytes(maxCommonBytes), {
  message: coded('input.commonName', { limit: maxCommonBytes }),
});

const expirySchema = z
  .number()
  .int()
  .refine((time) => time === neverExpires || (time > 0 && time <= latestTime), {
    message: coded('input.expiry'),
  });

/** A comma list; blanks and repeats are dropped. */
const modelListSchema = z.preprocess(
  nullToEmpty,
  z
    .string()
    .max(16_384)
    .transform((text) => typedNames(text).join(',')),
);

const addressListSchema = z.preprocess(
  nullToEmpty,
  z
    .string()
    .max(65_536)
    .transform((text, context) => {
      const { entries, invalid } = parseIpList(text);
      if (invalid[0] !== undefined) context.addIssue(coded('input.noAddress', { value: invalid[0].slice(0, 50) }));
      if (entries.length > maxAddresses) context.addIssue(coded('input.maxAddresses', { limit: maxAddresses }));
      return entries.join('\n');
    }),
);

const groupSchema = z.preprocess(nullToEmpty, z.string().trim().max(64));

/** What a new token may spend, in forms and wherever nothing is said. */
export const defaultTokenQuota = 500_000;

export const tokenCreateSchema = z.object({
  name: nameSchema,
  expired_time: expirySchema.default(neverExpires),
  /** `defaultTokenQuota` when left out; nothing for an unlimited one. */
  remain_quota: z.number().int().nonnegative().optional(),
  unlimited_quota: z.boolean().default(false),
  model_limits_enabled: z.boolean().default(false),
  model_limits: modelListSchema.default(''),
  allow_ips: addressListSchema.default(''),
  /** '' = the group of the user. */
  group: groupSchema.default(''),
  request_key: requestKeySchema,
});
export type TokenCreate = z.output<typeof tokenCreateSchema>;

export const tokenUpdateSchema = z.object({
  id: z.number().int().positive(),
  name: nameSchema.optional(),
  expired_time: expirySchema.optional(),
  /** An unlimited token counts down below 0, and consoles send that figure back. */
  remain_quota: z.number().int().optional(),
  /** What the form showed when it was opened: only the difference is booked. */
  remain_quota_loaded: z.number().int().optional(),
  /** With `remain_quota_loaded`: the form that was saved again after a lost response is booked once. */
  quota_key: z.uuid().optional(),
  unlimited_quota: z.boolean().optional(),
  model_limits_enabled: z.boolean().optional(),
  model_limits: modelListSchema.optional(),
  allow_ips: addressListSchema.optional(),
  group: groupSchema.optional(),
  /** Of the other fields. */
  loaded: loadedSchema,
});
export type TokenUpdate = z.output<typeof tokenUpdateSchema>;

export const tokenStatusSchema = z.object({
  id: z.number().int().positive(),
  /** Expired and exhausted follow from time and quota; they are never set. */
  status: z.literal([tokenStatus.enabled, tokenStatus.disabled]),
});
export type TokenStatusChange = z.output<typeof tokenStatusSchema>;

export const tokenStatusBatchSchema = batchSchema.extend({ status: tokenStatusSchema.shape.status });
export type TokenStatusBatch = z.output<typeof tokenStatusBatchSchema>;

export const tokenSortFields = [
  ...(['id', 'name', 'status', 'group', 'created_time', 'accessed_time', 'expired_time'] as const),
  ...(['remain_quota', 'used_quota'] as const),
];

export const tokenListSchema = pagingSchema.extend({
  keyword: keywordSchema,
  /** A whole key or a part of one, with or without `sk-`. */
  token: z.string().trim().max(256).default(''),
  sort: sortSchema(tokenSortFields),
});
export type TokenList = z.output<typeof tokenListSchema>;

/** A token as consoles know it. `key` is without `sk-`; masked unless the owner reads it. */
export const tokenSchema = z.object({
  id: z.number(),
  user_id: z.number(),
  key: z.string(),
  status: z.number(),
  name: z.string(),
  created_time: z.number(),
  accessed_time: z.number(),
  expired_time: z.number(),
  remain_quota: z.number(),
  unlimited_quota: z.boolean(),
  model_limits_enabled: z.boolean(),
  model_limits: z.string(),
  allow_ips: z.string(),
  used_quota: z.number(),
  group: z.string(),
  DeletedAt: z.string().nullable(),
  /** Only where the key cannot be decrypted, and is empty: why, and what to do. */
  key_problem: z.string().optional(),
});
export type Token = z.output<typeof tokenSchema>;

/** What a key shows of itself (console reference, 15). */
export const tokenUsageSchema = z.object({
  object: z.literal('token_usage'),
  name: z.string(),
  /** Quota units. */
  total_granted: z.number(),
  total_used: z.number(),
  total_available: z.number(),
  unlimited_quota: z.boolean(),
  /** Name to true. */
  model_limits: z.record(z.string(), z.literal(true)),
  model_limits_enabled: z.boolean(),
  /** Unix seconds, 0 = never. */
  expires_at: z.number(),
});
export type TokenUsage = z.output<typeof tokenUsageSchema>;
