import type { RelayRequest, RequestFields } from '../../canonical/request.ts';
import { readBilledObject } from '../billed-field.ts';
import { defineChatProtocol } from '../chat-protocol.ts';
import { notOffered, readBoolean, readLimit, readModel, refuseFields, unsetLimits } from '../request-field.ts';
import { openaiResponsesClient } from './client-codec.ts';
import { openaiResponsesUpstream } from './upstream-codec.ts';

export const openaiResponses = defineChatProtocol(openaiResponsesClient, openaiResponsesUpstream, {
  path: '/v1/responses',
  parse: parseResponses,
  terminal: '',
});

/** `input` may be missing: an earlier response can stand for it. */
function parseResponses(fields: RequestFields, pathModel?: string): RelayRequest {
  const model = readModel(fields, pathModel);
  // The response would be made after the bill, and be read for nothing.
  if (readBoolean(fields, 'background')) throw notOffered('background');
  // To an upstream all our users are one: what one of them said there would be the next one's to read.
  refuseFields(fields, ['conversation', 'prompt']);
  // OpenRouter's list of models to turn to, which are neither paid nor allowed to the key.
  refuseFields(fields, ['models']);
  const unset = unsetLimits(fields, ['max_output_tokens']);
  const maxCompletion = readLimit(fields, 'max_output_tokens');
  const { effort = 'none' } = readBilledObject(fields, 'reasoning') ?? {};
  return {
    model,
    stream: readBoolean(fields, 'stream'),
    wantsUsage: true,
    maxCompletion,
    units: {},
    ...unset,
    ...(effort !== 'none' && { thinking: 0 }),
  };
}
