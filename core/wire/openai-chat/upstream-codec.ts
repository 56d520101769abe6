import type { ChatUpstreamCodec } from '../../canonical/chat-codec.ts';
import { isJsonObject, type JsonObject, recordOf, recordsOf } from '../../lib/json-value.ts';
import { bareText } from './choice-words.ts';
import { isFinishReason } from './finish-reason.ts';
import { createOpenAiChatReader } from './read-stream.ts';
import { writeOpenAiChatRequest } from './write-request.ts';

export const openaiChatUpstream: ChatUpstreamCodec = {
  protocol: 'openai-chat',
  writeRequest: writeOpenAiChatRequest,
  createStreamReader: createOpenAiChatReader,
  isResponse: (response) => recordsOf(recordOf(response).choices).some(saysSomething),
  readResponse(response, context) {
    const reader = createOpenAiChatReader(context);
    // A whole response is one event; what it leaves out is not cut off.
    return [...reader.event(response), ...reader.event('[DONE]'), ...reader.end()];
  },
};

/** A filtered choice may be no more than its end. */
function saysSomething(choice: JsonObject): boolean {
  const { message, delta, finish_reason: reason } = choice;
  return isJsonObject(message) || isJsonObject(delta) || bareText(choice) !== undefined || isFinishReason(reason);
}
