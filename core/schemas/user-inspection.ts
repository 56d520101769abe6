import { z } from 'zod';
import { pageQuery } from './query.ts';
import { sortSchema } from './sort.ts';
import { tokenSchema, tokenSortFields } from './token.ts';
import { userSchema } from './user.ts';

/** An account and how it is used, for those who look after it. */
export const userSummarySchema = z.object({
  user: userSchema,
  /** Quota units of the last seven days, and of the seven before them. */
  spent_in_week: z.number(),
  spent_in_previous_week: z.number(),
  /** Unix seconds of the last paid request; 0 if there was none. */
  last_used_time: z.number(),
  /** Tokens that were not deleted. */
  token_count: z.number(),
});
export type UserSummary = z.output<typeof userSummarySchema>;

const creditKinds = ['order', 'code', 'adjustment'] as const;

/** What changed a balance from outside: an order at the payment service, a redemption code, or an admin. */
export const userCreditEntrySchema = z.object({
  /** Of the order, the code or the audit entry: only of one kind is it the only one. */
  id: z.number(),
  kind: z.enum(creditKinds),
  /** Unix seconds. */
  time: z.number(),
  /** Quota units; below 0 where an admin took some away. */
  amount: z.number(),
  /** Of an order that is not paid, such as `pending`; `success` for everything that was booked. */
  state: z.string(),
  /** The order's number, the name of the code, or the admin's reason. */
  note: z.string(),
  /** The admin who did it, else ''. */
  by: z.string(),
});
export type UserCreditEntry = z.output<typeof userCreditEntrySchema>;

/** A token beside its owner; the key is whole for the owner and masked for admins. */
export const tokenWithOwnerSchema = tokenSchema.extend({ username: z.string() });
export type TokenWithOwner = z.output<typeof tokenWithOwnerSchema>;

/** An unknown order is ignored, as in every list. */
export const userTokenQuery = pageQuery.extend({ sort: sortSchema(tokenSortFields).catch(undefined) });
