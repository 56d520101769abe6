import { isJsonObject } from '../../lib/json-value.ts';
import { noEvent } from '../event-reading.ts';
import type { Protocol } from '../protocol.ts';
import { checkRerankBody, parseRerank } from './read-request.ts';
import { readRerankUsage } from './usage.ts';

/** Documents in the order of a query, in Jina's form, which most servers have taken over. */
export const rerank: Protocol = {
  name: 'rerank',
  path: '/v1/rerank',
  body: 'json',
  parse: parseRerank,
  checkBody: checkRerankBody,
  isResponse: (response) => isJsonObject(response) && Array.isArray(response.results),
  readUsage: readRerankUsage,
  readText: () => [],
  readEvent: noEvent,
  terminal: '',
  needsFinish: false,
};
