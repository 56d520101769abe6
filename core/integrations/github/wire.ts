import { z } from 'zod';

export const tokenSchema = z.object({ access_token: z.string().min(1) });

export const userSchema = z.object({
  id: z.int().positive(),
  /** May be changed by its owner, and is then free for others. */
  login: z.string().min(1),
  name: z.string().nullish(),
});

export const emailListSchema = z.array(
  z.object({ email: z.string(), primary: z.boolean().default(false), verified: z.boolean().default(false) }),
);
