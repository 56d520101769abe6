import { z } from 'zod';
import { passwordSchema, usernameSchema } from './user.ts';

/** In the spelling of the consoles that have this page. */
export const setupSchema = z.object({
  username: usernameSchema,
  password: passwordSchema,
  confirmPassword: z.string(),
  SelfUseModeEnabled: z.boolean().default(false),
  DemoSiteEnabled: z.boolean().default(false),
});
export type Setup = z.output<typeof setupSchema>;

/** While `status` is true the other two say nothing. */
export const setupStateSchema = z.object({
  status: z.boolean(),
  root_init: z.boolean(),
  database_type: z.enum(['', 'sqlite', 'postgres']),
});
export type SetupState = z.output<typeof setupStateSchema>;

/** Which of the first steps have been done; what is removed or disabled later does not undo one. */
export const setupStepsSchema = z.object({
  password: z.boolean(),
  channel: z.boolean(),
  token: z.boolean(),
  call: z.boolean(),
});
export type SetupSteps = z.output<typeof setupStepsSchema>;
