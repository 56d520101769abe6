import type { Readable } from 'node:stream';
import type { CancelSignal } from '../../lib/cancellation.ts';
import type { OutboundProfile } from './address-rules.ts';
import { type UpstreamAnswer, UpstreamCall } from './upstream-call.ts';
import { UpstreamFailure } from './upstream-failure.ts';
import type { PoolRegistry, TrackedOptions } from './upstream-pool.ts';

export type { UpstreamAnswer } from './upstream-call.ts';
export { UpstreamFailure, type UpstreamFailureKind } from './upstream-failure.ts';

export interface UpstreamRequest {
  url: string;
  method: string;
  /** Lower-case names. Connection headers, `host` and, unless the body is a stream, `content-length` are ours and left out. */
  headers: Record<string, string>;
  body: Buffer | string | Readable | null;
  limits: {
    headersMs: number;
    /** Between two chunks; time in which the reader did not want more does not count. */
    idleMs: number;
    totalMs?: number;
  };
  /** Root saved the address, so loopback and private ones are meant. */
  privateAllowed: boolean;
  /** `http://`, `https://` or `socks5://`, with name and password if need be. */
  proxy?: string;
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

export function createUpstreamClient(pools: PoolRegistry) {
  function send(request: UpstreamRequest, signal?: CancelSignal): Promise<UpstreamAnswer> {
    return sendAs(request.privateAllowed ? 'operatorPrivate' : 'operator', request, signal);
  }

  /** Resolves when the headers are there, whatever the status; rejects with an `UpstreamFailure`. Follows no redirect. */
  function sendAs(profile: OutboundProfile, request: UpstreamRequest, signal?: CancelSignal): Promise<UpstreamAnswer> {
    if (signal?.aborted) {
      return Promise.reject(new UpstreamFailure('aborted', { sentNothing: true, cause: signal.reason }));
    }
    const { url, method, body, limits } = request;
    const split = pathStart(url);
    try {
      const entry = pools.get(url.slice(0, split), profile, request.proxy);
      const isStream = isReadable(body);
      entry.inFlight++;
      const call = new UpstreamCall({
        headersMs: limits.headersMs,
        totalMs: limits.totalMs,
        signal,
        canRepeat: !isStream,
        onRelease: () => {
          entry.inFlight--;
          entry.lastUsed = performance.now();
        },
      });
      const options: TrackedOptions = {
        path: pathOf(url, split),
        method,
        headers: headerList(request.headers, isStream),
        body,
        headersTimeout: limits.headersMs,
        bodyTimeout: limits.idleMs,
        track: call,
      };
      entry.pool.dispatch(options, call);
      return call.answer;
    } catch (error) {
      // The address could not be read or may not be called; everything later reaches the call itself.
      return Promise.reject(error);
    }
  }

  return { send, sendAs };
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
