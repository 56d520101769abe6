import { UpstreamError } from '../../errors/upstream-error.ts';
import { coded } from '../../text/coded.ts';
import { isVector, packed, wantsPacked } from './pack-vectors.ts';
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
  const isPacked = wantsPacked(fields);
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
