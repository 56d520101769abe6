import ipaddr from 'ipaddr.js';
import { typedCommaOrBlank, typedNames } from './typed-list.ts';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

export interface IpList {
  /** Canonical entries, in the order given, without repeats. */
  entries: string[];
  /** Entries that are neither an address nor a CIDR range. */
  invalid: string[];
}

/** One entry per line; commas and spaces also separate, because consoles send them. */
export function parseIpList(text: string): IpList {
  const entries = new Set<string>();
  const invalid: string[] = [];
  for (const entry of typedNames(text, typedCommaOrBlank)) {
    const range = parseRange(entry);
    if (range) entries.add(writeRange(range));
    else invalid.push(entry);
  }
  return { entries: [...entries], invalid };
}

/**
 * A test for a stored list, made once per token; undefined for an empty list, which limits no one. An imported list may contain
 * what is no address: that lets none in.
 */
export function compileIpList(text: string): ((address: string) => boolean) | undefined {
  const written = typedNames(text, typedCommaOrBlank);
  if (written.length === 0) return undefined;
  const ranges = written.map(parseRange).filter((range) => range !== undefined);
  return (address) => {
    const parsed = parseAddress(address);
    return parsed !== undefined && ranges.some((range) => contains(range, parsed));
  };
}

function parseRange(entry: string): Range | undefined {
  const [head = '', length, rest] = entry.split('/');
  const address = parseAddress(head);
  if (!address || rest !== undefined) return undefined;
  const bits = address.kind() === 'ipv4' ? 32 : 128;
  if (length === undefined) return [address, bits];
  if (!/^\d{1,3}$/.test(length)) return undefined;
  // A mapped IPv4 range is written with the length of its IPv6 spelling.
  const prefix = Number(length) - (bits === 32 && head.includes(':') ? 96 : 0);
  return prefix >= 0 && prefix <= bits ? [address, prefix] : undefined;
}

/** Only the plain four-part form is an IPv4 address here: `010.1` or `2130706433` would mean different things to different readers. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (!text.includes(':')) return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined;
  if (text.includes('%') || !ipaddr.IPv6.isValid(text)) return undefined;
  return ipaddr.process(text);
}

function writeRange([address, prefix]: Range): string {
  const bits = address.kind() === 'ipv4' ? 32 : 128;
  return prefix === bits ? address.toString() : `${address.toString()}/${prefix}`;
}

function contains([range, prefix]: Range, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return range.kind() === address.kind() && address.match(range as never, prefix);
}
