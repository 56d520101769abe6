import { z } from 'zod';
import { hasUnseen, mixesAlphabets } from '../lib/confusable-name.ts';
import { coded } from '../text/coded.ts';
import { batchSchema } from './batch.ts';
import { emailSchema } from './email.ts';
import { loadedSchema } from './loaded.ts';
import { keywordSchema, pagingSchema } from './paging.ts';
import { numberTextSchema } from './query.ts';
import { requestKeySchema } from './request-key.ts';
import { sortSchema } from './sort.ts';

export const userStatus = { enabled: 1, disabled: 2 } as const;

const codePoints = (text: string) => [...text].length;
/** Twelve are asked of people; accounts made by an outside sign-in or an import may be longer. */
const maxUsernameLength = 12;
const maxDisplayNameLength = 20;

/** Two names with the same key are the same name: `root`, `Root` and full-width `ｒｏｏｔ`. */
export function usernameKey(username: string): string {
  return username.trim().normalize('NFKC').toLowerCase().normalize('NFKC');
}

export const usernameSchema = z
  .string()
  .trim()
  .min(1)
  .refine((name) => codePoints(name) <= maxUsernameLength, {
    message: coded('input.maxCharacters', { limit: maxUsernameLength }),
  })
  .refine((name) => !hasUnseen(name), { message: coded('input.noUnseen') })
  .refine((name) => !mixesAlphabets(name), { message: coded('input.oneAlphabet') })
  // Sign-in takes the e-mail address in the same field: a name must never look like another user's address, in any letter width.
  .refine((name) => !usernameKey(name).includes('@'), { message: coded('input.noAt') })
  .refine((name) => codePoints(usernameKey(name)) <= maxUsernameLength, {
    message: coded('input.maxCharacters', { limit: maxUsernameLength }),
  });

const nameAndPassword = { message: coded('input.nameAndPassword'), params: { sentence: true }, abort: true };

/** Of an account that is made now: one sentence names what is missing. */
export const newUsernameSchema = z
  .string()
  .default('')
  .refine((name) => name.trim() !== '', nameAndPassword)
  .pipe(usernameSchema);

export const passwordSchema = z
  .string()
  .refine((password) => codePoints(password) >= 8, { message: coded('input.minCharacters', { limit: 8 }) })
  .refine((password) => codePoints(password) <= 128, { message: coded('input.maxCharacters', { limit: 128 }) })
  .refine((password) => !password.includes('\0'), { message: coded('input.noNul') });

/** Of an account that is made now. */
export const newPasswordSchema = z
  .string()
  .default('')
  .refine((password) => password !== '', nameAndPassword)
  .pipe(passwordSchema);

export const displayNameSchema = z
  .string()
  .trim()
  .refine((name) => codePoints(name) <= maxDisplayNameLength, {
    message: coded('input.maxCharacters', { limit: maxDisplayNameLength }),
  })
  .refine((name) => !hasUnseen(name), { message: coded('input.noUnseen') });

/** For names that come from elsewhere: what a display name may contain, as much of it as fits. */
export function shortDisplayName(name: string): string {
  return [...name.replace(/\p{C}/gu, '').trim()].slice(0, maxDisplayNameLength).join('').trim();
}

export const userCreateSchema = z.object({
  username: newUsernameSchema,
  password: newPasswordSchema,
  display_name: displayNameSchema.default(''),
  /** Consoles send one; every new account is a normal user anyway. */
  role: z.number().int().optional(),
  request_key: requestKeySchema,
});
export type UserCreate = z.output<typeof userCreateSchema>;

const emptyToUndefined = (value: unknown) => (value === '' || value === null ? undefined : value);

export const userUpdateSchema = z.object({
  id: z.number().int().positive(),
  /** Accounts of outside sign-ins have longer names, which consoles send back; a new name is held to the rules of `usernameSchema`. */
  username: z.preprocess(emptyToUndefined, z.string().trim().max(64).optional()),
  /** The same holds for it, by `displayNameSchema`. */
  display_name: z.string().trim().max(100).optional(),
  password: z.preprocess(emptyToUndefined, passwordSchema.optional()),
  /** Sent back unchanged it may be anything, too; a new one is held to `emailSchema`. Consoles send '' for nothing; null takes it away. */
  email: z.preprocess((value) => (value === '' ? undefined : value), z.string().trim().max(254).nullish()),
  group: z.preprocess(emptyToUndefined, z.string().max(64).optional()),
  role: z.number().int().optional(),
  quota: z.number().int().optional(),
  /** What the form showed when it was opened: only the difference is booked. */
  quota_loaded: z.number().int().optional(),
  /** With `quota_loaded`, as for a credit: the form that was saved again after a lost response is booked once. */
  quota_key: z.uuid().optional(),
  /** Of the other fields; only a password has no former value to show. */
  loaded: loadedSchema,
});
export type UserUpdate = z.output<typeof userUpdateSchema>;

/** A new address, as the command line takes one. */
export const emailUpdateSchema = z.object({ email: emailSchema });

export const userActions = ['enable', 'disable', 'promote', 'demote', 'delete'] as const;
export const userManageSchema = z.object({ id: z.number().int().positive(), action: z.enum(userActions) });
export type UserManage = z.output<typeof userManageSchema>;

export const userBatchSchema = batchSchema.extend({ action: z.enum(userActions) });
export type UserBatch = z.output<typeof userBatchSchema>;

export const userAdjustQuotaSchema = z.object({
  id: z.number().int().positive(),
  amount: z
    .number()
    .int()
    .refine((amount) => amount !== 0, { message: coded('input.notZero') }),
  note: z.string().max(200).default(''),
});
export type UserAdjustQuota = z.output<typeof userAdjustQuotaSchema>;

/** From a browser, where a lost response makes people press again: the same key is booked once. */
export const userCreditSchema = userAdjustQuotaSchema.omit({ id: true }).extend({ key: z.uuid().optional() });
export type UserCredit = z.output<typeof userCreditSchema>;

/** A deleted account keeps the status it had; in a list it counts as deleted alone. */
export const userListStatus = { ...userStatus, deleted: 3 } as const;

export const userSortFields = [
  ...(['id', 'username', 'display_name', 'role', 'status', 'group', 'quota', 'used_quota', 'request_count'] as const),
  ...(['created_time', 'last_login_time'] as const),
];

/** What a list of users may be narrowed to, and its order; 0 = all. */
export const userListFilters = {
  role: numberTextSchema.optional(),
  status: numberTextSchema
    .refine((status) => status <= userListStatus.deleted, { message: coded('input.range', { min: 0, max: 3 }) })
    .optional(),
  sort: sortSchema(userSortFields),
};

export const userListSchema = pagingSchema.extend({
  keyword: keywordSchema,
  group: z.string().max(64).default(''),
  ...userListFilters,
});
export type UserList = z.output<typeof userListSchema>;

/** A user as consoles know it: every key is there, secrets are blank or null. */
export const userSchema = z.object({
  id: z.number(),
  username: z.string(),
  password: z.literal(''),
  display_name: z.string(),
  role: z.number(),
  status: z.number(),
  email: z.string(),
  github_id: z.string(),
  wechat_id: z.string(),
  telegram_id: z.string(),
  linux_do_id: z.string(),
  oidc_id: z.string(),
  verification_code: z.literal(''),
  access_token: z.null(),
  quota: z.number(),
  used_quota: z.number(),
  request_count: z.number(),
  group: z.string(),
  aff_code: z.string(),
  aff_count: z.number(),
  aff_quota: z.number(),
  aff_history_quota: z.number(),
  inviter_id: z.number(),
  setting: z.string(),
  created_time: z.number(),
  last_login_time: z.number(),
  /** RFC 3339, null while the account exists. */
  DeletedAt: z.string().nullable(),
});
export type User = z.output<typeof userSchema>;
