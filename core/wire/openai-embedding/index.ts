import { isRecord } from '../../lib/json-value.ts';
import { noEvent } from '../event-reading.ts';
import { readAnswerUsage } from '../openai-chat/usage.ts';
import type { Protocol } from '../protocol.ts';
import { checkEmbeddingBody, parseEmbedding } from './read-request.ts';

export const openaiEmbedding: Protocol = {
  name: 'openai-embedding',
  path: '/v1/embeddings',
  body: 'json',
  parse: parseEmbedding,
  checkBody: checkEmbeddingBody,
  isAnswer: (answer) => isRecord(answer) && Array.isArray(answer.data),
  readUsage: (answer) => readAnswerUsage(answer, { hasCompletion: false }),
  readText: () => [],
  readEvent: noEvent,
  terminal: '',
  needsFinish: false,
};
