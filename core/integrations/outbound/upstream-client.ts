import type { Readable } from 'node:stream';
import type { CancelSignal } from '../../lib/cancellation.ts';
import { userAgent } from '../../version.ts';
import type { OutboundProfile } from './address-rules.ts';
import { SocketCall } from './socket-call.ts';
import { type UpstreamAnswer, UpstreamCall, type UpstreamLimits } from './upstream-call.ts';
import { UpstreamFailure } from './upstream-failure.ts';
import type { PoolRegistry, TrackedOptions } from './upstream-pool.ts';
import type { OpenWebSocket } from './web-socket.ts';

export type { UpstreamAnswer } from './upstream-call.ts';
export { UpstreamFailure, type UpstreamFailureKind } from './upstream-failure.ts';

/** A call under way: its `answer` comes with the headers, and `abort` ends it at any time. */
export type StartedCall = Pick<UpstreamCall | SocketCall, 'answer' | 'abort'>;

export interface UpstreamRequest {
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
  /** Over a WebSocket: the body is its one message, the messages that come back are the events of the answer. */
  socket?: SocketUse;
}

export interface SocketUse {
  /** The message ends the answer: the socket is closed, whatever the upstream means to do with it. */
  isLast(message: string): boolean;
}

const ownHeaders = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);

export function createUpstreamClient(pools: PoolRegistry, openWebSocket: OpenWebSocket) {
  /** Follows no redirect. Throws an `UpstreamFailure` when the address cannot be read or may not be called. */
  function open(
    profile: OutboundProfile,
    { url, method, headers, body, limits, proxy }: UpstreamRequest,
  ): UpstreamCall {
    const split = pathStart(url);
    const entry = pools.get(url.slice(0, split), profile, proxy);
    const isStream = isReadable(body);
    const call = new UpstreamCall(entry, limits, !isStream);
    const options: TrackedOptions = {
      path: pathOf(url, split),
      method,
      headers: headerList(headers, isStream),
      body,
      headersTimeout: limits.headersMs,
      bodyTimeout: limits.idleMs,
      track: call,
    };
    entry.pool.dispatch(options, call);
    return call;
  }

  function start(request: UpstreamRequest): StartedCall {
    if (request.socket) return new SocketCall(openWebSocket, request, request.socket);
    return open(request.privateAllowed ? 'operatorPrivate' : 'operator', request);
  }

  function send(request: UpstreamRequest, signal?: CancelSignal): Promise<UpstreamAnswer> {
    return sendAs(request.privateAllowed ? 'operatorPrivate' : 'operator', request, signal);
  }

  async function sendAs(
    profile: OutboundProfile,
    request: UpstreamRequest,
    signal?: CancelSignal,
  ): Promise<UpstreamAnswer> {
    if (signal?.aborted) throw new UpstreamFailure('aborted', { sentNothing: true, cause: signal.reason });
    if (request.socket) {
      const call = new SocketCall(openWebSocket, request, request.socket);
      signal?.addEventListener('abort', () => call.abort(signal.reason), { once: true });
      return call.answer;
    }
    const call = open(profile, request);
    if (signal) call.follow(signal);
    return call.answer;
  }

  return { start, send, sendAs };
}

export type UpstreamClient = ReturnType<typeof createUpstreamClient>;

// Called for each request: a URL object costs more than the rest of the preparation together.
function pathStart(url: string): number {
  const start = url.indexOf('://') + 3;
  for (let index = start; index < url.length; index++) {
    const code = url.charCodeAt(index);
    if (code === 0x2f || code === 0x3f || code === 0x23) return index; // slash, question mark, hash
  }
  return url.length;
}

function pathOf(url: string, start: number): string {
  const hash = url.indexOf('#', start);
  const path = hash === -1 ? url.slice(start) : url.slice(start, hash);
  return path.startsWith('/') ? path : `/${path}`;
}

/** undici takes names and values in turn; an upstream that compresses all the same is decoded by the call. */
function headerList(headers: Record<string, string>, isStream: boolean): string[] {
  const list = ['accept-encoding', 'identity'];
  if (headers['user-agent'] === undefined) list.push('user-agent', userAgent);
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || ownHeaders.has(name) || name === 'accept-encoding') continue;
    if (name === 'content-length' && !isStream) continue;
    list.push(name, value);
  }
  return list;
}

function isReadable(body: UpstreamRequest['body']): body is Readable {
  return body !== null && typeof body === 'object' && !Buffer.isBuffer(body);
}
