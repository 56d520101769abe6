import { z } from 'zod';
import { secondStepNeededSchema } from './two-factor.ts';
import { userSchema } from './user.ts';

/** Providers with an authorization page. */
export const oauthProviders = ['github', 'linuxdo', 'oidc'] as const;
export type OauthProvider = (typeof oauthProviders)[number];

/** Seconds from the start of a sign-in to its end. */
export const stateSeconds = 600;

/** An impossible code is ignored: a mistyped link must not keep a user from signing in. */
const invitationSchema = z
  .string()
  .default('')
  .transform((text) => (/^[0-9A-Za-z]{1,32}$/.test(text) ? text : ''));

export const stateQuery = z.object({
  aff: invitationSchema,
  /** Consoles that say it get a state that is good for this provider only. */
  provider: z.enum(oauthProviders).optional(),
});

export const authorizationQuery = z.object({ aff: invitationSchema, provider: z.enum(oauthProviders) });

const text = z.string().default('');

export const callbackQuery = z.object({
  code: text,
  state: text,
  /** In place of a code: the provider or the person said no. */
  error: text,
  error_description: text,
});
export type OauthCallback = z.output<typeof callbackQuery>;

export const weChatQuery = z.object({ code: z.string().trim().max(64).default('') });

const field = z.string().max(1024).optional();
export const telegramQuery = z.object({
  id: field,
  first_name: field,
  last_name: field,
  username: field,
  photo_url: field,
  auth_date: field,
  lang: field,
  hash: field,
});

/** Consoles compare the message: `bind` when a signed-in user has linked another sign-in method. */
export const callbackResponseSchema = z.union([
  z.object({ success: z.literal(true), message: z.literal('bind') }),
  z.object({ success: z.literal(true), message: z.literal(''), data: z.union([userSchema, secondStepNeededSchema]) }),
]);
