import { z } from 'zod';

const differenceSchema = z.object({
  subject: z.enum(['user', 'token', 'channel', 'hour', 'budget']),
  /** The row's id; for an hour `user/model/unix seconds`, for a budget `limit/subject/start of its window`. */
  id: z.string(),
  rule: z.enum(['balance', 'used', 'hourly', 'held']),
  /** In quota. */
  expected: z.number(),
  found: z.number(),
});

const ledgerProofSchema = z.object({
  /** Unix seconds of its end. */
  at: z.number(),
  took_ms: z.number(),
  /** Who asked for it; empty for the nightly one. */
  by: z.string(),
  ok: z.boolean(),
  checked: z.object({
    users: z.number(),
    tokens: z.number(),
    channels: z.number(),
    hours: z.number(),
    budgets: z.number().optional(),
  }),
  difference_count: z.number(),
  /** The first ones. */
  differences: z.array(differenceSchema),
  /** Settlements without a hold: booked in full in the last 30 days, and those that wait for a decision. */
  strays: z.object({ booked: z.number(), parked: z.number() }),
});
export type LedgerProof = z.output<typeof ledgerProofSchema>;

export const ledgerProofsSchema = z.object({
  running: z.boolean(),
  /** Checks of the run under way, or of the last one. */
  done: z.number(),
  total: z.number(),
  /** Newest first. */
  proofs: z.array(ledgerProofSchema),
});
export type LedgerProofs = z.output<typeof ledgerProofsSchema>;
