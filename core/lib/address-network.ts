import ipaddr from 'ipaddr.js';

const networkBytes = 8;

/** Whom an address counts for: the owner of one IPv6 address has the whole /64, so that is one caller; an IPv4 address is one. */
export function networkOf(address: string): string {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${Buffer.from(parsed.toByteArray().slice(0, networkBytes)).toString('hex')}/64`;
}
