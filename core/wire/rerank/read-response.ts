import type { RequestFields } from '../../canonical/request.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import { definedFields } from '../../lib/defined-fields.ts';
import { countOf, isJsonObject, type JsonObject, recordOf, recordsOf, textOf } from '../../lib/json-value.ts';
import { coded, type DetailKey } from '../../text/coded.ts';
import { readSearches } from './usage.ts';

interface RerankCall {
  model: string;
  body?: Record<string, unknown> | undefined;
  fields: RequestFields;
}

/**
 * A vendor's response in the form of the gateway: Jina's, and beside it what Cohere bills. Documents are given back when the client
 * asked for them, whether the vendor does so or not. Throws UpstreamError for an order that cannot be of these documents.
 */
export function readRerankResponse(response: unknown, call: RerankCall): JsonObject {
  const given = recordOf(response);
  const searches = readSearches(given);
  return definedFields({
    id: textOf(given.id) || undefined,
    model: textOf(given.model) || call.model,
    results: readResults(given.results, call),
    usage: readTokens(given),
    meta: searches === undefined ? undefined : { billed_units: { search_units: searches } },
  });
}

function readResults(results: unknown, { body, fields }: RerankCall): JsonObject[] {
  if (!Array.isArray(results)) throw badOrder('upstream.noResults');
  const documents: unknown[] = Array.isArray(body?.documents) ? body.documents : [];
  const limit = countOf(fields.value('top_n')) ?? documents.length;
  return recordsOf(results)
    .slice(0, limit)
    .map(({ index, relevance_score: score, document }) => {
      if (typeof score !== 'number') throw badOrder('upstream.noScore');
      const place = countOf(index);
      if (place === undefined || place >= documents.length) throw badOrder('upstream.strangeDocument');
      return definedFields({
        index: place,
        relevance_score: score,
        document: returnedDocument(fields.value('return_documents'), document, documents[place]),
      });
    });
}

/** Left out, the vendor decides. */
function returnedDocument(isAsked: unknown, given: unknown, sent: unknown): unknown {
  const document = isAsked === true ? (given ?? sent) : isAsked === false ? undefined : given;
  if (typeof document === 'string') return { text: document };
  return isJsonObject(document) ? document : undefined;
}

/** Jina and DashScope say `usage`, SiliconCloud `tokens` or `meta.tokens`. */
function readTokens({ usage, tokens, meta }: JsonObject): JsonObject | undefined {
  const given = [usage, tokens, recordOf(meta).tokens].find(isJsonObject) ?? {};
  const total = countOf(given.total_tokens);
  const completion = countOf(given.completion_tokens) ?? countOf(given.output_tokens) ?? 0;
  const prompt = countOf(given.prompt_tokens) || countOf(given.input_tokens) || (total ?? 0) - completion;
  return prompt > 0 ? { prompt_tokens: prompt, total_tokens: prompt + completion } : undefined;
}

function badOrder(key: DetailKey): UpstreamError {
  return new UpstreamError({
    status: 502,
    code: 'upstream_bad_answer',
    coded: coded(key),
    kind: 'retry',
  });
}
