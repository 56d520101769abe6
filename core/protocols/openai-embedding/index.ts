import type { RelayRequest, RequestFields } from '../../canonical/request.ts';
import { readAnswerUsage } from '../../wire/openai-chat/usage.ts';
import type { Protocol } from '../../wire/protocol.ts';
import { isRecord, readInteger, readModel, readText, requireTextOrList, wrong } from '../../wire/request-field.ts';
import { checkTextOrTokens } from '../../wire/text-input.ts';
import { noEvent } from '../../wire/whole-answer.ts';

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

function parseEmbedding(fields: RequestFields, pathModel?: string): RelayRequest {
  const model = readModel(fields, pathModel);
  requireTextOrList(fields, 'input');
  readInteger(fields, 'dimensions', 1, 65_536);
  readText(fields, 'encoding_format', 32);
  // Embeddings write nothing: the hold is the prompt alone.
  return { model, stream: false, wantsUsage: false, maxCompletion: 0, units: {} };
}

function checkEmbeddingBody({ input }: Record<string, unknown>): void {
  // Some vendors embed pictures, given as objects with one text or image member each.
  if (Array.isArray(input) && isRecord(input[0])) {
    input.forEach((item, index) => {
      if (!isRecord(item)) throw wrong('request.notObject', `input[${index}]`);
    });
    return;
  }
  checkTextOrTokens(input, 'input');
}
