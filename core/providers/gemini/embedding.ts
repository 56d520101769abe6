import { countOf, recordOf, recordsOf } from '../../lib/json-value.ts';
import type { UpstreamCall, UpstreamRequest } from '../adapter.ts';
import { BodyEdits } from '../body-edit.ts';
import { embeddingTexts, writeEmbeddings } from '../embedding-answer.ts';

type Embedding = Pick<Required<UpstreamRequest>, 'body' | 'readAnswer'>;

/** An OpenAI embeddings call as `batchEmbedContents`. `resource` is the model as Google names it: `models/...`. */
export function toBatchEmbedding(call: UpstreamCall, resource: string, provider: string): Embedding {
  const texts = embeddingTexts(call, provider);
  const dimensions = call.fields.value('dimensions');
  return {
    body: {
      requests: texts.map((text) => ({
        model: resource,
        content: { parts: [{ text }] },
        ...(typeof dimensions === 'number' && { outputDimensionality: dimensions }),
      })),
    },
    readAnswer: (answer) => {
      const { embeddings, usageMetadata } = recordOf(answer);
      return writeEmbeddings(call, texts.length, {
        model: resource.replace(/^models\//, ''),
        vectors: recordsOf(embeddings).map(({ values }) => values),
        // Only newer models count; for the others the relay does.
        tokens: countOf(recordOf(usageMetadata).promptTokenCount),
      });
    },
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
