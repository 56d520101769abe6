import { countOf, recordOf, recordsOf } from '../../lib/json-value.ts';

/** The vectors of a batch, in order, and what was counted: older models do not count, and the relay does it for them. */
export function readBatchEmbedding(response: unknown): { vectors: unknown[]; tokens: number | undefined } {
  const { embeddings, usageMetadata } = recordOf(response);
  return {
    vectors: recordsOf(embeddings).map(({ values }) => values),
    tokens: countOf(recordOf(usageMetadata).promptTokenCount),
  };
}
