import { z } from 'zod';
import { coded } from '../text/coded.ts';

const given = { message: coded('input.enterBoth'), params: { sentence: true }, abort: true };

export const signInSchema = z.object({
  /** A user name or an e-mail address. */
  username: z
    .string()
    .default('')
    .refine((name) => name.trim() !== '', given)
    .pipe(z.string().trim().max(256)),
  password: z
    .string()
    .default('')
    .refine((password) => password !== '', given)
    .pipe(z.string().max(512)),
});
export type SignIn = z.output<typeof signInSchema>;

export const idleSeconds = 7 * 24 * 3600;
export const absoluteSeconds = 30 * 24 * 3600;

/** One sign-in, as its user sees it. */
export const sessionSchema = z.object({
  /** Names the session when it is to be ended; not the secret in the cookie. */
  id: z.string(),
  created_at: z.number(),
  seen_at: z.number(),
  address: z.string(),
  user_agent: z.string(),
  /** The one that asks. */
  current: z.boolean(),
});
export type Session = z.output<typeof sessionSchema>;

/** Of the own account, once more. */
export const confirmSchema = z.object({ password: z.string().min(1).max(128) });

export const freshSessionSchema = z.object({
  /** It began, or its owner gave the password again, within the last ten minutes. */
  is_fresh: z.boolean(),
  /** Whether the account has a password that can be given again. */
  password_needed: z.boolean(),
});
export type FreshSession = z.output<typeof freshSessionSchema>;
