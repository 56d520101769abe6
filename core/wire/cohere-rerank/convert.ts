import type { Loss } from '../../canonical/loss.ts';
import { definedFields } from '../../lib/defined-fields.ts';
import { recordOf, recordsOf } from '../../lib/json-value.ts';

/** What other vendors have no word for. */
const dropped = ['max_tokens_per_doc', 'priority'];

export function toRerank(
  { query, documents, top_n, ...rest }: Record<string, unknown>,
  model: string,
): { body: Record<string, unknown>; losses: Loss[] } {
  const losses = dropped.filter((field) => rest[field] !== undefined && rest[field] !== null);
  return {
    body: definedFields({ model, query, documents, top_n: top_n ?? undefined, return_documents: false }),
    losses: losses.map((field) => ({ field, kind: 'dropped' })),
  };
}

/** Cohere tells searches; what another vendor tells instead are tokens, for which the form has a place as well. */
export function fromRerank(response: unknown): Record<string, unknown> {
  const { id, results, usage, meta } = recordOf(response);
  const { prompt_tokens: input } = recordOf(usage);
  return definedFields({
    id,
    results: recordsOf(results).map(({ index, relevance_score }) => ({ index, relevance_score })),
    meta: definedFields({
      api_version: { version: '2' },
      billed_units: recordOf(meta).billed_units,
      tokens: input === undefined ? undefined : { input_tokens: input, output_tokens: 0 },
    }),
  });
}
