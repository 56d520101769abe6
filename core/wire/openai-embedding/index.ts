import { isJsonObject } from '../../lib/json-value.ts';
import { noEvent } from '../event-reading.ts';
import { readResponseUsage } from '../openai-chat/usage.ts';
import type { Protocol } from '../protocol.ts';
import { checkEmbeddingBody, parseEmbedding } from './read-request.ts';

export const openaiEmbedding: Protocol = {
  name: 'openai-embedding',
  path: '/v1/embeddings',
  body: 'json',
  parse: parseEmbedding,
  checkBody: checkEmbeddingBody,
  isResponse: (response) => isJsonObject(response) && Array.isArray(response.data),
  readUsage: (response) => readResponseUsage(response, { hasCompletion: false }),
  readText: () => [],
  readEvent: noEvent,
  terminal: '',
  needsFinish: false,
};
