import type { ChatClientCodec } from '../../canonical/chat-codec.ts';
import { readChatRequest } from './read-request.ts';
import { writeChatResponse } from './write-response.ts';
import { createChatStreamWriter } from './write-stream.ts';

export const openaiChatClient: ChatClientCodec = {
  protocol: 'openai-chat',
  readRequest: (body) => readChatRequest(body),
  createStreamWriter: createChatStreamWriter,
  writeResponse: writeChatResponse,
};
