import { AppError } from '../../errors/app-error.ts';
import { countOf, recordOf, recordsOf } from '../../lib/json-value.ts';
import type { UpstreamCall, UpstreamRequest } from '../adapter.ts';
import { toBatchEmbedding } from '../gemini/embedding.ts';

type Embedding = Required<Pick<UpstreamRequest, 'body' | 'readResponse'>> & { action: 'predict' | 'embedContent' };

/** An OpenAI embeddings call as Vertex takes it; models after `gemini-embedding-001` know only the form with one text. */
export function toVertexEmbedding(call: UpstreamCall, model: string, provider: string): Embedding {
  const batch = toBatchEmbedding(call, model, provider);
  const requests = recordsOf(batch.body.requests);
  const size = requests[0]?.outputDimensionality;
  const dimensions = size === undefined ? {} : { outputDimensionality: size };
  if (/^gemini-embedding-(?!001)/.test(model)) {
    if (requests.length > 1)
      throw new AppError('provider.fieldNotOffered', { provider, field: 'input[1]' }, { param: 'input' });
    const body = { content: requests[0]?.content, ...dimensions };
    return { action: 'embedContent', body, readResponse: (response) => batch.readResponse(oneAsBatch(response)) };
  }
  return {
    action: 'predict',
    body: { instances: requests.map(({ content }) => ({ content: textIn(content) })), parameters: dimensions },
    readResponse: (response) => batch.readResponse(predictionsAsBatch(response)),
  };
}

function textIn(content: unknown): unknown {
  return recordsOf(recordOf(content).parts)[0]?.text;
}

function oneAsBatch(response: unknown): unknown {
  const { embedding, ...rest } = recordOf(response);
  return { ...rest, embeddings: [embedding] };
}

/** Each prediction counts its own tokens. */
function predictionsAsBatch(response: unknown): unknown {
  const embeddings = recordsOf(recordOf(response).predictions).map((prediction) => recordOf(prediction.embeddings));
  const counts = embeddings.map(({ statistics }) => countOf(recordOf(statistics).token_count));
  const total = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  return { embeddings, ...(counts.every(Boolean) && { usageMetadata: { promptTokenCount: total } }) };
}
