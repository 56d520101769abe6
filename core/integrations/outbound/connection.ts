import { connect, isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import { networkInterfaces } from 'node:os';
import { buildConnector } from 'undici';
import { coded } from '../../text/coded.ts';
import {
  type AddressRefusal,
  type AddressRules,
  bareHost,
  checkAddress,
  checkHost,
  type OutboundProfile,
} from './address-rules.ts';
import { openTunnel, type ProxyAddress } from './proxy-tunnel.ts';
import type { ResolveHost } from './resolve-host.ts';
import { describe, isTlsCode, refusedAddress, UpstreamFailure } from './upstream-failure.ts';

export interface Destination {
  isSecure: boolean;
  host: string;
  port: number;
  profile: OutboundProfile;
  proxy: ProxyAddress | undefined;
}

export interface ConnectionDependencies {
  rules: AddressRules;
  resolve: ResolveHost;
  /** For name, connection, proxy and TLS together. */
  connectTimeoutMs: number;
  /** PEM certificates trusted instead of the built-in ones. */
  certificateAuthorities?: string | undefined;
}

// A family that does not respond gives way to the next address after this long (RFC 8305 says 250 ms; far hosts need more).
const attemptTimeoutMs = 600;

/**
 * Opens checked connections: every address of the name is judged, the socket goes to one of them and to nothing else,
 * and where it ended up is judged again before the first byte. Rejects with an `UpstreamFailure`.
 */
export function createConnect({ rules, resolve, connectTimeoutMs, certificateAuthorities }: ConnectionDependencies) {
  // The time limit is ours, one for the whole way; the connector keeps TLS sessions by name.
  const secure = buildConnector({ timeout: 0, ...(certificateAuthorities ? { ca: certificateAuthorities } : {}) });

  return async function openConnection(destination: Destination): Promise<Socket> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), connectTimeoutMs);
    let socket: Socket | undefined;
    try {
      const { host, port, profile, proxy } = destination;
      const firstHop = proxy ?? { host, port };
      if (proxy) await judgeTarget(destination, limit.signal);
      const addresses = await checkedAddresses(firstHop.host, firstHop.port, profile, limit.signal);
      socket = await openSocket(firstHop.host, firstHop.port, addresses, limit.signal).catch((error) => {
        throw proxy && !limit.signal.aborted ? proxyUnreachable(error) : error;
      });
      await judge(firstHop.host, firstHop.port, [peerOf(socket)], profile);
      if (proxy?.kind === 'https') socket = await encrypt(socket, proxy.host, limit.signal);
      if (proxy) await within(limit.signal, openTunnel(socket, proxy, { host, port }));
      if (destination.isSecure) socket = await encrypt(socket, host, limit.signal);
      // undici would wait on a socket that was closed between our last step and its first.
      if (socket.destroyed) throw new UpstreamFailure('connect', { sentNothing: true });
      return socket;
    } catch (error) {
      socket?.destroy();
      throw asFailure(error, limit.signal.aborted);
    } finally {
      clearTimeout(timer);
    }
  };

  /** The proxy looks the name up itself, so ours is a second opinion: when it knows an address, the rules hold for it too. */
  async function judgeTarget({ host, port, profile }: Destination, signal: AbortSignal): Promise<void> {
    try {
      await checkedAddresses(host, port, profile, signal);
    } catch (error) {
      if (error instanceof UpstreamFailure && error.kind === 'refusedAddress') throw error;
      signal.throwIfAborted();
    }
  }

  async function checkedAddresses(
    host: string,
    port: number,
    profile: OutboundProfile,
    signal: AbortSignal,
  ): Promise<string[]> {
    refuse(checkHost(host, port, profile, rules));
    const addresses = isIP(host) ? [host] : await within(signal, resolveName(host));
    await judge(host, port, addresses, profile);
    return addresses;
  }

  async function judge(host: string, port: number, addresses: string[], profile: OutboundProfile): Promise<void> {
    const current = await rulesFor(port);
    for (const address of addresses) refuse(checkAddress({ address, port, host }, profile, current));
  }

  async function resolveName(host: string): Promise<string[]> {
    try {
      const addresses = await resolve(host);
      if (addresses.length > 0) return addresses;
    } catch (cause) {
      throw new UpstreamFailure('dns', { sentNothing: true, cause });
    }
    throw new UpstreamFailure('dns', { sentNothing: true });
  }

  /** The rules with names of closed endpoints replaced by their addresses; only looked up when the port is one of theirs. */
  async function rulesFor(port: number): Promise<AddressRules> {
    const concerned = rules.closedEndpoints.filter((endpoint) => endpoint.port === port);
    if (concerned.length === 0) return rules;
    const lists = concerned.map(async (endpoint) => {
      const host = bareHost(endpoint.host);
      if (isIP(host) || host === '' || host === '*' || host === 'localhost') return [endpoint];
      // An unknown name leads nowhere, so there is nothing to close.
      const addresses = await resolve(host).catch((): string[] => []);
      return addresses.map((address) => ({ host: address, port }));
    });
    const localAddresses = Object.values(networkInterfaces()).flatMap((all) =>
      (all ?? []).map(({ address }) => address),
    );
    return { localAddresses, ...rules, closedEndpoints: (await Promise.all(lists)).flat() };
  }

  function encrypt(socket: Socket, name: string, signal: AbortSignal): Promise<Socket> {
    // No server name for an address (RFC 6066): its certificate is checked against the address instead.
    const servername = isIP(name) ? undefined : name;
    const options = { hostname: name, protocol: 'https:', port: '443', servername, httpSocket: socket };
    const opened = new Promise<Socket>((resolve, reject) => {
      secure(options, (...[error, secured]) => (error ? reject(error) : resolve(secured)));
    });
    return within(signal, opened);
  }
}

function openSocket(host: string, port: number, addresses: string[], signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const options: TcpNetConnectOpts & { highWaterMark: number } = {
      host,
      port,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
      highWaterMark: 65_536,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: attemptTimeoutMs,
      // Returns the checked addresses only. A literal host never gets here: net connects to it as it is.
      lookup: (_host, options, callback) => {
        const list = addresses.map((address) => ({ address, family: isIP(address) }));
        const first = list[0];
        if (options.all) callback(null, list);
        else callback(null, first?.address ?? '', first?.family);
      },
    };
    const socket = connect(options);
    const giveUp = () => socket.destroy(new UpstreamFailure('connect', { sentNothing: true }));
    signal.addEventListener('abort', giveUp, { once: true });
    socket.once('connect', () => {
      signal.removeEventListener('abort', giveUp);
      resolve(socket);
    });
    // Stays for the life of the socket: a reset between our steps must not become an uncaught exception.
    socket.on('error', reject);
  });
}

function peerOf(socket: Socket): string {
  if (socket.remoteAddress === undefined) throw new UpstreamFailure('connect', { sentNothing: true });
  return socket.remoteAddress;
}

/** Stops waiting when the time is up; the caller closes the socket. */
function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

function refuse(refusal: AddressRefusal | undefined): void {
  if (refusal) throw refusedAddress(refusal);
}

/** The upstream has no part in it, and a person would look there. */
const proxyUnreachable = (cause: unknown): UpstreamFailure =>
  new UpstreamFailure('connect', { sentNothing: true, cause, text: coded('proxy.unreachable') });

function asFailure(error: unknown, isLate: boolean): UpstreamFailure {
  if (error instanceof UpstreamFailure) return error;
  const text = isLate ? coded('upstream.late') : undefined;
  const { code, message } = describe(error);
  const isTls = !isLate && (isTlsCode(code) || message.includes('before secure TLS connection'));
  return new UpstreamFailure(isTls ? 'tls' : 'connect', { sentNothing: true, cause: error, text });
}
