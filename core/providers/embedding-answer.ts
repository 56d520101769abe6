import { AppError } from '../errors/app-error.ts';
import { UpstreamError } from '../errors/upstream-error.ts';
import type { UpstreamCall } from './adapter.ts';

/** As OpenAI limits them. */
const maximumTexts = 2048;

/** The texts of an embeddings call. Tokens of another vendor's vocabulary mean nothing to `provider`. */
export function embeddingTexts({ body, fields }: UpstreamCall, provider: string): string[] {
  const input = body?.input ?? fields.value('input');
  const list: unknown[] = Array.isArray(input) ? input : [input];
  if (list.length > maximumTexts) {
    throw new AppError('request.tooMany', { field: 'input', maximum: maximumTexts }, { param: 'input' });
  }
  return list.map((text) => {
    if (typeof text !== 'string')
      throw new AppError('provider.fieldNotOffered', { provider, field: 'input: token ids' }, { param: 'input' });
    return text;
  });
}

interface EmbeddingAnswer {
  model: string;
  vectors: unknown[];
  /** Undefined where the vendor does not tell: the relay counts then. */
  tokens: number | undefined;
}

/** Vectors as OpenAI's list, in the encoding the call asked for. Throws UpstreamError unless every input has its vector. */
export function writeEmbeddings(
  { fields }: UpstreamCall,
  inputs: number,
  { model, vectors, tokens }: EmbeddingAnswer,
): Record<string, unknown> {
  if (vectors.length !== inputs || !vectors.every(isVector)) {
    throw new UpstreamError({ status: 502, message: 'The answer holds no embedding for every input.', kind: 'retry' });
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
