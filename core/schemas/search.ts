import { z } from 'zod';
import { filterTextSchema } from './query.ts';

export const searchKinds = ['user', 'channel', 'token', 'model', 'request'] as const;
export type SearchKind = (typeof searchKinds)[number];

export const searchQuery = z.object({
  /** Beginning of a name, a part of the name of a channel, model or own token, an id, or a whole request ID. */
  q: filterTextSchema,
  /** Only hits of one kind. */
  kind: z.enum(searchKinds).optional().catch(undefined),
});
export type SearchQuery = z.output<typeof searchQuery>;

const searchHitSchema = z.object({
  kind: z.enum(searchKinds),
  /** 0 for a model. */
  id: z.number(),
  /** Of a request: its ID. */
  name: z.string(),
  /** Of a token: the username of its owner. Of a request: its model. Otherwise empty. */
  detail: z.string(),
});
export type SearchHit = z.output<typeof searchHitSchema>;

/** Of each kind the first few, in the order of the kinds. */
export const searchHitsSchema = z.array(searchHitSchema);
