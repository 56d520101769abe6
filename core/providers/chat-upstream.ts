import type { ChatUpstreamCodec } from '../canonical/chat-codec.ts';
import { type ChatProtocol, isChatProtocol } from '../canonical/chat-request.ts';
import type { ProtocolName } from '../canonical/request.ts';
import type { ChannelTarget, ProviderAdapter } from './adapter.ts';
import { anthropicUpstream } from './anthropic/codec.ts';
import { geminiUpstream } from './gemini/codec.ts';
import { openaiChatUpstream } from './openai-chat/codec.ts';
import { openaiResponsesUpstream } from './openai-responses/codec.ts';

/** How upstreams of each chat protocol are spoken to. */
export const chatUpstreams: Readonly<Record<ChatProtocol, ChatUpstreamCodec>> = {
  'openai-chat': openaiChatUpstream,
  'openai-responses': openaiResponsesUpstream,
  'anthropic-messages': anthropicUpstream,
  gemini: geminiUpstream,
};

/** What to speak to the vendor: the client's own protocol when the vendor knows it for this model, else the vendor's first one. */
export function upstreamProtocol(
  adapter: ProviderAdapter,
  protocol: ProtocolName,
  model: string,
  channel: ChannelTarget,
): ProtocolName {
  if (!isChatProtocol(protocol)) return protocol;
  if (!adapter.chatProtocols && adapter.protocols.has(protocol)) return protocol;
  const known = adapter.chatProtocols?.(model, channel) ?? [...adapter.protocols].filter(isChatProtocol);
  // One that speaks none refuses the call in its own words.
  return known.includes(protocol) ? protocol : (known[0] ?? protocol);
}
