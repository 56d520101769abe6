import { definedFields } from '../../lib/defined-fields.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-value.ts';
import type { UpstreamCall, UpstreamRequest } from '../adapter.ts';

/** Documents are texts here: an object says its own, or all of its fields. */
export function writeRerank({ body = {}, model }: UpstreamCall): Pick<UpstreamRequest, 'body' | 'losses'> {
  const { query, documents, top_n, max_tokens_per_doc, priority, max_chunks_per_doc } = body;
  return {
    body: definedFields({
      model,
      query: textOfDocument(query),
      documents: Array.isArray(documents) ? documents.map(textOfDocument) : [],
      top_n: top_n ?? undefined,
      max_tokens_per_doc: max_tokens_per_doc ?? undefined,
      priority: priority ?? undefined,
    }),
    losses: max_chunks_per_doc === undefined ? [] : [{ field: 'max_chunks_per_doc', kind: 'dropped' }],
  };
}

function textOfDocument(document: unknown): unknown {
  if (!isJsonObject(document)) return document;
  return typeof document.text === 'string' ? document.text : linesOf(document);
}

/** As Cohere advises for what has fields. */
function linesOf(document: JsonObject): string {
  return Object.entries(document)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}
