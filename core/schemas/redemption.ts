import { z } from 'zod';
import { latestTime } from '../lib/clock.ts';
import { hasUnseen } from '../lib/confusable-name.ts';
import { coded } from '../text/coded.ts';
import { batchSchema } from './batch.ts';
import { loadedSchema } from './loaded.ts';
import { keywordSchema, pagingSchema } from './paging.ts';
import { numberTextSchema } from './query.ts';
import { requestKeySchema } from './request-key.ts';
import { sortSchema } from './sort.ts';

/** A code that was used never changes again. */
export const redemptionStatus = { unused: 1, disabled: 2, used: 3 } as const;

export const maxCodesPerBatch = 100;
const maxNameLength = 20;

const nameText = z
  .string()
  .trim()
  .refine((name) => [...name].length <= maxNameLength, {
    message: coded('input.maxCharacters', { limit: maxNameLength }),
  })
  .refine((name) => !hasUnseen(name), { message: coded('input.noUnseen') });

const nameSchema = nameText.min(1);

/** Quota units; `z.int()` ends at 2^53 - 1, the largest exact number. */
const quotaSchema = z.int().positive();

/** Unix seconds, 0 = never ends. */
const expirySchema = z.int().nonnegative().max(latestTime);

/** What a code is worth where nothing is said. */
export const defaultCodeQuota = 100_000;

export const redemptionCreateSchema = z.object({
  /** Empty: its worth becomes the name. */
  name: z.preprocess((name) => name ?? '', nameText),
  quota: quotaSchema.default(defaultCodeQuota),
  count: z.int().min(1).max(maxCodesPerBatch).default(1),
  expired_time: expirySchema.default(0),
  request_key: requestKeySchema,
});
export type RedemptionCreate = z.output<typeof redemptionCreateSchema>;

const id = z.int().positive();

/** What is left out stays as it is: another admin may have changed it since the form was opened. */
export const redemptionUpdateSchema = z.object({
  id,
  name: nameSchema.optional(),
  quota: quotaSchema.optional(),
  expired_time: expirySchema.optional(),
  loaded: loadedSchema,
});
export type RedemptionUpdate = z.output<typeof redemptionUpdateSchema>;

export const redemptionStatusSchema = z.object({
  id,
  status: z.literal([redemptionStatus.unused, redemptionStatus.disabled]),
});
export type RedemptionStatusChange = z.output<typeof redemptionStatusSchema>;

export const redemptionStatusBatchSchema = batchSchema.extend({ status: redemptionStatusSchema.shape.status });
export type RedemptionStatusBatch = z.output<typeof redemptionStatusBatchSchema>;

/** What either kind of change sends; the console says in the query which one it is. */
export const redemptionChangeSchema = z.object({
  id,
  name: z.string().optional(),
  quota: z.number().optional(),
  status: z.number().optional(),
  expired_time: z.number().optional(),
  loaded: loadedSchema,
});

/** A code that was not used in time keeps its status; in a list it counts as expired alone. */
export const redemptionListStatus = { ...redemptionStatus, expired: 4 } as const;

export const redemptionSortFields = [
  ...(['id', 'name', 'status', 'quota', 'created_time', 'redeemed_time', 'expired_time'] as const),
];

/** What a list of codes may be narrowed to, and its order; 0 = all. */
export const redemptionListFilters = {
  status: numberTextSchema
    .refine((status) => status <= redemptionListStatus.expired, {
      message: coded('input.range', { min: 0, max: 4 }),
    })
    .optional(),
  sort: sortSchema(redemptionSortFields),
};

export const redemptionListSchema = pagingSchema.extend({ keyword: keywordSchema, ...redemptionListFilters });
export type RedemptionList = z.output<typeof redemptionListSchema>;

export const redeemSchema = z.object({ key: z.string().trim().max(200) });

/** A code as consoles know it. */
export const redemptionSchema = z.object({
  id: z.number(),
  user_id: z.number(),
  /** The whole code: users who may create codes may see them. */
  key: z.string(),
  status: z.number(),
  name: z.string(),
  quota: z.number(),
  created_time: z.number(),
  redeemed_time: z.number(),
  expired_time: z.number(),
  /** Only ever asked for at creation. */
  count: z.literal(0),
  used_user_id: z.number(),
  /** RFC 3339, null while the code exists. */
  DeletedAt: z.string().nullable(),
  /** Only where the code cannot be decrypted, and is empty: why, and what to do. */
  key_problem: z.string().optional(),
});
export type Redemption = z.output<typeof redemptionSchema>;
