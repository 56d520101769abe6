import { z } from 'zod';

const endpoint = z.url({ protocol: /^https?$/ });

export const discoverySchema = z.object({
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  userinfo_endpoint: endpoint,
  code_challenge_methods_supported: z.array(z.string()).optional(),
});

export const tokenSchema = z.object({ access_token: z.string().min(1) });

export const userInfoSchema = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().min(1),
  /** Some providers write booleans as text; one that says nothing has not verified. */
  email_verified: z
    .union([z.boolean(), z.string()])
    .nullish()
    .transform((value) => value === true || value === 'true'),
  name: z.string().nullish(),
  preferred_username: z.string().nullish(),
});
