import type { RelayRequest, RequestFields } from '../../canonical/request.ts';
import { isJsonObject } from '../../lib/json-value.ts';
import { readBoolean, readInteger, readModel, requireItems, wrong } from '../request-field.ts';

export function parseRerank(fields: RequestFields, pathModel?: string): RelayRequest {
  const model = readModel(fields, pathModel);
  if (!fields.has('query')) throw wrong('request.fieldMissing', 'query');
  requireItems(fields, 'documents');
  readInteger(fields, 'top_n', 1, 2 ** 31 - 1);
  readBoolean(fields, 'return_documents');
  // A rerank writes nothing: the hold is the prompt, or the searches.
  return {
    model,
    stream: false,
    wantsUsage: false,
    maxCompletion: 0,
    units: { documents: fields.count('documents') ?? 0 },
  };
}

/** Texts, or objects where a model reads more than text. */
export function checkRerankBody({ query, documents }: Record<string, unknown>): void {
  if (query === '') throw wrong('request.fieldEmpty', 'query');
  if (typeof query !== 'string' && !isJsonObject(query)) throw wrong('request.notText', 'query');
  if (!Array.isArray(documents)) throw wrong('request.notList', 'documents');
  documents.forEach((document: unknown, index) => {
    if (typeof document !== 'string' && !isJsonObject(document)) throw wrong('request.notText', `documents[${index}]`);
  });
}
