import ipaddr from 'ipaddr.js';
import { AppError } from '../../errors/app-error.ts';
import { coded } from '../../text/coded.ts';
import { classifyIp, isLoopback, normalizeIp } from './ip-class.ts';

/**
 * user: an address a caller gave (picture, file, webhook): usual web ports, public addresses.
 * operator: an address an admin saved: any port, private only when its host is listed in UPSTREAM_PRIVATE.
 * operatorPrivate: an address root saved: private and loopback too.
 */
export type OutboundProfile = 'user' | 'operator' | 'operatorPrivate';

export interface Endpoint {
  host: string;
  port: number;
}

export interface AddressRules {
  /** UPSTREAM_PRIVATE: host names, addresses or networks (CIDR) that admins may use although they are private. */
  upstreamPrivate: readonly string[];
  /** Our own listeners, the database and Redis; read again at each check, so a port known late may be added. */
  closedEndpoints: readonly Endpoint[];
  /** This machine's addresses, which a listener on 0.0.0.0 or :: serves as well. */
  localAddresses?: readonly string[];
}

export type AddressRefusal =
  | 'malformed'
  | 'scheme'
  | 'credentials'
  | 'fragment'
  | 'spelling'
  | 'port'
  | 'metadata'
  | 'special-address'
  | 'private-address'
  | 'own-endpoint';

const userPorts = new Set([80, 443, 8080, 8443]);
const metadataNames = new Set(['metadata', 'metadata.google.internal', 'metadata.goog', 'instance-data']);
const wildcardHosts = new Set(['', '*', '0.0.0.0', '::']);

/** Judges what the URL alone tells; a host name's addresses are judged by `checkAddress` once they are known. */
export function checkUrl(url: URL, profile: OutboundProfile, rules: AddressRules): AddressRefusal | undefined {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'scheme';
  if (url.username !== '' || url.password !== '') return 'credentials';
  return checkHost(bareHost(url.hostname), portOf(url), profile, rules);
}

export function checkHost(
  host: string,
  port: number,
  profile: OutboundProfile,
  rules: AddressRules,
): AddressRefusal | undefined {
  if (profile === 'user' && !userPorts.has(port)) return 'port';
  if (metadataNames.has(host) || host.endsWith('.metadata.google.internal') || host.startsWith('instance-data.')) {
    return 'metadata';
  }
  if (rules.closedEndpoints.some((endpoint) => endpoint.port === port && bareHost(endpoint.host) === host)) {
    return 'own-endpoint';
  }
  const literal = host === 'localhost' || host.endsWith('.localhost') ? '127.0.0.1' : host;
  return normalizeIp(literal) ? checkAddress({ address: literal, port, host }, profile, rules) : undefined;
}

/** Judges one address a connection would go to; `host` is the name it was asked for by. */
export function checkAddress(
  target: { address: string; port: number; host: string },
  profile: OutboundProfile,
  rules: AddressRules,
): AddressRefusal | undefined {
  const ipClass = classifyIp(target.address);
  if (ipClass === 'never') return 'special-address';
  if (rules.closedEndpoints.some((endpoint) => covers(endpoint, target, rules.localAddresses ?? []))) {
    return 'own-endpoint';
  }
  if (ipClass === 'public' || profile === 'operatorPrivate') return undefined;
  const isListed = profile === 'operator' && rules.upstreamPrivate.some((entry) => matchesEntry(entry, target));
  return isListed ? undefined : 'private-address';
}

/** Checks a channel's base URL before it is saved and returns its one spelling, without a slash at the end. */
export function checkChannelBaseUrl(text: string, profile: OutboundProfile, rules: AddressRules): string {
  const trimmed = text.trim();
  const url = parseUrl(trimmed);
  const refusal = url ? (checkSpelling(trimmed, url) ?? checkUrl(url, profile, rules)) : 'malformed';
  if (!url || refusal) throw refused(url?.host || 'base URL', refusal ?? 'malformed');
  return url.href.replace(/\/+$/, '');
}

/** Checks an address of a user before it is saved, as far as it tells itself: what a name leads to is judged at each call. */
export function checkUserAddress(text: string, rules: AddressRules): void {
  const url = parseUrl(text.trim());
  const refusal = url ? checkUrl(url, 'user', rules) : 'malformed';
  if (refusal) throw refused(url?.host || 'address', refusal);
}

export function refused(address: string, reason: AddressRefusal, cause?: unknown): AppError {
  return new AppError('outbound.refused', { address, reason: coded(`address.${reason}`) }, { cause });
}

/** A host without brackets and without the dot of the DNS root, in lower case: the form every comparison uses. */
export function bareHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** What the URL parser would silently repair (tabs, backslashes, 0x7f.1, full-width digits) is refused, not guessed at. */
function checkSpelling(text: string, url: URL): AddressRefusal | undefined {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'scheme';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\u0000-\u0020\u007f\\]/.test(text)) return 'malformed';
  if (text.includes('#')) return 'fragment';
  if (url.hostname.endsWith('.')) return 'spelling';
  const isLiteral = normalizeIp(url.hostname) !== undefined;
  const typed = text.slice(text.indexOf('//') + 2).split(/[/?]/, 1)[0] ?? '';
  const isPlain = typed === url.hostname || typed.startsWith(`${url.hostname}:`);
  return isLiteral && !url.hostname.startsWith('[') && url.username === '' && !isPlain ? 'spelling' : undefined;
}

/** A loopback listener closes its port on all of loopback, one on every interface also on this machine's addresses. */
function covers(
  endpoint: Endpoint,
  target: { address: string; port: number },
  localAddresses: readonly string[],
): boolean {
  if (endpoint.port !== target.port) return false;
  const host = bareHost(endpoint.host);
  const isWildcard = wildcardHosts.has(host);
  if (isLoopback(target.address)) return isWildcard || host === 'localhost' || isLoopback(host);
  const address = normalizeIp(target.address)?.toString();
  const isSame = (other: string) => normalizeIp(other)?.toString() === address;
  return isWildcard ? localAddresses.some(isSame) : isSame(host);
}

function matchesEntry(entry: string, target: { address: string; port: number; host: string }): boolean {
  const wanted = entry.trim().toLowerCase();
  if (wanted === '') return false;
  if (wanted === target.host || wanted === `${target.host}:${target.port}`) return true;
  // As the address of an upstream has an IPv6 address with a port.
  if (wanted === `[${target.host}]:${target.port}`) return true;
  const address = normalizeIp(target.address);
  if (!address) return false;
  if (ipaddr.isValidCIDR(wanted)) {
    const [network, bits] = ipaddr.parseCIDR(wanted);
    return network.kind() === address.kind() && address.match(network, bits);
  }
  return normalizeIp(wanted)?.toString() === address.toString();
}
