import { z } from 'zod';
import { latestTime } from '../lib/clock.ts';
import { hasUnseen } from '../lib/confusable-name.ts';
import { parseRecord } from '../lib/json-value.ts';
import { coded } from '../text/coded.ts';
import { batchSchema } from './batch.ts';
import { lineText, maxGroupNameLength, maxModelNameLength, maxTagLength, nameList } from './channel-field.ts';
import {
  channelSettingSchema,
  modelMappingSchema,
  paramOverrideSchema,
  statusCodeMappingSchema,
} from './channel-json.ts';
import { channelKeyModeSchema, channelKeyModes } from './channel-key.ts';
import { maxPriority, maxWeight, minPriority } from './channel-ranking.ts';
import { channelStatus } from './channel-status.ts';
import { channelTypeOf, findChannelType } from './channel-type.ts';
import { loadedSchema } from './loaded.ts';
import { pagingSchema } from './paging.ts';
import { requestKeySchema } from './request-key.ts';
import { sortSchema } from './sort.ts';

/** Forms send numbers as text, and nothing for "leave it". */
const number = (min: number, max: number, clampLow = false) =>
  z.preprocess((value) => {
    if (value === '' || value === null) return undefined;
    const given = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value;
    return clampLow && typeof given === 'number' && given < min ? min : given;
  }, z.number().int().min(min).max(max).optional());

const typeSchema = z.preprocess(
  (value) => (typeof value === 'string' ? (findChannelType(value)?.number ?? value) : value),
  z
    // A name of no known type is still a text here.
    .number({ error: ({ input }) => (input === undefined ? undefined : coded('input.noSuchType')) })
    .int()
    .refine((value) => channelTypeOf(value) !== undefined, { message: coded('input.noSuchType') }),
);

const flagSchema = z.preprocess(
  (value) => (typeof value === 'boolean' ? Number(value) : value === null ? undefined : value),
  z.literal([0, 1]).optional(),
);

/** A map of regions may be typed over several lines. */
function onOneLine(value: unknown): unknown {
  const object = typeof value === 'string' ? parseRecord(value) : undefined;
  return object ? JSON.stringify(object) : value;
}

const channelName = lineText(255).refine((name) => !hasUnseen(name), {
  message: coded('input.noUnseen'),
});

const optionalFields = {
  /** Makes of several keys one channel that chooses among them; left out = one key, or one channel for each. */
  key_mode: channelKeyModeSchema,
  base_url: lineText(2048).optional(),
  other: z.preprocess(onOneLine, lineText(8192)).optional(),
  openai_organization: lineText(255).optional(),
  test_model: lineText(255).optional(),
  model_mapping: modelMappingSchema.optional(),
  status_code_mapping: statusCodeMappingSchema.optional(),
  setting: channelSettingSchema.optional(),
  param_override: paramOverrideSchema.optional(),
  tag: lineText(maxTagLength).optional(),
  priority: number(minPriority, maxPriority),
  weight: number(0, maxWeight, true),
  auto_ban: flagSchema,
  max_input_tokens: number(0, 10_000_000),
  expired_time: number(-1, latestTime),
};

/** Forms contain groups as a list, the channel as a comma list. */
function joinGroups(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { groups, group, ...rest } = value as Record<string, unknown>;
  return { ...rest, group: !group && Array.isArray(groups) ? groups.join(',') : group };
}

export const channelCreateSchema = z.preprocess(
  joinGroups,
  z.object({
    ...optionalFields,
    type: typeSchema,
    name: channelName.pipe(z.string().min(1)),
    /** One per line, one channel per key unless `key_mode` is given; type 41 takes one service account, however many lines it has. */
    key: z.string().min(1).max(1_000_000),
    models: nameList(maxModelNameLength).pipe(z.string().min(1)),
    group: z.preprocess((value) => value ?? 'default', nameList(maxGroupNameLength).pipe(z.string().min(1))),
    request_key: requestKeySchema,
  }),
);
/** The channel itself. */
export type ChannelCreate = Omit<z.output<typeof channelCreateSchema>, 'request_key'>;

export const channelCopyQuery = z.object({ request_key: requestKeySchema });

const emptyToUndefined = (value: unknown) => (value === '' || value === null || value === 0 ? undefined : value);

/** Absent = unchanged, and blank too for what a channel cannot be without. */
export const channelUpdateSchema = z.preprocess(
  joinGroups,
  z.object({
    ...optionalFields,
    id: z.number().int().positive(),
    type: z.preprocess(emptyToUndefined, typeSchema.optional()),
    name: z.preprocess(emptyToUndefined, channelName.optional()),
    key: z.preprocess(emptyToUndefined, z.string().max(1_000_000).optional()),
    models: z.preprocess(emptyToUndefined, nameList(maxModelNameLength).optional()),
    group: z.preprocess(emptyToUndefined, nameList(maxGroupNameLength).optional()),
    status: z.preprocess(
      emptyToUndefined,
      z.literal([channelStatus.enabled, channelStatus.disabled, channelStatus.autoDisabled]).optional(),
    ),
    /** Root's word that the stored key goes to the new destination. */
    confirmKeepKey: z.boolean().default(false),
    loaded: loadedSchema,
  }),
);
export type ChannelUpdate = z.output<typeof channelUpdateSchema>;

export const channelSortFields = [
  ...(['id', 'name', 'type', 'status', 'tag', 'priority', 'weight'] as const),
  ...(['response_time', 'test_time', 'created_time', 'balance', 'used_quota'] as const),
];

export const channelListSchema = pagingSchema.extend({
  /** An id, a part of the name, or a whole key. */
  keyword: z.string().trim().max(8192).default(''),
  model: z.string().trim().max(maxModelNameLength).default(''),
  /** Consoles send `null` for none. */
  group: z
    .string()
    .trim()
    .max(64)
    .default('')
    .transform((group) => (group === 'null' ? '' : group)),
  type: z.number().int().optional(),
  /** 0 = all. */
  status: z.number().int().min(0).max(3).default(0),
  tag: z.string().max(64).optional(),
  /** One page of tags, with all channels of each. */
  tag_mode: z.boolean().default(false),
  /** Newest first instead of highest priority first. */
  id_sort: z.boolean().default(false),
  sort: sortSchema(channelSortFields),
});
export type ChannelList = z.output<typeof channelListSchema>;

/** A channel as consoles know it: every key is there, the upstream key always blank. */
export const channelSchema = z.object({
  id: z.number(),
  type: z.number(),
  key: z.literal(''),
  /** How one of several keys is chosen; '' for a channel with one. */
  key_mode: z.enum(['', ...channelKeyModes]),
  key_count: z.number(),
  /** How many of the keys are on. */
  key_on_count: z.number(),
  openai_organization: z.string().nullable(),
  test_model: z.string().nullable(),
  status: z.number(),
  name: z.string(),
  weight: z.number(),
  created_time: z.number(),
  test_time: z.number(),
  /** Milliseconds; 0 with a test time: the last test failed. */
  response_time: z.number(),
  base_url: z.string(),
  other: z.string(),
  /** US dollars. */
  balance: z.number(),
  balance_updated_time: z.number(),
  models: z.string(),
  group: z.string(),
  used_quota: z.number(),
  model_mapping: z.string(),
  status_code_mapping: z.string(),
  priority: z.number(),
  auto_ban: z.number(),
  other_info: z.string(),
  tag: z.string().nullable(),
  setting: z.string(),
  param_override: z.string(),
  max_input_tokens: z.number(),
  expired_time: z.number(),
  /** Unix seconds; for a day from then on streams go out without `stream_options`. 0 = not refused. */
  stream_options_refused_time: z.number(),
  /** Why it cannot serve a call as it is set up; '' when nothing is known against it. */
  problem: z.string(),
});
export type Channel = z.output<typeof channelSchema>;

export const channelStatusBatchSchema = batchSchema.extend({
  status: z.literal([channelStatus.enabled, channelStatus.disabled]),
});

/** What is needed to ask an upstream for its models before a channel is saved. */
export const modelFetchSchema = z.object({
  /** OpenAI when left out. */
  type: z.preprocess((value) => value ?? 1, typeSchema),
  base_url: lineText(2048),
  other: z.preprocess(onOneLine, lineText(8192)).default(''),
  openai_organization: lineText(255).default(''),
  setting: channelSettingSchema.default(''),
  /** Of several keys the first is used. */
  key: z
    .string()
    .max(1_000_000)
    .transform((text) => text.trim().split(/\r?\n/)[0]?.trim() ?? ''),
});
export type ModelFetch = z.output<typeof modelFetchSchema>;

/** The own password, before a key is shown. */
export const channelRevealSchema = z.object({ password: z.string().min(1).max(128) });
