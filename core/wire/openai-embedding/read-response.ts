import { recordOf, recordsOf } from '../../lib/json-value.ts';

/** The vectors of a response by the place of their text. They may come in any order; each says which text it is of. */
export function readVectors(response: unknown): (number[] | undefined)[] {
  const vectors: (number[] | undefined)[] = [];
  recordsOf(recordOf(response).data).forEach(({ index, embedding }, position) => {
    vectors[typeof index === 'number' ? index : position] = readVector(embedding);
  });
  return vectors;
}

/** Some upstreams send packed numbers without being asked for them. */
function readVector(embedding: unknown): number[] | undefined {
  if (Array.isArray(embedding)) return embedding.every((value) => typeof value === 'number') ? embedding : undefined;
  if (typeof embedding !== 'string') return undefined;
  const bytes = Buffer.from(embedding, 'base64');
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readFloatLE(index * 4));
}
