import { z } from 'zod';
import { batchIdsSchema } from './batch.ts';
import { lineText, maxGroupNameLength, maxModelNameLength, maxTagLength, nameList } from './channel-field.ts';
import { loadedSchema } from './loaded.ts';

const tagName = lineText(maxTagLength).pipe(z.string().min(1));

/** Forms send text for a number, and null or nothing for "leave it"; what is wrong with it is said in the words of the tag form. */
const formNumber = z.union([z.number(), z.string()]).nullable().optional();

const blankToUndefined = (value: unknown) => (value === '' || value === null ? undefined : value);
const listToText = (value: unknown) => blankToUndefined(Array.isArray(value) ? value.join(',') : value);

export const channelTagSchema = z.object({ tag: tagName });

/** Absent and blank mean unchanged, but a blank `new_tag` dissolves the tag. */
export const channelTagEditSchema = z.object({
  tag: tagName,
  new_tag: z.preprocess((value) => value ?? undefined, lineText(maxTagLength).optional()),
  model_mapping: z.string().nullable().optional(),
  models: z.preprocess(listToText, nameList(maxModelNameLength).optional()),
  groups: z.preprocess(listToText, nameList(maxGroupNameLength).optional()),
  priority: formNumber,
  weight: formNumber,
  /** By the id of each channel, what the form showed of the fields that it changes. A channel that is not named here came under the tag since. */
  loaded: z.record(z.string().regex(/^[1-9]\d{0,14}$/), loadedSchema).optional(),
});
export type ChannelTagEdit = z.output<typeof channelTagEditSchema>;

/** A null or blank tag takes the channels out of theirs. */
export const channelBatchTagSchema = z.object({ ids: batchIdsSchema, tag: lineText(maxTagLength) });
export type ChannelBatchTag = z.output<typeof channelBatchTagSchema>;
