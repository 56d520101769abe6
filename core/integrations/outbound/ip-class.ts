import ipaddr from 'ipaddr.js';

/** public: the internet; private: this machine or its network; never: no caller has business there. */
export type IpClass = 'public' | 'private' | 'never';

// Instance metadata that no range covers: Alibaba, Oracle, Azure's wire server, AWS and Google over IPv6.
const metadataAddresses = new Set(['100.100.100.200', '192.0.0.192', '168.63.129.16', 'fd00:ec2::254', 'fd20:ce::254']);

// `reserved` contains documentation and class E networks, and 198.18.0.0/15, which local proxies use for made-up addresses.
const fakeAddressNetwork = ipaddr.parseCIDR('198.18.0.0/15');
const globalUnicast = ipaddr.parseCIDR('2000::/3');
const localTranslation = ipaddr.parseCIDR('64:ff9b:1::/48'); // RFC 8215: NAT64 into the operator's own network

export function classifyIp(text: string): IpClass {
  const address = normalizeIp(text);
  if (!address || metadataAddresses.has(address.toString())) return 'never';
  const range: string = address.range();
  if (['loopback', 'private', 'uniqueLocal', 'carrierGradeNat'].includes(range)) return 'private';
  if (address.kind() === 'ipv4') {
    if (address.match(fakeAddressNetwork)) return 'private';
    return range === 'unicast' ? 'public' : 'never';
  }
  if (address.match(localTranslation)) return 'private';
  return range === 'unicast' && address.match(globalUnicast) && !hasHiddenIpv4(address) ? 'public' : 'never';
}

/** One spelling per address; an IPv4 address wrapped in IPv6 (mapped, compatible, NAT64, 6to4) comes back as IPv4. */
export function normalizeIp(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const bare = text.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (!bare.includes(':')) return ipaddr.IPv4.isValidFourPartDecimal(bare) ? ipaddr.IPv4.parse(bare) : undefined;
  if (!ipaddr.IPv6.isValid(bare)) return undefined;
  const address = ipaddr.IPv6.parse(bare);
  const offset = embeddedIpv4Offset(address.parts);
  return offset === undefined ? address : new ipaddr.IPv4(address.toByteArray().slice(offset, offset + 4));
}

export function isLoopback(text: string): boolean {
  return normalizeIp(text)?.range() === 'loopback';
}

/** Byte position of the IPv4 address inside an IPv6 address that only wraps one. */
function embeddedIpv4Offset(parts: number[]): number | undefined {
  const [first, second] = parts;
  if (first === 0x2002) return 2; // 6to4, RFC 3056
  const isNat64 = first === 0x64 && second === 0xff9b && parts.slice(2, 6).every((part) => part === 0); // RFC 6052
  const middle = parts.slice(4, 6).join(',');
  // ::ffff:a.b.c.d mapped, ::ffff:0:a.b.c.d translated (RFC 6145), ::a.b.c.d compatible; :: and ::1 are themselves.
  const isWrapped =
    parts.slice(0, 4).every((part) => part === 0) && (middle === '0,65535' || middle === '65535,0' || middle === '0,0');
  const isPlain = middle === '0,0' && parts[6] === 0 && (parts[7] === 0 || parts[7] === 1);
  return isNat64 || (isWrapped && !isPlain) ? 12 : undefined;
}

/** ISATAP (RFC 5214) puts an IPv4 address behind 0:5efe in any network; no provider serves models there. */
function hasHiddenIpv4(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address instanceof ipaddr.IPv6 && address.parts[5] === 0x5efe && ((address.parts[4] ?? 0) & ~0x200) === 0;
}
