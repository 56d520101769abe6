import { z } from 'zod';

export const signInSchema = z.object({
  /** A user name or an e-mail address. */
  username: z.string().trim().min(1).max(256),
  password: z.string().min(1).max(512),
});
export type SignIn = z.output<typeof signInSchema>;

export const idleSeconds = 7 * 24 * 3600;
export const absoluteSeconds = 30 * 24 * 3600;

/** One sign-in, as its user sees it. */
export interface Session {
  /** Names the session when it is to be ended; not the secret in the cookie. */
  id: string;
  created_at: number;
  seen_at: number;
  address: string;
  user_agent: string;
  /** The one that asks. */
  current: boolean;
}
