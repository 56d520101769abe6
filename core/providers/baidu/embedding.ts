import { countOf, recordOf, recordsOf } from '../../lib/json-value.ts';
import { embeddingTexts } from '../../wire/openai-embedding/read-request.ts';
import { writeEmbeddings } from '../../wire/openai-embedding/write-response.ts';
import type { UpstreamCall, UpstreamRequest } from '../adapter.ts';

/** An OpenAI embeddings call; the model is in the address. */
export function toEmbedding(
  call: UpstreamCall,
  label: string,
): Pick<Required<UpstreamRequest>, 'body' | 'readResponse'> {
  const input = embeddingTexts(call, label);
  return {
    body: { input },
    readResponse(response) {
      const { data, usage } = recordOf(response);
      return writeEmbeddings(call, input.length, {
        model: call.model,
        vectors: recordsOf(data).map(({ embedding }) => embedding),
        tokens: countOf(recordOf(usage).prompt_tokens),
      });
    },
  };
}
