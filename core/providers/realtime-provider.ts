import type { ChannelTarget } from './adapter.ts';

/** What a vendor needs to know to open a realtime session. */
export interface RealtimeRequest {
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
export type RealtimeProvider = (call: RealtimeRequest, channel: ChannelTarget) => RealtimeAddress;
