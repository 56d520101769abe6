import { z } from 'zod';
import { isJsonObject } from '../lib/json-value.ts';
import { coded } from '../text/coded.ts';
import { emailOrEmptySchema } from './email.ts';

const nullToEmpty = (value: unknown) => value ?? '';

const webhookSchema = z
  .string()
  .trim()
  .max(1024)
  .refine((text) => text === '' || isWebAddress(text), { message: coded('input.webAddress') });

/** How users want to be told that their balance is low (console reference, 6.4), and that a job of theirs has ended. */
export const userSettingSchema = z
  .object({
    notify_type: z.enum(['email', 'webhook']).default('email'),
    /** In quota units; the option QuotaRemindThreshold counts while this is not set. */
    quota_warning_threshold: z.number().positive().max(Number.MAX_SAFE_INTEGER).optional(),
    webhook_url: z.preprocess(nullToEmpty, webhookSchema),
    /** Never shown again; empty keeps the stored one. */
    webhook_secret: z.preprocess(nullToEmpty, z.string().max(256)),
    /** In place of the address of the account. */
    notification_email: z.preprocess(nullToEmpty, emailOrEmptySchema),
    accept_unset_model_ratio_model: z.boolean().default(false),
    /** Of a drawing, music or video job that has ended. */
    notify_task_finished: z.boolean().default(false),
  })
  .refine(({ notify_type, webhook_url }) => notify_type !== 'webhook' || webhook_url !== '', {
    message: coded('input.webhookNeeded'),
    params: { sentence: true },
  });
export type UserSetting = z.output<typeof userSettingSchema>;

const storedSchema = z.object({
  notify_type: z.enum(['email', 'webhook']).catch('email'),
  quota_warning_threshold: z.number().positive().optional().catch(undefined),
  webhook_url: z.string().catch(''),
  /** Encrypted. */
  webhook_secret: z.string().catch(''),
  notification_email: z.string().catch(''),
  accept_unset_model_ratio_model: z.boolean().catch(false),
  notify_task_finished: z.boolean().catch(false),
});
export type StoredSetting = z.output<typeof storedSchema>;

/** The column as it is stored; imported rows may contain anything. */
export function readStoredSetting(text: string): StoredSetting {
  return storedSchema.parse(parseObject(text));
}

/** The column as its owner reads it. */
export function ownSetting(text: string): string {
  if (text === '') return '';
  const { webhook_secret: _, ...shown } = parseObject(text);
  return JSON.stringify(shown);
}

/**
 * The column as others read it: of an address only the host, because many carry a key in their path, and nothing of what an
 * imported row may contain beside the known fields.
 */
export function foreignSetting(text: string): string {
  if (text === '') return '';
  const { webhook_secret: _, webhook_url, ...shown } = readStoredSetting(text);
  return JSON.stringify({ ...shown, webhook_url: originOf(webhook_url) });
}

export const originOf = (address: string): string => (URL.canParse(address) ? new URL(address).origin : '');

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? { ...value } : {};
  } catch {
    return {}; // said above
  }
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
