import type { ChatUpstreamCodec } from '../../canonical/chat-codec.ts';
import { isJsonObject, recordOf } from '../../lib/json-value.ts';
import { createOllamaReader } from './read-stream.ts';
import { writeOllamaRequest } from './write-request.ts';

export const ollamaChat: ChatUpstreamCodec = {
  protocol: 'vendor',
  writeRequest: writeOllamaRequest,
  createStreamReader: createOllamaReader,
  isResponse: (response) => isJsonObject(recordOf(response).message),
  readResponse(response, context) {
    const reader = createOllamaReader(context);
    return [...reader.event(response), ...reader.end()];
  },
};
