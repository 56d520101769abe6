import type { ChatClientCodec, ChatUpstreamCodec } from '../../core/canonical/chat-codec.ts';
import type { ChatProtocol } from '../../core/canonical/chat-request.ts';
import { anthropicClient } from '../../core/wire/anthropic-messages/client-codec.ts';
import { anthropicUpstream } from '../../core/wire/anthropic-messages/upstream-codec.ts';
import { geminiClient } from '../../core/wire/gemini/client-codec.ts';
import { geminiUpstream } from '../../core/wire/gemini/upstream-codec.ts';
import { openaiChatClient } from '../../core/wire/openai-chat/client-codec.ts';
import { openaiChatUpstream } from '../../core/wire/openai-chat/upstream-codec.ts';
import { openaiResponsesClient } from '../../core/wire/openai-responses/client-codec.ts';
import { openaiResponsesUpstream } from '../../core/wire/openai-responses/upstream-codec.ts';

export const clients: Record<ChatProtocol, ChatClientCodec> = {
  'openai-chat': openaiChatClient,
  'openai-responses': openaiResponsesClient,
  'anthropic-messages': anthropicClient,
  gemini: geminiClient,
};
export const upstreams: Record<ChatProtocol, ChatUpstreamCodec> = {
  'openai-chat': openaiChatUpstream,
  'openai-responses': openaiResponsesUpstream,
  'anthropic-messages': anthropicUpstream,
  gemini: geminiUpstream,
};
