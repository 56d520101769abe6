import { z } from 'zod';

/** The pay methods of the console and what the payment service calls them. */
export const payMethods = { zfb: 'alipay', wx: 'wxpay' } as const;

const amount = z.int().positive();

export const amountSchema = z.object({
  /** Currency units while amounts are shown as currency, else quota units. */
  amount,
});

export const paySchema = amountSchema.extend({ payment_method: z.enum(['zfb', 'wx']) });
export type PayOrder = z.output<typeof paySchema>;

export const rewardTransferSchema = z.object({
  /** Quota units. */
  quota: z.int().positive(),
});

/** The two calls know no `success`: consoles look at the word in `message`. */
const refusalAnswer = z.object({ message: z.literal('error'), data: z.string() });

export const amountAnswerSchema = z.union([
  z.object({
    message: z.literal('success'),
    /** Money with two decimals, as text. */
    data: z.string(),
  }),
  refusalAnswer,
]);

export const payAnswerSchema = z.union([
  z.object({
    message: z.literal('success'),
    /** The fields of the form, signed. */
    data: z.record(z.string(), z.string()),
    /** Where the browser posts them to. */
    url: z.string(),
  }),
  refusalAnswer,
]);
