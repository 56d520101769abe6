import type { Socket } from 'node:net';
import { type buildConnector, Client, type Dispatcher, Pool } from 'undici';
import { coded } from '../../text/coded.ts';
import { type AddressRules, bareHost, checkUrl, type OutboundProfile, portOf } from './address-rules.ts';
import type { Destination } from './connection.ts';
import { parseProxy } from './proxy-tunnel.ts';
import { refusedAddress, UpstreamFailure } from './upstream-failure.ts';

/** What the pool tells a call about the connection it goes out on. */
export interface CallTrack {
  client: TrackedClient | undefined;
  /** Completed, failed or given up. */
  readonly isReleased: boolean;
}
export type TrackedOptions = Dispatcher.DispatchOptions & { track: CallTrack };

export interface PoolEntry {
  pool: Pool;
  inFlight: number;
  lastUsed: number;
}

export interface PoolRegistryDependencies {
  open(destination: Destination): Promise<Socket>;
  rules: AddressRules;
  /** A pool that was unused for this long is closed. */
  idlePoolMs?: number;
}

const keepAliveMs = 15_000;
const maxHeaderBytes = 65_536;

/** Counts the calls on its current socket: only a call on a used one can meet a close that was already on its way. */
export class TrackedClient extends Client {
  callsOnSocket = 0;
  lastCall: CallTrack | undefined;

  constructor(origin: URL, options: Client.Options) {
    super(origin, options);
    this.on('connect', () => {
      this.callsOnSocket = 0;
    });
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.lastCall = (options as TrackedOptions).track;
    this.lastCall.client = this;
    return super.dispatch(options, handler);
  }
}

/** One pool per origin, profile and proxy: a connection is never shared between callers with different rights. */
export function createPoolRegistry({ open, rules, idlePoolMs = 300_000 }: PoolRegistryDependencies) {
  const entries = new Map<string, PoolEntry>();
  const sweeper = setInterval(sweep, Math.max(100, idlePoolMs / 5)).unref();

  function get(origin: string, profile: OutboundProfile, proxy: string | undefined): PoolEntry {
    const key = proxy ? `${profile} ${origin} ${proxy}` : `${profile} ${origin}`;
    let entry = entries.get(key);
    if (!entry) {
      entry = { pool: createPool(origin, profile, proxy), inFlight: 0, lastUsed: 0 };
      entries.set(key, entry);
    }
    return entry;
  }

  function createPool(origin: string, profile: OutboundProfile, proxy: string | undefined): Pool {
    const destination = readDestination(origin, profile, proxy, rules);
    return new Pool(origin, {
      connections: null, // admission limits calls in flight; a queue here would only hide that it failed to
      pipelining: 1,
      keepAliveTimeout: keepAliveMs,
      maxHeaderSize: maxHeaderBytes,
      factory: (url, options) => createTrackedClient(url, options, () => open(destination)),
    });
  }

  function sweep(): void {
    const before = performance.now() - idlePoolMs;
    for (const [key, entry] of entries) {
      if (entry.inFlight > 0 || entry.lastUsed > before) continue;
      entries.delete(key);
      void entry.pool.close();
    }
  }

  async function close(): Promise<void> {
    clearInterval(sweeper);
    const pools = [...entries.values()].map(({ pool }) => pool.destroy());
    entries.clear();
    await Promise.all(pools);
  }

  return { get, close, size: () => entries.size };
}

export type PoolRegistry = ReturnType<typeof createPoolRegistry>;

function createTrackedClient(origin: URL, options: Client.Options, open: () => Promise<Socket>): TrackedClient {
  const connect: buildConnector.connector = (_options, callback) => {
    // After an abort undici connects again for the call that is gone; a thousand aborts would open a thousand connections.
    const opened = client.lastCall?.isReleased ? Promise.reject(new UpstreamFailure('aborted')) : open();
    opened.then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
  const client = new TrackedClient(origin, { ...options, connect });
  return client;
}

export function readDestination(
  origin: string,
  profile: OutboundProfile,
  proxyText: string | undefined,
  rules: AddressRules,
): Destination {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (!url) throw new UpstreamFailure('invalidRequest', { sentNothing: true });
  const refusal = checkUrl(url, profile, rules);
  if (refusal) throw refusedAddress(refusal);
  const proxy = proxyText ? parseProxy(proxyText) : undefined;
  if (proxyText && !proxy)
    throw new UpstreamFailure('connect', { sentNothing: true, text: coded('upstream.badProxy') });
  return { isSecure: url.protocol === 'https:', host: bareHost(url.hostname), port: portOf(url), profile, proxy };
}
