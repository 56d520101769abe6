import type { ChatUpstreamCodec } from '../../canonical/chat-codec.ts';
import { recordOf, recordsOf } from '../../lib/json-value.ts';
import { createOpenAiChatReader } from './read-stream.ts';
import { writeOpenAiChatRequest } from './write-request.ts';

export const openaiChatUpstream: ChatUpstreamCodec = {
  protocol: 'openai-chat',
  writeRequest: writeOpenAiChatRequest,
  createStreamReader: createOpenAiChatReader,
  isAnswer: (answer) => recordsOf(recordOf(answer).choices).length > 0,
  readAnswer(answer, context) {
    const reader = createOpenAiChatReader(context);
    // A whole answer is one event; what it leaves out is not cut off.
    return [...reader.event(answer), ...reader.event('[DONE]'), ...reader.end()];
  },
};
