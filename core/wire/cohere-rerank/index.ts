import { emptyUsage, type Usage } from '../../canonical/usage.ts';
import { recordOf } from '../../lib/json-value.ts';
import type { Protocol } from '../protocol.ts';
import { rerank } from '../rerank/index.ts';
import { readSearches } from '../rerank/usage.ts';
import { fromRerank, toRerank } from './convert.ts';

/** The same in Cohere's own form, as its SDK has spoken it since version 2 of the API. */
export const cohereRerank: Protocol = {
  ...rerank,
  name: 'cohere-rerank',
  path: '/v2/rerank',
  readUsage: readCohereUsage,
  usageMember: 'meta',
  common: { protocol: 'rerank', write: toRerank, read: fromRerank },
};

function readCohereUsage(response: unknown): Usage | undefined {
  const searches = readSearches(recordOf(response));
  return searches === undefined ? undefined : { ...emptyUsage, searches };
}
