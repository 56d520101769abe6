import { UpstreamError } from '../../errors/upstream-error.ts';
import { coded } from '../../text/coded.ts';
import type { EmbeddingCall } from './read-request.ts';

interface Embeddings {
  model: string;
  vectors: unknown[];
  /** Undefined where the vendor does not tell: the relay counts then. */
  tokens: number | undefined;
}

/** Vectors as OpenAI's list, in the encoding the call asked for. Throws UpstreamError unless every input has its vector. */
export function writeEmbeddings(
  { fields }: EmbeddingCall,
  inputs: number,
  { model, vectors, tokens }: Embeddings,
): Record<string, unknown> {
  if (vectors.length !== inputs || !vectors.every(isVector)) {
    throw new UpstreamError({ status: 502, coded: coded('upstream.noEmbedding'), kind: 'retry' });
  }
  const isPacked = fields.value('encoding_format') === 'base64';
  return {
    object: 'list',
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: isPacked ? packed(vector) : vector,
    })),
    model,
    ...(tokens !== undefined && { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
  };
}

function isVector(values: unknown): values is number[] {
  return Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === 'number');
}

/** As OpenAI packs them, and as its SDK asks for unasked: floats of four bytes, the lowest first. */
function packed(vector: number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, index) => {
    bytes.writeFloatLE(value, index * 4);
  });
  return bytes.toString('base64');
}
