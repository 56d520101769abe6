import { AppError } from '../../errors/app-error.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import { countOf, recordOf, recordsOf } from '../../lib/json-value.ts';
import type { UpstreamCall, UpstreamRequest } from '../adapter.ts';
import { BodyEdits } from '../body-edit.ts';

type Embedding = Pick<Required<UpstreamRequest>, 'body' | 'readAnswer'>;

/** An OpenAI embeddings call as `batchEmbedContents`. `resource` is the model as Google names it: `models/...`. */
export function toBatchEmbedding({ body, fields }: UpstreamCall, resource: string, provider: string): Embedding {
  const texts = textsOf(body?.input ?? fields.value('input'), provider);
  const dimensions = fields.value('dimensions');
  const isPacked = fields.value('encoding_format') === 'base64';
  return {
    body: {
      requests: texts.map((text) => ({
        model: resource,
        content: { parts: [{ text }] },
        ...(typeof dimensions === 'number' && { outputDimensionality: dimensions }),
      })),
    },
    readAnswer: (answer) => readEmbeddings(answer, { model: resource, count: texts.length, isPacked }),
  };
}

/** The changes of a Google client's own call: the body names the model again, and Google wants both names to be one. */
export function editEmbedding(call: UpstreamCall, resource: string): UpstreamRequest['edits'] {
  const edits = new BodyEdits(call);
  const { fields, body } = call;
  if (fields.has('model') && fields.value('model') !== resource) edits.set('model', resource);
  const requests = recordsOf(body?.requests);
  if (requests.some(({ model }) => model !== resource))
    edits.set(
      'requests',
      requests.map((request) => ({ ...request, model: resource })),
    );
  return edits.list();
}

/** Tokens of another vendor's vocabulary mean nothing here. */
function textsOf(input: unknown, provider: string): string[] {
  const list: unknown[] = Array.isArray(input) ? input : [input];
  return list.map((text) => {
    if (typeof text !== 'string')
      throw new AppError('provider.fieldNotOffered', { provider, field: 'input: token ids' }, { param: 'input' });
    return text;
  });
}

interface EmbeddingReading {
  model: string;
  count: number;
  isPacked: boolean;
}

function readEmbeddings(answer: unknown, { model, count, isPacked }: EmbeddingReading) {
  const { embeddings, usageMetadata } = recordOf(answer);
  const vectors = recordsOf(embeddings).map(({ values }) => values);
  if (vectors.length !== count || !vectors.every(isVector)) {
    throw new UpstreamError({ status: 502, message: 'The answer holds no embedding for every input.', kind: 'retry' });
  }
  // Only newer models count; for the others the relay does.
  const tokens = countOf(recordOf(usageMetadata).promptTokenCount);
  return {
    object: 'list',
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: isPacked ? packed(vector) : vector,
    })),
    model: model.replace(/^models\//, ''),
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
