import type { RelayRequest, RequestFields } from '../../canonical/request.ts';
import { isJsonObject } from '../../lib/json-value.ts';
import { noEvent } from '../event-reading.ts';
import { readResponseUsage } from '../openai-chat/usage.ts';
import type { Protocol } from '../protocol.ts';
import { readModel, requireTextOrList } from '../request-field.ts';

const defaultModel = 'omni-moderation-latest';

export const openaiModeration: Protocol = {
  name: 'openai-moderation',
  path: '/v1/moderations',
  body: 'json',
  defaultModel,
  parse: parseModeration,
  isResponse: (response) => isJsonObject(response) && Array.isArray(response.results),
  readUsage: (response) => readResponseUsage(response, { hasCompletion: false }),
  readText: () => [],
  readEvent: noEvent,
  terminal: '',
  needsFinish: false,
};

function parseModeration(fields: RequestFields, pathModel?: string): RelayRequest {
  const model = readModel(fields, pathModel, defaultModel);
  requireTextOrList(fields, 'input');
  return { model, stream: false, wantsUsage: false, maxCompletion: 0, units: {} };
}
