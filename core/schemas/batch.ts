import { z } from 'zod';

const maxBatchIds = 1000;

/** Rows chosen in a list; each counts once. */
export const batchIdsSchema = z
  .array(z.number().int().positive())
  .min(1)
  .max(maxBatchIds)
  .transform((ids) => [...new Set(ids)]);

export const batchSchema = z.object({ ids: batchIdsSchema });
