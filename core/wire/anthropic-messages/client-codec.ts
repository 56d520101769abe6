import type { ChatClientCodec } from '../../canonical/chat-codec.ts';
import { readAnthropicRequest } from './read-request.ts';
import { writeAnthropicResponse } from './write-response.ts';
import { createAnthropicStreamWriter } from './write-stream.ts';

export const anthropicClient: ChatClientCodec = {
  protocol: 'anthropic-messages',
  readRequest: (body) => readAnthropicRequest(body),
  createStreamWriter: createAnthropicStreamWriter,
  writeResponse: writeAnthropicResponse,
};
