import { countOf, recordOf } from '../../lib/json-value.ts';
import { embeddingTexts } from '../../wire/openai-embedding/read-request.ts';
import { writeEmbeddings } from '../../wire/openai-embedding/write-response.ts';
import type { UpstreamCall, UpstreamRequest } from '../adapter.ts';
import type { OllamaSetting } from './setting.ts';

/** An OpenAI embeddings call for `/api/embed`. */
export function toEmbed(
  call: UpstreamCall,
  { options, keepAlive }: OllamaSetting,
  provider: string,
): Pick<Required<UpstreamRequest>, 'body' | 'readResponse'> {
  const input = embeddingTexts(call, provider);
  const dimensions = call.fields.value('dimensions');
  return {
    body: {
      model: call.model,
      input,
      ...(typeof dimensions === 'number' && { dimensions }),
      ...(Object.keys(options).length > 0 && { options }),
      ...(keepAlive !== undefined && { keep_alive: keepAlive }),
    },
    readResponse(response) {
      const { embeddings, prompt_eval_count: tokens } = recordOf(response);
      return writeEmbeddings(call, input.length, {
        model: call.model,
        vectors: Array.isArray(embeddings) ? embeddings : [],
        tokens: countOf(tokens) || undefined,
      });
    },
  };
}
