import { z } from 'zod';
import { emailSchema } from './email.ts';
import type { OptionCard, OptionDefinition } from './option/card.ts';
import { contentOptions } from './option/content.ts';
import { operationOptions } from './option/operation.ts';
import { priceOptions } from './option/price.ts';
import { systemOptions } from './option/system.ts';

/** Every option there is. A key that is not here is refused. */
export const optionDefinitions = { ...operationOptions, ...priceOptions, ...systemOptions, ...contentOptions };

export type OptionKey = keyof typeof optionDefinitions;
export type OptionValue<K extends OptionKey> =
  (typeof optionDefinitions)[K] extends OptionDefinition<infer T> ? T : never;
export type OptionValues = { [K in OptionKey]: OptionValue<K> };

export const optionKeys = Object.keys(optionDefinitions) as OptionKey[];

/** The price maps: the list shows them with the built-in prices filled in. */
export const priceOptionKeys = ['ModelRatio', 'ModelPrice', 'CompletionRatio', 'CacheRatio'] as const;

export function isOptionKey(key: string): key is OptionKey {
  return Object.hasOwn(optionDefinitions, key);
}

/** One definition without its value type, for code that handles any option as text. */
export function definitionOf(key: OptionKey): OptionDefinition<unknown> {
  return optionDefinitions[key] as OptionDefinition<unknown>;
}

/** What the settings page shows of a card, in its order. */
export const optionsOfCard = (card: OptionCard): OptionKey[] =>
  optionKeys.filter((key) => definitionOf(key).card === card && !definitionOf(key).withoutEffect);

/** An option as the console and the command line see it. */
export interface OptionItem {
  key: OptionKey;
  /** Always text, as it is sent to change it; '' for a secret. */
  value: string;
  kind: OptionDefinition<unknown>['kind'];
  card: OptionCard;
  secret: boolean;
  /** Whether a value of the operator's own is stored. */
  has: boolean;
  /** Another one for every other stored value; '' while nothing is stored. */
  version: string;
}

/** The published contract lists every key with what it means. */
const listed = { $ref: '#/components/schemas/OptionKey' };

export const optionSetSchema = z.object({
  key: z.string().min(1).max(100).meta(listed),
  value: z.string().max(1_048_576),
  /** The version the change was made from; another one that is stored meanwhile is not written over. */
  version: z.string().max(64).optional(),
});
export type OptionSet = z.output<typeof optionSetSchema>;

/** Root's word that a stored secret goes to the new address as well. */
const confirmKeepSecret = z.boolean().default(false);

export const optionChangeSchema = optionSetSchema.extend({ confirmKeepSecret });
export const optionBatchSchema = z.object({ options: z.array(optionSetSchema).min(1).max(200), confirmKeepSecret });

/** An option as consoles list it. */
export const optionEntrySchema = z.object({ key: z.string().meta(listed), value: z.string() });
export type OptionEntry = z.output<typeof optionEntrySchema>;

/** What the settings page shows of an option. */
export const optionDetailSchema = z.strictObject({
  key: z.string().meta(listed),
  /** Always text, as it is sent to change it; '' for a secret. */
  value: z.string(),
  /** Whether a value of the operator's own is stored. */
  has: z.boolean(),
  /** The stored text itself, without built-in prices; '' for a secret, and while nothing is stored. */
  own: z.string(),
  /** Sent back with a change, it keeps the change from overwriting another user's. */
  version: z.string(),
});
export type OptionDetail = z.output<typeof optionDetailSchema>;

/** What is in the way of a change made from an older version: the option as it is now, and who changed it last. */
export const optionConflictSchema = optionDetailSchema.extend({
  changed_by: z.string(),
  /** Unix seconds. */
  changed_at: z.number(),
});
export type OptionConflict = z.output<typeof optionConflictSchema>;

export const mailTestSchema = z.strictObject({ email: emailSchema });
export type MailTest = z.output<typeof mailTestSchema>;

/** Where each secret is sent to; of several addresses the first that is set counts, because the second only serves to find it. */
export const destinationsOfSecret: Partial<Record<OptionKey, OptionKey[]>> = {
  SMTPToken: ['SMTPServer'],
  WorkerValidKey: ['WorkerUrl'],
  WeChatServerToken: ['WeChatServerAddress'],
  'oidc.client_secret': ['oidc.token_endpoint', 'oidc.well_known'],
};

/** Not in the console's list: every secret, and by its name also what consoles of this family take for one. */
export const isHiddenOption = (key: OptionKey) => definitionOf(key).secret || /(Token|Secret|Key)$/.test(key);
