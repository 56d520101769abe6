import { z } from 'zod';
import { coded } from '../text/coded.ts';
import { maxModelNameLength } from './channel-field.ts';
import { modelFactsSchema } from './model-fact.ts';

/** US dollars per million tokens or per call beyond this are a slip of units: the dearest model costs some hundred. */
export const largestListPrice = 100_000;

/** How a list of prices is written. */
const sourceFormats = ['packaged', 'litellm', 'openrouter', 'new-api', 'ratio-config', 'models.dev'] as const;
export type SourceFormat = (typeof sourceFormats)[number];

const dollars = z.number().min(0).max(largestListPrice);

/** US dollars per million tokens, or per call. */
export const listedPriceSchema = z.object({
  input: dollars.optional(),
  cached: dollars.optional(),
  cache_write: dollars.optional(),
  output: dollars.optional(),
  call: dollars.optional(),
  /** For prompts of more than `above` tokens. */
  long_prompt: z.object({ above: z.number(), input: dollars, cached: dollars, output: dollars }).optional(),
});
export type ListedPrice = z.output<typeof listedPriceSchema>;

/** Why a figure of a list is not used. */
const sourceFaults = ['badName', 'notNumber', 'negative', 'zero', 'tooLarge'] as const;
const sourceFaultSchema = z.object({
  model: z.string(),
  /** As the list calls it. */
  field: z.string(),
  value: z.string(),
  fault: z.enum(sourceFaults),
});
export type SourceFault = z.output<typeof sourceFaultSchema>;

/** Why a change is not made unasked: the price is the operator's own; it differs by too much; it would become one per call, or by tokens; new prices are not wanted. */
const heldReasons = ['own', 'tooMuch', 'kind', 'new'] as const;
export type HeldReason = (typeof heldReasons)[number];

export const priceDiffRowSchema = z.object({
  model: z.string(),
  /** What calls are charged by today; null while there is no price. */
  old: listedPriceSchema.nullable(),
  old_source: z.enum(['operator', 'builtin', 'list', 'selfUse', 'none']),
  /** What calls would be charged by. */
  next: listedPriceSchema,
  /** Of the figure that changes the most, in percent of the old one; null where there is nothing to compare. */
  change: z.number().nullable(),
  held: z.enum(heldReasons).nullable(),
  /** Groups in which an enabled channel serves it. */
  groups: z.array(z.string()),
});
export type PriceDiffRow = z.output<typeof priceDiffRowSchema>;

export const maxDiffRows = 2000;
/** Models whose prices are changed in one step. */
export const maxApplied = 500;
const maxShownFaults = 100;
export const shownFaults = (faults: SourceFault[]) => faults.slice(0, maxShownFaults);

export const priceDiffSchema = z.object({
  source: z.string(),
  format: z.enum(sourceFormats),
  /** Models with a price in the list. */
  listed: z.number(),
  /** Those that change, served ones first; at most 2,000. */
  rows: z.array(priceDiffRowSchema),
  total: z.number(),
  /** Models that were compared and keep their price. */
  same: z.number(),
  /** Models that a channel serves and the list does not have. */
  missing: z.array(z.string()),
  /** Figures that are not used, the first hundred of them. */
  faults: z.array(sourceFaultSchema),
  fault_count: z.number(),
});
export type PriceDiff = z.output<typeof priceDiffSchema>;

/** served: by an enabled channel; known: served, or with a price of the operator's own; all: whatever the list has. */
export const diffScopes = ['served', 'known', 'all'] as const;
export type DiffScope = (typeof diffScopes)[number];

const modelName = z.string().trim().min(1).max(maxModelNameLength);

const sourceFields = {
  /** A name of a list, or an address. */
  source: z.string().trim().max(2048).default('packaged'),
  /** The text of a file, in place of what is read from `source`, which is then only what it is called. */
  content: z.string().min(1).optional(),
  scope: z.enum(diffScopes).default('known'),
  /** Only these; `*` stands for any characters. */
  models: z.array(modelName).max(1000).default([]),
};

export const priceSyncPreviewSchema = z.object(sourceFields);
export type PriceSyncPreview = z.output<typeof priceSyncPreviewSchema>;

/** What was seen: a list, or a price of ours, that has changed since is not applied. */
const seenChange = z.object({
  model: modelName,
  old: listedPriceSchema.nullable(),
  next: listedPriceSchema,
});
export type SeenChange = z.output<typeof seenChange>;
const changes = z
  .array(seenChange)
  .min(1)
  .max(maxApplied, { error: coded('input.tooManyModels', { max: maxApplied }) });

export const priceSyncApplySchema = z.object({ source: sourceFields.source, content: sourceFields.content, changes });
export type PriceSyncApply = z.output<typeof priceSyncApplySchema>;

export const priceSyncRehearseSchema = z.object({ changes, days: z.coerce.number().int().min(1).max(366).default(30) });
export type PriceSyncRehearse = z.output<typeof priceSyncRehearseSchema>;

export const priceOfferAskSchema = z.object({
  models: z.array(modelName).max(5000),
  /** Of the channel: an alias costs what the model behind it does. */
  model_mapping: z.record(z.string(), z.string()).default({}),
});
export type PriceOfferAsk = z.output<typeof priceOfferAskSchema>;

/** A model without a price, and the list price there is for it. */
export const priceOfferSchema = z.object({
  model: z.string(),
  /** Null where no list has it. */
  price: listedPriceSchema.nullable(),
  /** The name the list has it by, and the list. */
  listed_as: z.string(),
  source: z.string(),
  facts: modelFactsSchema,
  /** Sound or image tokens of the listed model have a price of their own, and under this name they cost what text costs. */
  media_as_text: z.boolean(),
});
export type PriceOffer = z.output<typeof priceOfferSchema>;

export const priceAcceptSchema = z.object({ changes });

/** Where a change of a price came from. */
export const priceOrigins = ['console', 'cli', 'sync', 'job', 'offer', 'import'] as const;
export type PriceOrigin = (typeof priceOrigins)[number];

export const priceHistoryRowSchema = z.object({
  id: z.number(),
  created_at: z.number(),
  actor_id: z.number(),
  actor_name: z.string(),
  model: z.string(),
  before: listedPriceSchema.nullable(),
  after: listedPriceSchema.nullable(),
  /** Empty for changes of older versions. */
  origin: z.enum(priceOrigins).or(z.literal('')),
  /** The list that the price was taken from. */
  list: z.string(),
});
export type PriceHistoryRow = z.output<typeof priceHistoryRowSchema>;
