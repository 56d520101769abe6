import { z } from 'zod';

export const tokenSchema = z.object({ access_token: z.string().min(1) });

export const userSchema = z.object({
  id: z.int().positive(),
  username: z.string(),
  name: z.string().nullish(),
  active: z.boolean().default(true),
  silenced: z.boolean().default(false),
  trust_level: z.number().default(0),
});
