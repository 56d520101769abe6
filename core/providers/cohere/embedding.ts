import { AppError } from '../../errors/app-error.ts';
import { definedFields } from '../../lib/defined-fields.ts';
import { countOf, isJsonObject, type JsonObject, recordOf, textOf } from '../../lib/json-value.ts';
import { embeddingTexts } from '../../wire/openai-embedding/read-request.ts';
import { writeEmbeddings } from '../../wire/openai-embedding/write-response.ts';
import type { UpstreamCall, UpstreamRequest } from '../adapter.ts';
import { cohereLabel } from './label.ts';

/** Of one call. */
const maxInputs = 96;

/** Newer models have to be told what the vectors are for; most are kept to be searched. */
const defaultPurpose = 'search_document';

export function writeEmbedding(call: UpstreamCall): Pick<Required<UpstreamRequest>, 'body' | 'readResponse'> {
  const { model, fields, body = {} } = call;
  const inputs = inputsOf(call);
  if (inputs.count > maxInputs)
    throw new AppError('request.tooMany', { field: 'input', maximum: maxInputs }, { param: 'input' });
  return {
    body: definedFields({
      model,
      ...inputs.members,
      input_type: textOf(body.input_type) || defaultPurpose,
      embedding_types: ['float'],
      truncate: textOf(body.truncate) || 'END',
      output_dimension: fields.value('dimensions') ?? undefined,
    }),
    readResponse(response) {
      const { embeddings, meta } = recordOf(response);
      const billed = recordOf(recordOf(meta).billed_units);
      const [text, pictures] = [countOf(billed.input_tokens), countOf(billed.image_tokens)];
      const float = recordOf(embeddings).float;
      return writeEmbeddings(call, inputs.count, {
        model,
        vectors: Array.isArray(float) ? float : [],
        tokens: text === undefined && pictures === undefined ? undefined : (text ?? 0) + (pictures ?? 0),
      });
    },
  };
}

/** Texts, or texts and pictures for models that read both. */
function inputsOf(call: UpstreamCall): { count: number; members: JsonObject } {
  const input = call.body?.input;
  if (!(Array.isArray(input) && input.every(isJsonObject))) {
    const texts = embeddingTexts(call, cohereLabel);
    return { count: texts.length, members: { texts } };
  }
  const inputs = input.map(({ text, image }) => ({
    content: [
      typeof image === 'string'
        ? { type: 'image_url', image_url: { url: image } }
        : { type: 'text', text: textOf(text) },
    ],
  }));
  return { count: inputs.length, members: { inputs } };
}
