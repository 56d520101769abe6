import type { Readable } from 'node:stream';
import type { CancelSignal } from '../../lib/cancellation.ts';
import { userAgent } from '../../version.ts';
import type { OutboundProfile } from './address-rules.ts';
import type { OutboundRequest } from './outbound-request.ts';
import { SocketCall } from './socket-call.ts';
import { HttpCall } from './upstream-call.ts';
import { UpstreamFailure } from './upstream-failure.ts';
import type { PoolRegistry, TrackedOptions } from './upstream-pool.ts';
import type { UpstreamResponse } from './upstream-response.ts';
import type { OpenWebSocket } from './web-socket.ts';

export { UpstreamFailure, type UpstreamFailureKind } from './upstream-failure.ts';
export type { UpstreamResponse } from './upstream-response.ts';

/** A call under way: its `response` comes with the headers, and `abort` ends it at any time. */
export type StartedCall = Pick<HttpCall | SocketCall, 'response' | 'abort'>;

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
  function open(profile: OutboundProfile, { url, method, headers, body, limits, proxy }: OutboundRequest): HttpCall {
    const split = pathStart(url);
    const entry = pools.get(url.slice(0, split), profile, proxy);
    const isStream = isReadable(body);
    const call = new HttpCall(entry, limits, !isStream);
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

  function start(request: OutboundRequest): StartedCall {
    if (request.socket) return new SocketCall(openWebSocket, request, request.socket);
    return open(request.privateAllowed ? 'operatorPrivate' : 'operator', request);
  }

  /** Sends again, once, what a connection that had closed did not take; `start` leaves that to its caller. */
  function send(request: OutboundRequest, signal?: CancelSignal): Promise<UpstreamResponse> {
    return sendAs(request.privateAllowed ? 'operatorPrivate' : 'operator', request, signal);
  }

  async function sendAs(
    profile: OutboundProfile,
    request: OutboundRequest,
    signal?: CancelSignal,
  ): Promise<UpstreamResponse> {
    if (signal?.aborted) throw new UpstreamFailure('aborted', { sentNothing: true, cause: signal.reason });
    if (request.socket) {
      const call = new SocketCall(openWebSocket, request, request.socket);
      signal?.addEventListener('abort', () => call.abort(signal.reason), { once: true });
      return call.response;
    }
    const ask = () => {
      const call = open(profile, request);
      if (signal) call.follow(signal);
      return call.response;
    };
    return ask().catch((error: unknown) => (wasUnread(error) ? ask() : Promise.reject(error)));
  }

  return { start, send, sendAs };
}

export type UpstreamClient = ReturnType<typeof createUpstreamClient>;

/** A kept-alive connection that the other side closed as the call went out: most likely it was not read, and may be sent again, once. */
export function wasUnread(error: unknown): boolean {
  return error instanceof UpstreamFailure && error.sentNothing && error.kind === 'reset';
}

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

/** undici takes names and values in turn; an upstream that compresses anyway is decoded by the call. */
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

function isReadable(body: OutboundRequest['body']): body is Readable {
  return body !== null && typeof body === 'object' && !Buffer.isBuffer(body);
}
