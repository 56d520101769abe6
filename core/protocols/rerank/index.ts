import type { RelayRequest, RequestFields } from '../../canonical/request.ts';
import { emptyUsage, type Usage } from '../../canonical/usage.ts';
import { recordOf } from '../../lib/json-value.ts';
import { readSearches } from '../../providers/rerank.ts';
import { readAnswerUsage } from '../../wire/openai-chat/usage.ts';
import type { Protocol } from '../../wire/protocol.ts';
import { isRecord, readBoolean, readInteger, readModel, requireItems, wrong } from '../../wire/request-field.ts';
import { noEvent } from '../../wire/whole-answer.ts';

/** Documents in the order of a query, in Jina's form, which most servers have taken over. */
export const rerank: Protocol = {
  name: 'rerank',
  path: '/v1/rerank',
  body: 'json',
  parse: parseRerank,
  checkBody: checkRerankBody,
  isAnswer: (answer) => isRecord(answer) && Array.isArray(answer.results),
  readUsage: readRerankUsage,
  readText: () => [],
  readEvent: noEvent,
  terminal: '',
  needsFinish: false,
};

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
  if (typeof query !== 'string' && !isRecord(query)) throw wrong('request.notText', 'query');
  if (!Array.isArray(documents)) throw wrong('request.notList', 'documents');
  documents.forEach((document: unknown, index) => {
    if (typeof document !== 'string' && !isRecord(document)) throw wrong('request.notText', `documents[${index}]`);
  });
}

/** Tokens, searches or both: vendors sell by the one or by the other. */
export function readRerankUsage(answer: unknown): Usage | undefined {
  const tokens = readAnswerUsage(answer, { hasCompletion: false });
  const searches = readSearches(recordOf(answer));
  return searches === undefined ? tokens : { ...(tokens ?? emptyUsage), searches };
}
