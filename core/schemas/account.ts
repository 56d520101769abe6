import { z } from 'zod';
import { coded } from '../text/coded.ts';
import { emailOrEmptySchema, emailSchema, writtenEmailSchema } from './email.ts';
import { displayNameSchema, newPasswordSchema, newUsernameSchema, passwordSchema } from './user.ts';

const nullToEmpty = (value: unknown) => value ?? '';

/** An unknown code is ignored: it must not keep a user from registering. */
const invitationCodeSchema = z
  .unknown()
  .optional()
  .transform((code) => (typeof code === 'string' && code.length <= 32 ? code.trim() : ''));

export const registerSchema = z
  .object({
    username: newUsernameSchema,
    password: newPasswordSchema,
    /** The same once more, where the form asks for it. */
    password2: z.string().max(512).optional(),
    /** Both only while EmailVerificationEnabled is on. */
    email: z.preprocess(nullToEmpty, emailOrEmptySchema),
    verification_code: z.preprocess(nullToEmpty, z.string().trim().max(32)),
    aff_code: invitationCodeSchema,
  })
  .refine(({ password, password2 }) => password2 === undefined || password2 === password, {
    path: ['password2'],
    message: coded('input.passwordsDiffer'),
    params: { sentence: true },
  });
export type Register = z.output<typeof registerSchema>;

export const resetSchema = z.object({ email: writtenEmailSchema, token: z.string().trim().max(64) });
export type Reset = z.output<typeof resetSchema>;

const emptyToUndefined = (value: unknown) => (value === '' || value === null ? undefined : value);

/** What people change about their own account; whatever is empty stays as it is. */
export const selfUpdateSchema = z.object({
  /** Accounts of outside sign-ins have longer names, which consoles send back. */
  username: z.preprocess(emptyToUndefined, z.string().trim().max(64).optional()),
  display_name: z.preprocess(emptyToUndefined, displayNameSchema.optional()),
  password: z.preprocess(emptyToUndefined, passwordSchema.optional()),
  /** The current one, needed beside a new one. */
  original_password: z.preprocess(emptyToUndefined, z.string().max(512).optional()),
});
export type SelfUpdate = z.output<typeof selfUpdateSchema>;

/** Where the own password is asked for once more. */
export const ownPasswordSchema = z.object({ password: z.preprocess(nullToEmpty, z.string().max(512)) });

const mailedCodeSchema = z.object({ email: emailSchema, code: z.string().trim().max(32) });
/** Without a password, which has no place in an address. */
export const emailBindQuery = mailedCodeSchema;
export const emailBindSchema = mailedCodeSchema.extend(ownPasswordSchema.shape);
export type EmailBind = z.input<typeof mailedCodeSchema> & Partial<z.output<typeof ownPasswordSchema>>;
