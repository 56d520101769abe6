import type { IncomingMessage } from 'node:http';
import { compileIpList } from '../lib/ip-list.ts';

/**
 * The address a call counts for: the socket's peer, unless that is a trusted proxy; then the right-most hop of X-Forwarded-For
 * that is not one (S9). IPv4 addresses inside IPv6 come out as IPv4.
 */
export function createClientAddress(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = compileIpList(trustedProxies.join('\n'));
  return (request) => {
    const peer = plain(request.socket.remoteAddress ?? '');
    if (!isTrusted?.(peer)) return peer;
    const forwarded = request.headers['x-forwarded-for'];
    const hops = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? ''))
      .split(',')
      .map((hop) => plain(withoutPort(hop.trim())));
    for (const hop of hops.reverse()) if (hop && !isTrusted(hop)) return hop;
    return peer;
  };
}

/** Some proxies write the port of the connection too. */
function withoutPort(hop: string): string {
  return /^\[([^\]]*)\](:\d+)?$/.exec(hop)?.[1] ?? /^([^:]*):\d+$/.exec(hop)?.[1] ?? hop;
}

function plain(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}
