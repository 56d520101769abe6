import type { Readable } from 'node:stream';
import { AppError } from '../../errors/app-error.ts';
import type { CancelSignal } from '../../lib/cancellation.ts';
import { type AddressRules, bareHost, checkUrl, type OutboundProfile, refused } from './address-rules.ts';
import { createConnect } from './connection.ts';
import { createResolveHost, type ResolveHost } from './resolve-host.ts';
import { createUpstreamClient } from './upstream-client.ts';
import { UpstreamFailure } from './upstream-failure.ts';
import { createPoolRegistry } from './upstream-pool.ts';
import type { UpstreamResponse } from './upstream-response.ts';
import { createWebSocketDoor } from './web-socket.ts';

export interface OutboundDependencies {
  rules: AddressRules;
  /** How a host name becomes addresses; the system's name servers when left out. */
  resolve?: ResolveHost;
  connectTimeoutMs?: number;
  certificateAuthorities?: string;
  /** True where nothing may leave the process. */
  isClosed?: () => boolean;
}

export interface FetchOptions {
  method?: string;
  /** Lower-case names. */
  headers?: Record<string, string>;
  body?: Buffer | string | Readable | null;
  profile: OutboundProfile;
  proxy?: string;
  /** For the whole call. */
  timeoutMs?: number;
  maxBytes?: number;
  signal?: CancelSignal;
  /** With `onChunk`: not a byte of the body is read before it resolves. What it throws ends the call. */
  onHead?(head: FetchedHead): Promise<void>;
  /** Takes the body as it comes, which is then left out of the response. What it throws ends the call. */
  onChunk?(chunk: Buffer, head: FetchedHead): void;
}

export type FetchedHead = Pick<FetchedBytes, 'status' | 'headers'>;

export interface FetchedBytes {
  status: number;
  headers: UpstreamResponse['headers'];
  body: Buffer;
}

const defaultTimeoutMs = 30_000;
const defaultMaxBytes = 1_048_576;

/** The one door for calls to the outside: each connection it opens was judged by the rules of its profile. */
export function createOutbound({
  rules,
  resolve,
  connectTimeoutMs = 5_000,
  certificateAuthorities,
  isClosed = () => false,
}: OutboundDependencies) {
  const connect = createConnect({
    rules,
    resolve: createResolveHost(resolve),
    connectTimeoutMs,
    certificateAuthorities,
  });
  const open: typeof connect = async (destination) => {
    if (isClosed()) throw new AppError('database.rehearsalOutbound');
    return connect(destination);
  };
  const pools = createPoolRegistry({ open, rules });
  const openWebSocket = createWebSocketDoor({ open, rules });
  const upstream = createUpstreamClient(pools, openWebSocket);

  /** A call whose whole response is small. Redirects come back as they are. Throws outbound.refused or outbound.unreachable. */
  async function fetchBytes(address: string, options: FetchOptions): Promise<FetchedBytes> {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (!url) throw refused('address', 'malformed');
    const refusal = checkUrl(url, options.profile, rules);
    if (refusal) throw refused(url.host || url.protocol, refusal);
    const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
    try {
      const response = await upstream.sendAs(
        options.profile,
        {
          url: url.href,
          method: options.method ?? 'GET',
          headers: options.headers ?? {},
          body: options.body ?? null,
          limits: { headersMs: timeoutMs, idleMs: timeoutMs, totalMs: timeoutMs },
          privateAllowed: options.profile === 'operatorPrivate',
          ...(options.proxy ? { proxy: options.proxy } : {}),
        },
        options.signal,
      );
      const { maxBytes = defaultMaxBytes } = options;
      const body = options.onChunk ? await passOn(response, maxBytes, options) : await response.readAll(maxBytes);
      return { status: response.status, headers: response.headers, body };
    } catch (error) {
      throw asAppError(error, url.host);
    }
  }

  /** As `fetchBytes`, with the body read as JSON: undefined when it is something else, which no schema accepts. */
  async function fetchJson(
    address: string,
    options: FetchOptions,
  ): Promise<Omit<FetchedBytes, 'body'> & { body: unknown }> {
    const response = await fetchBytes(address, {
      ...options,
      headers: { accept: 'application/json', ...options.headers },
    });
    return { ...response, body: parseJson(response.body) };
  }

  /** A plain connection for other protocols than HTTP, such as mail; the caller closes it. */
  const openSocket = (host: string, port: number, profile: OutboundProfile) =>
    open({ isSecure: false, host: bareHost(host), port, profile, proxy: undefined });

  return { upstream, fetchBytes, fetchJson, openSocket, openWebSocket, close: pools.close };
}

export type Outbound = ReturnType<typeof createOutbound>;

async function passOn(
  response: UpstreamResponse,
  maxBytes: number,
  { onHead, onChunk }: Pick<FetchOptions, 'onHead' | 'onChunk'>,
): Promise<Buffer> {
  try {
    await onHead?.(response);
  } catch (error) {
    response.abort();
    throw error;
  }
  return new Promise((resolve, reject) => {
    let length = 0;
    const data = (chunk: Buffer) => {
      try {
        length += chunk.length;
        if (length > maxBytes) throw new UpstreamFailure('tooLarge');
        onChunk?.(chunk, response);
        // One piece in a turn: a fast sender would else be read from without a pause, and many of them for long.
        response.pause();
        setImmediate(() => response.resume());
      } catch (error) {
        reject(error);
        response.abort();
      }
    };
    response.consume({ data, end: () => resolve(Buffer.alloc(0)), error: reject });
  });
}

function asAppError(error: unknown, address: string): unknown {
  if (!(error instanceof UpstreamFailure)) return error;
  if (error.refusal) return refused(address, error.refusal, error);
  return new AppError('outbound.unreachable', { address, reason: error.coded }, { cause: error });
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined; // said in the contract of fetchJson
  }
}
