import type { ChatClientCodec, ChatUpstreamCodec } from '../../core/canonical/chat-codec.ts';
import type { ChatProtocol } from '../../core/canonical/chat-request.ts';
import { anthropicClient } from '../../core/protocols/anthropic-messages/codec.ts';
import { geminiClient } from '../../core/protocols/gemini/codec.ts';
import { openaiChatClient } from '../../core/protocols/openai-chat/codec.ts';
import { openaiResponsesClient } from '../../core/protocols/openai-responses/codec.ts';
import { anthropicUpstream } from '../../core/providers/anthropic/codec.ts';
import { geminiUpstream } from '../../core/providers/gemini/codec.ts';
import { openaiChatUpstream } from '../../core/providers/openai-chat/codec.ts';
import { openaiResponsesUpstream } from '../../core/providers/openai-responses/codec.ts';

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
