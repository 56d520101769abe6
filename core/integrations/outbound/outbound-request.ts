import type { Readable } from 'node:stream';
import type { UpstreamLimits } from './upstream-response.ts';

export interface OutboundRequest {
  url: string;
  method: string;
  /** Lower-case names. Connection headers, `host` and, unless the body is a stream, `content-length` are ours and left out. */
  headers: Record<string, string>;
  body: Buffer | string | Readable | null;
  limits: UpstreamLimits;
  /** Root saved the address, so loopback and private ones are meant. */
  privateAllowed: boolean;
  /** `http://`, `https://` or `socks5://`, with name and password if need be. */
  proxy?: string | undefined;
  /** Over a WebSocket: the body is its one message, the messages that come back are the events of the response. */
  socket?: SocketUse;
}

export interface SocketUse {
  /** The message ends the response: the socket is closed, whatever the upstream means to do with it. */
  isLast(message: string): boolean;
}
