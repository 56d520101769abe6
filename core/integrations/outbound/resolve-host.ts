import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Returns every address of a host name; rejects without one. */
export type ResolveHost = (host: string) => Promise<string[]>;

const keepMs = 15_000; // an upstream that moved is found again within this time
const keepFailureMs = 1_000;
const secondFamilyWaitMs = 200;
const maxEntries = 1_000;
const hostsFile = '/etc/hosts';

interface Entry {
  addresses: Promise<string[]>;
  expiresAt: number;
}

/**
 * Resolves through c-ares, which waits on sockets: getaddrinfo would hold a thread of the pool that the database shares
 * for as long as a slow name server likes. It still has the last word on names c-ares does not know (search domains, mDNS).
 */
export function createResolveHost(find: ResolveHost = findAddresses): ResolveHost {
  const entries = new Map<string, Entry>();
  return (host) => {
    const now = performance.now();
    const known = entries.get(host);
    if (known && known.expiresAt > now) return known.addresses;
    if (entries.size >= maxEntries) entries.clear();
    const entry: Entry = { addresses: find(host), expiresAt: now + keepMs };
    entries.set(host, entry);
    entry.addresses.catch(() => {
      entry.expiresAt = performance.now() + keepFailureMs;
    });
    return entry.addresses;
  };
}

const resolver = new Resolver({ timeout: 2_000, tries: 2 });

async function findAddresses(host: string): Promise<string[]> {
  if (host === 'localhost' || host.endsWith('.localhost')) return ['127.0.0.1', '::1'];
  const listed = (await readHostsFile()).get(host);
  if (listed) return listed;
  const families = [resolver.resolve4(host), resolver.resolve6(host)];
  try {
    await Promise.any(families);
  } catch (error) {
    const isUnknown = error instanceof AggregateError && error.errors.every(isUnknownName);
    if (!isUnknown) throw error;
    return (await lookup(host, { all: true })).map(({ address }) => address);
  }
  // Some name servers never respond for IPv6; an address that comes later is simply not used.
  const found: string[] = [];
  const collected = families.map((family) => family.then((addresses) => found.push(...addresses)));
  await Promise.race([Promise.allSettled(collected), delay(secondFamilyWaitMs, undefined, { ref: false })]);
  return [...found];
}

function isUnknownName(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA');
}

let hosts: { entries: Map<string, string[]>; expiresAt: number } | undefined;

async function readHostsFile(): Promise<Map<string, string[]>> {
  if (hosts && hosts.expiresAt > performance.now()) return hosts.entries;
  // Absent on some systems and in bare containers: then only DNS counts.
  const text = await readFile(hostsFile, 'utf8').catch(() => '');
  const entries = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address, ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    if (!address) continue;
    for (const name of names) entries.set(name, [...(entries.get(name) ?? []), address]);
  }
  hosts = { entries, expiresAt: performance.now() + keepMs };
  return entries;
}
