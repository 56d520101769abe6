import type { Loss } from '../../canonical/loss.ts';
import { AppError } from '../../errors/app-error.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import { recordOf, recordsOf } from '../../lib/json-value.ts';
import { coded } from '../../text/coded.ts';
import { readVectors } from '../openai-embedding/read-response.ts';
import { embedRequests, isBatch } from './read-request.ts';

const upstream = 'OpenAI Embeddings';
/** Hints that only Google's models take. */
const dropped = ['taskType', 'task_type', 'title'];

/**
 * A Gemini embedding call for an upstream that speaks OpenAI's. Throws `convert.notPossible` for contents other than text and for
 * vectors of different lengths in one call.
 */
export function toOpenAiEmbedding(
  body: Record<string, unknown>,
  model: string,
): { body: Record<string, unknown>; losses: Loss[] } {
  const requests = embedRequests(body);
  const texts = requests.map(({ text }) => {
    if (text === undefined) throw notPossible('content.parts[].inlineData');
    return text;
  });
  const [dimensions, ...others] = new Set(requests.map((request) => request.dimensions));
  if (others.length > 0) throw notPossible('requests[].outputDimensionality');
  return {
    body: { model, input: isBatch(body) ? texts : texts[0], ...(dimensions !== undefined && { dimensions }) },
    losses: lossesOf(body),
  };
}

/** The response to `request`, a Gemini embedding call, from a response in OpenAI's form. Throws UpstreamError when it is not one. */
export function fromOpenAiEmbedding(response: unknown, request: Record<string, unknown>): Record<string, unknown> {
  const expected = embedRequests(request).length;
  const vectors = readVectors(response);
  const embeddings = Array.from({ length: expected }, (_, index) => ({ values: vectors[index] ?? missing(index) }));
  const prompt = recordOf(recordOf(response).usage).prompt_tokens;
  return {
    ...(isBatch(request) ? { embeddings } : { embedding: embeddings[0] }),
    ...(typeof prompt === 'number' && { usageMetadata: { promptTokenCount: prompt, totalTokenCount: prompt } }),
  };
}

function lossesOf(body: Record<string, unknown>): Loss[] {
  const requests = isBatch(body) ? recordsOf(body.requests) : [body];
  const fields = requests.flatMap((request) =>
    dropped.filter((key) => request[key] !== undefined || recordOf(request.embedContentConfig)[key] !== undefined),
  );
  return [...new Set(fields)].map((field) => ({ field, kind: 'dropped' }));
}

function notPossible(what: string): AppError {
  return new AppError('convert.notPossible', { what, upstream }, { param: what });
}

function missing(index: number): never {
  throw new UpstreamError({
    status: 502,
    code: 'bad_response_body',
    coded: coded('upstream.noVector', { index }),
    kind: 'retry',
  });
}
