import { z } from 'zod';
import type { Channel } from '../../../../core/schemas/channel.ts';
import { lineText, maxTagLength } from '../../../../core/schemas/channel-field.ts';
import {
  channelSettingSchema,
  modelMappingSchema,
  paramOverrideSchema,
  parseRecord,
  statusCodeMappingSchema,
} from '../../../../core/schemas/channel-json.ts';
import { channelKeyModes } from '../../../../core/schemas/channel-key.ts';
import { maxPriority, maxWeight, minPriority } from '../../../../core/schemas/channel-ranking.ts';
import { channelTypeOf } from '../../../../core/schemas/channel-type.ts';
import { jsonTextSchema } from '../../components/form/json-text.ts';

export const keyUses = ['each', ...channelKeyModes] as const;
export type KeyUse = (typeof keyUses)[number];

const openaiType = 1;

export const mappingTemplate = { 'gpt-3.5-turbo': 'gpt-3.5-turbo-0125' };

/** An emptied number is NaN and leaves the figure as it is. */
const whole = (min: number, max: number, message: string) =>
  z.custom<number>(
    (value) =>
      typeof value === 'number' && (Number.isNaN(value) || (Number.isInteger(value) && value >= min && value <= max)),
    { message },
  );

/** The channel as people fill it in: lists as lists. */
export const channelFormSchema = (isNew: boolean) =>
  z
    .object({
      type: z.number(),
      name: lineText(255).pipe(z.string().min(1)),
      base_url: lineText(2048).transform((address) => address.replace(/\/+$/, '')),
      other: z.string().trim().max(8192),
      openai_organization: lineText(255),
      isBatch: z.boolean(),
      /** What becomes of several keys: a channel of each, or one that chooses among them. */
      keyUse: z.enum(keyUses),
      key: z.string().trim().max(1_000_000),
      models: z.array(z.string()).min(1, { message: 'channel:form.modelsMissing' }),
      groups: z.array(z.string()).min(1, { message: 'channel:form.groupsMissing' }),
      test_model: lineText(255),
      tag: lineText(maxTagLength),
      priority: whole(minPriority, maxPriority, 'channel:form.priorityWhole'),
      weight: whole(Number.NEGATIVE_INFINITY, maxWeight, 'channel:form.weightWhole').transform((weight) =>
        Math.max(weight, 0),
      ),
      max_input_tokens: whole(0, 10_000_000, 'channel:form.tokensWhole'),
      auto_ban: z.boolean(),
      model_mapping: jsonTextSchema(modelMappingSchema),
      status_code_mapping: jsonTextSchema(statusCodeMappingSchema),
      setting: jsonTextSchema(channelSettingSchema),
      param_override: jsonTextSchema(paramOverrideSchema),
    })
    .superRefine(
      ({ type, base_url, other, key }, context) => {
        const missing = (name: string) =>
          context.addIssue({ code: 'custom', path: [name], message: 'shell:form.required' });
        if (channelTypeOf(type)?.needsBaseUrl && base_url === '') missing('base_url');
        if (channelTypeOf(type)?.other?.isNeeded && other === '') missing('other');
        if (isNew && key === '') missing('key');
      },
      // Also while other fields are wrong: everything that is missing is named at once.
      { when: () => true },
    );
export type ChannelForm = z.output<ReturnType<typeof channelFormSchema>>;

/** Fields below the fold, by section: a mistake in one of them has to open it. */
export const advancedFields = {
  routing: ['priority', 'weight', 'tag', 'test_model', 'auto_ban'],
  override: ['model_mapping', 'status_code_mapping', 'param_override', 'setting', 'openai_organization'],
  limit: ['max_input_tokens'],
};
export type AdvancedSection = keyof typeof advancedFields;

const listOf = (text: string | undefined) => (text ?? '').split(',').filter(Boolean);

export function channelFormValues(channel: Channel | undefined) {
  return {
    type: channel?.type ?? openaiType,
    name: channel?.name ?? '',
    base_url: channel?.base_url ?? '',
    other: channel?.other ?? '',
    openai_organization: channel?.openai_organization ?? '',
    isBatch: Boolean(channel?.key_mode),
    keyUse: (channel?.key_mode || 'each') as KeyUse,
    key: '',
    models: listOf(channel?.models),
    groups: listOf(channel?.group ?? 'default'),
    test_model: channel?.test_model ?? '',
    tag: channel?.tag ?? '',
    priority: channel?.priority ?? 0,
    weight: channel?.weight ?? 0,
    max_input_tokens: channel?.max_input_tokens ?? 0,
    auto_ban: (channel?.auto_ban ?? 1) === 1,
    model_mapping: channel?.model_mapping ?? '',
    status_code_mapping: channel?.status_code_mapping ?? '',
    setting: channel?.setting ?? '',
    param_override: channel?.param_override ?? '',
  };
}

/** Some or all fields of the form in the API's spelling. */
export function toChannelFields({ models, groups, isBatch, keyUse, ...fields }: Partial<ChannelForm>) {
  return {
    ...fields,
    ...(isBatch !== false && keyUse && keyUse !== 'each' && { key_mode: keyUse }),
    ...(models && { models: models.join(',') }),
    ...(groups && { group: groups.join(',') }),
  };
}

/** How many channels a form creates. */
export const channelCount = (form: Pick<ChannelForm, 'type' | 'key' | 'isBatch' | 'keyUse'>): number =>
  form.isBatch && form.keyUse !== 'each' ? 1 : keysOf(form).length;

/** The lines of a batch, each a key; a service account is one key on many lines. */
export function keysOf({ type, key }: Pick<ChannelForm, 'type' | 'key'>): string[] {
  const lines = key.split(/\r?\n/).map((line) => line.trim());
  return channelTypeOf(type)?.isKeyDocument ? [key] : lines.filter(Boolean);
}

/** Whether the stored key would go to another place than the one it was entered for. */
export function isMoved(before: Channel, after: ChannelForm): boolean {
  return (
    before.type !== after.type ||
    originOf(before.base_url) !== originOf(after.base_url) ||
    proxyOf(before.setting) !== proxyOf(after.setting)
  );
}

const originOf = (address: string) => (URL.canParse(address) ? new URL(address).origin : address);

function proxyOf(setting: string): string {
  const proxy = parseRecord(setting)?.proxy;
  return typeof proxy === 'string' ? proxy.trim() : '';
}
