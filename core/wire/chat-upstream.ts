import type { ChatUpstreamCodec } from '../canonical/chat-codec.ts';
import type { ChatProtocol } from '../canonical/chat-request.ts';
import { anthropicUpstream } from './anthropic-messages/upstream-codec.ts';
import { geminiUpstream } from './gemini/upstream-codec.ts';
import { openaiChatUpstream } from './openai-chat/upstream-codec.ts';
import { openaiResponsesUpstream } from './openai-responses/upstream-codec.ts';

/** How upstreams of each chat protocol are spoken to. */
export const chatUpstreams: Readonly<Record<ChatProtocol, ChatUpstreamCodec>> = {
  'openai-chat': openaiChatUpstream,
  'openai-responses': openaiResponsesUpstream,
  'anthropic-messages': anthropicUpstream,
  gemini: geminiUpstream,
};
