import type { JsonObject } from '../../lib/json-value.ts';

/** Texts as `batchEmbedContents` takes them. `resource` is the model as Google names it: `models/...`. */
export function writeBatchEmbedding(
  texts: readonly string[],
  { resource, dimensions }: { resource: string; dimensions: unknown },
): JsonObject {
  return {
    requests: texts.map((text) => ({
      model: resource,
      content: { parts: [{ text }] },
      ...(typeof dimensions === 'number' && { outputDimensionality: dimensions }),
    })),
  };
}
