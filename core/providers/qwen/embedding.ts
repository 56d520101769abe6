import { AppError } from '../../errors/app-error.ts';
import { definedFields } from '../../lib/defined-fields.ts';
import { countOf, recordOf, recordsOf } from '../../lib/json-value.ts';
import { embeddingTexts } from '../../wire/openai-embedding/read-request.ts';
import { writeEmbeddings } from '../../wire/openai-embedding/write-response.ts';
import type { UpstreamCall, UpstreamRequest } from '../adapter.ts';
import { qwenLabel } from './address.ts';

/** Of one call: the two oldest models take more. */
const mostTexts = 10;
const mostOldTexts = 25;

export function writeEmbedding(call: UpstreamCall): Pick<Required<UpstreamRequest>, 'body' | 'readAnswer'> {
  const { model, fields, body = {} } = call;
  const texts = embeddingTexts(call, qwenLabel);
  const maximum = /-v[12]$/.test(model) ? mostOldTexts : mostTexts;
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
    readAnswer(answer) {
      const { output, usage } = recordOf(answer);
      const vectors: unknown[] = [];
      recordsOf(recordOf(output).embeddings).forEach(({ text_index, embedding }, position) => {
        vectors[countOf(text_index) ?? position] = embedding;
      });
      return writeEmbeddings(call, texts.length, { model, vectors, tokens: countOf(recordOf(usage).total_tokens) });
    },
  };
}
