import { recordsOf } from '../../lib/json-value.ts';
import { readBatchEmbedding } from '../../wire/gemini-embedding/read-response.ts';
import { writeBatchEmbedding } from '../../wire/gemini-embedding/write-request.ts';
import { embeddingTexts } from '../../wire/openai-embedding/read-request.ts';
import { writeEmbeddings } from '../../wire/openai-embedding/write-response.ts';
import type { UpstreamCall, UpstreamRequest } from '../adapter.ts';
import { BodyEdits } from '../body-edit.ts';

type Embedding = Pick<Required<UpstreamRequest>, 'body' | 'readResponse'>;

/** An OpenAI embeddings call as `batchEmbedContents`. `resource` is the model as Google names it: `models/...`. */
export function toBatchEmbedding(call: UpstreamCall, resource: string, provider: string): Embedding {
  const texts = embeddingTexts(call, provider);
  return {
    body: writeBatchEmbedding(texts, { resource, dimensions: call.fields.value('dimensions') }),
    readResponse: (response) =>
      writeEmbeddings(call, texts.length, {
        model: resource.replace(/^models\//, ''),
        ...readBatchEmbedding(response),
      }),
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
