import { z } from 'zod';

export const mostBatchIds = 1000;

/** Rows chosen in a list; each counts once. */
export const batchIdsSchema = z
  .array(z.number().int().positive())
  .min(1)
  .max(mostBatchIds)
  .transform((ids) => [...new Set(ids)]);

export const batchSchema = z.object({ ids: batchIdsSchema });
