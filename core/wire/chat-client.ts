import type { ChatClientCodec } from '../canonical/chat-codec.ts';
import type { ChatProtocol } from '../canonical/chat-request.ts';
import { anthropicClient } from './anthropic-messages/client-codec.ts';
import { geminiClient } from './gemini/client-codec.ts';
import { openaiChatClient } from './openai-chat/client-codec.ts';
import { openaiResponsesClient } from './openai-responses/client-codec.ts';

/** Reads requests and writes responses of each chat protocol. */
export const chatClients: Readonly<Record<ChatProtocol, ChatClientCodec>> = {
  'openai-chat': openaiChatClient,
  'openai-responses': openaiResponsesClient,
  'anthropic-messages': anthropicClient,
  gemini: geminiClient,
};
