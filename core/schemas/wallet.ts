import { z } from 'zod';
import { keywordSchema, pagingSchema } from './paging.ts';
import { numberTextSchema } from './query.ts';
import { requestKeySchema } from './request-key.ts';

/** The pay methods of the console and what the payment service calls them. */
export const payMethods = { zfb: 'alipay', wx: 'wxpay' } as const;

const amount = z.int().positive();

export const amountSchema = z.object({
  /** Currency units while amounts are shown as currency, else quota units. */
  amount,
});

export const paySchema = amountSchema.extend({
  payment_method: z.enum(['zfb', 'wx']),
  request_key: requestKeySchema,
});
export type PayOrder = z.output<typeof paySchema>;

export const rewardTransferSchema = z.object({
  /** Quota units. */
  quota: z.int().positive(),
  request_key: requestKeySchema,
});
export type RewardTransfer = z.output<typeof rewardTransferSchema>;

/** The two calls know no `success`: consoles look at the word in `message`. */
const refusalResponse = z.object({ message: z.literal('error'), data: z.string() });

export const amountResponseSchema = z.union([
  z.object({
    message: z.literal('success'),
    /** Money with two decimals, as text. */
    data: z.string(),
  }),
  refusalResponse,
]);

export const payResponseSchema = z.union([
  z.object({
    message: z.literal('success'),
    /** The fields of the form, signed. */
    data: z.record(z.string(), z.string()),
    /** Where the browser posts them to. */
    url: z.string(),
  }),
  refusalResponse,
]);

/** What a console needs to know before it offers a top-up (console reference, 15). */
export const topUpInfoSchema = z.object({
  enable_online_topup: z.boolean(),
  pay_methods: z.array(z.object({ name: z.string(), type: z.enum(['zfb', 'wx']) })),
  /** In the unit amounts are typed in. */
  min_topup: z.number(),
  /** Where codes are sold, '' for nowhere. */
  topup_link: z.string(),
  /** Amounts offered at once, and rebates: none here. */
  amount_options: z.array(z.number()),
  discount: z.record(z.string(), z.number()),
  enable_stripe_topup: z.literal(false),
});
export type TopUpInfo = z.output<typeof topUpInfoSchema>;

/** One order at the payment service. */
export const topUpSchema = z.object({
  id: z.number(),
  user_id: z.number(),
  amount: z.number(),
  money: z.number(),
  trade_no: z.string(),
  payment_method: z.string(),
  create_time: z.number(),
  complete_time: z.number(),
  status: z.string(),
  /** What it adds to the balance. */
  quota: z.number(),
});
export type TopUp = z.output<typeof topUpSchema>;

export const topUpListSchema = pagingSchema.extend({ keyword: keywordSchema });
export type TopUpList = z.output<typeof topUpListSchema>;

/** Of every user, or of one; 0 = all. */
export const topUpListAllSchema = topUpListSchema.extend({ user_id: numberTextSchema.optional() });
export type TopUpListAll = z.output<typeof topUpListAllSchema>;

/** An order that was paid without a report of the payment service. */
export const topUpCompleteSchema = z.object({
  trade_no: z.string().trim().min(1).max(200),
  /** Why it counts as paid; for the audit log. */
  reason: z.string().trim().min(1).max(200),
});
export type TopUpComplete = z.output<typeof topUpCompleteSchema>;
