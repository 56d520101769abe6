import type { RelayRequest, RequestFields } from '../../canonical/request.ts';
import { budgetOf, readBilledObject } from '../billed-field.ts';
import { defineChatProtocol } from '../chat-protocol.ts';
import {
  maxTokenCount,
  readBoolean,
  readInteger,
  readModel,
  refuseFields,
  requireItems,
  wrong,
} from '../request-field.ts';
import { anthropicClient } from './client-codec.ts';
import { anthropicUpstream } from './upstream-codec.ts';

export const anthropicMessages = defineChatProtocol(anthropicClient, anthropicUpstream, {
  path: '/v1/messages',
  parse: parseMessages,
  terminal: 'event: message_stop\ndata: {"type":"message_stop"}\n\n',
});

function parseMessages(fields: RequestFields): RelayRequest {
  const model = readModel(fields, undefined);
  // Models that are neither the one that is paid nor one the key may use; and a conversation that any customer could go on with.
  refuseFields(fields, ['fallbacks', 'models', 'thread']);
  requireItems(fields, 'messages');
  const maximum = readInteger(fields, 'max_tokens', 0, maxTokenCount);
  if (maximum === undefined) throw wrong('request.fieldMissing', 'max_tokens');
  return {
    model,
    stream: readBoolean(fields, 'stream'),
    wantsUsage: true,
    maxCompletion: maximum,
    units: {},
    ...readThinking(fields),
  };
}

function readThinking(fields: RequestFields): Pick<RelayRequest, 'thinking'> {
  const thinking = readBilledObject(fields, 'thinking');
  if (!thinking || thinking.type === 'disabled') return {};
  return { thinking: budgetOf(thinking.budget_tokens) };
}
