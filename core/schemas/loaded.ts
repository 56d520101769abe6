import { z } from 'zod';

/**
 * What a form showed of the fields that it changes. When another user changed one of them meanwhile, the update is refused. Callers that
 * leave it out overwrite what is stored.
 */
export const loadedSchema = z
  .record(z.string().max(64), z.union([z.string(), z.number(), z.boolean(), z.null()]))
  .optional();
export type LoadedValues = z.output<typeof loadedSchema>;
