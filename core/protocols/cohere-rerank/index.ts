import { emptyUsage, type Usage } from '../../canonical/usage.ts';
import { isRecord, recordOf } from '../../lib/json-value.ts';
import { readSearches } from '../../providers/rerank.ts';
import type { Protocol } from '../../wire/protocol.ts';
import { checkRerankBody, parseRerank, rerank } from '../rerank/index.ts';
import { fromRerank, toRerank } from './convert.ts';

/** The same in Cohere's own form, as its SDK has spoken it since version 2 of the API. */
export const cohereRerank: Protocol = {
  ...rerank,
  name: 'cohere-rerank',
  path: '/v2/rerank',
  parse: parseRerank,
  checkBody: checkRerankBody,
  isAnswer: (answer) => isRecord(answer) && Array.isArray(answer.results),
  readUsage: readCohereUsage,
  usageMember: 'meta',
  common: { protocol: 'rerank', write: toRerank, read: fromRerank },
};

function readCohereUsage(answer: unknown): Usage | undefined {
  const searches = readSearches(recordOf(answer));
  return searches === undefined ? undefined : { ...emptyUsage, searches };
}
