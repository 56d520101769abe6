import { isChatProtocol } from '../canonical/chat-request.ts';
import type { ProtocolName } from '../canonical/request.ts';
import type { ChannelTarget, ProviderAdapter } from './adapter.ts';

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
