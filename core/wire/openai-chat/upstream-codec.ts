import type { ChatUpstreamCodec } from '../../canonical/chat-codec.ts';
import { recordOf, recordsOf } from '../../lib/json-value.ts';
import { createOpenAiChatReader } from './read-stream.ts';
import { writeOpenAiChatRequest } from './write-request.ts';

export const openaiChatUpstream: ChatUpstreamCodec = {
  protocol: 'openai-chat',
  writeRequest: writeOpenAiChatRequest,
  createStreamReader: createOpenAiChatReader,
  isResponse: (response) => recordsOf(recordOf(response).choices).length > 0,
  readResponse(response, context) {
    const reader = createOpenAiChatReader(context);
    // A whole response is one event; what it leaves out is not cut off.
    return [...reader.event(response), ...reader.event('[DONE]'), ...reader.end()];
  },
};
