import { AppError } from '../../errors/app-error.ts';
import { definedFields } from '../../lib/defined-fields.ts';
import { countOf, recordOf, recordsOf } from '../../lib/json-value.ts';
import { embeddingTexts } from '../../wire/openai-embedding/read-request.ts';
import { writeEmbeddings } from '../../wire/openai-embedding/write-response.ts';
import type { UpstreamCall, UpstreamRequest } from '../adapter.ts';
import { qwenLabel } from './address.ts';

/** Of one call: the two oldest models take more. */
const maxTexts = 10;
const maxOldTexts = 25;

export function writeEmbedding(call: UpstreamCall): Pick<Required<UpstreamRequest>, 'body' | 'readResponse'> {
  const { model, fields, body = {} } = call;
  const texts = embeddingTexts(call, qwenLabel);
  const maximum = /-v[12]$/.test(model) ? maxOldTexts : maxTexts;
  if (texts.length > maximum) throw new AppError('request.tooMany', { field: 'input', maximum }, { param: 'input' });
  return {
    body: {
      model,
      input: { texts },
      parameters: definedFields({
        text_type: body.text_type ?? 'document',
        dimension: fields.value('dimensions') ?? undefined,
      }),
    },
    readResponse(response) {
      const { output, usage } = recordOf(response);
      const vectors: unknown[] = [];
      recordsOf(recordOf(output).embeddings).forEach(({ text_index, embedding }, position) => {
        vectors[countOf(text_index) ?? position] = embedding;
      });
      return writeEmbeddings(call, texts.length, { model, vectors, tokens: countOf(recordOf(usage).total_tokens) });
    },
  };
}
