import type { ChannelTarget } from './adapter.ts';
import { azureRealtime } from './azure/realtime.ts';
import { openAiRealtime } from './openai/realtime.ts';

/** What a vendor needs to know to open a realtime session. */
export interface RealtimeCall {
  /** Name after the channel's model mapping. */
  model: string;
  query: URLSearchParams;
  /** The client speaks the beta of the interface, whose events have other names. */
  isBeta: boolean;
}

/** Where a WebSocket is opened (`http` or `https`, as all addresses of channels), and with which headers. */
export interface RealtimeAddress {
  url: string;
  headers: Record<string, string>;
}

/** Throws AppError when the channel lacks something. */
export type RealtimeProvider = (call: RealtimeCall, channel: ChannelTarget) => RealtimeAddress;

/** Vendors that offer realtime sessions, by channel type number. */
const providers: ReadonlyMap<number, RealtimeProvider> = new Map([
  [1, openAiRealtime],
  [3, azureRealtime],
]);

export function realtimeProviderFor(type: number): RealtimeProvider | undefined {
  return providers.get(type);
}
