import type { ChangeFeed } from '../../database/change-feed.ts';
import type { Database } from '../../database/connect.ts';
import { findOwned } from '../../database/models/models.ts';
import type { TokenRow } from '../../database/models/token.ts';
import type { UserRow } from '../../database/models/user.ts';
import { withinMs } from '../../database/outage.ts';
import { splitList } from '../../lib/comma-list.ts';
import { compileIpList } from '../../lib/ip-list.ts';
import type { SecretBox } from '../../lib/secret-box.ts';

/** A token with its owner, and its lists as calls ask them. */
export interface KnownToken {
  key: string;
  token: TokenRow;
  user: UserRow;
  mayUseFrom: ((address: string) => boolean) | undefined;
  modelLimits: ReadonlySet<string> | undefined;
}

interface KnownTokensDependencies {
  database: Database;
  feed: ChangeFeed;
  secretBox: SecretBox;
}

const maxEntries = 100_000;
/** Unknown keys: a flood of made-up ones pushes out only its own kind, never a real one. */
const maxUnknown = 2000;
/** Long enough to open a slow connection first; a call fails before its client gives up. */
const lookUpLimitMs = 4000;

export type TokenRows = { token: TokenRow; user: UserRow } | { token: undefined; user: undefined };

/** Tokens and their owners in memory, each dropped the moment its row changes anywhere. */
export function createKnownTokens({ database, feed, secretBox }: KnownTokensDependencies) {
  const byHash = new Map<string, KnownToken>();
  const unknown = new Set<string>();
  /** The hash of each key that is known: hashing costs more than the rest of the look-up. */
  const hashByKey = new Map<string, string>();
  const hashesByUser = new Map<string, Set<string>>();
  const hashByToken = new Map<string, string>();
  /** Look-ups under way: calls that begin together with one key wait for one result. */
  const reading = new Map<string, { since: number; rows: Promise<TokenRows> }>();
  let changes = 0;

  feed.subscribe((subject, id) => {
    if (subject === 'tokens' || subject === 'users') changes += 1;
    if (subject === 'tokens') {
      forget(hashByToken.get(id));
      // An unknown key may be a known one now.
      unknown.clear();
    } else if (subject === 'users') {
      for (const hash of hashesByUser.get(id) ?? []) forget(hash);
    }
  });

  function forget(hash: string | undefined): void {
    const known = hash === undefined ? undefined : byHash.get(hash);
    if (hash === undefined || !known) return;
    byHash.delete(hash);
    hashByKey.delete(known.key);
    hashByToken.delete(String(known.token.id));
    const userId = String(known.user.id);
    const hashes = hashesByUser.get(userId);
    hashes?.delete(hash);
    if (hashes?.size === 0) hashesByUser.delete(userId);
  }

  function remember(hash: string, known: KnownToken): void {
    forget(hash);
    if (byHash.size >= maxEntries) forget(oldestOf(byHash.keys()));
    byHash.set(hash, known);
    hashByKey.set(known.key, hash);
    hashByToken.set(String(known.token.id), hash);
    const hashes = hashesByUser.get(String(known.user.id)) ?? new Set();
    hashesByUser.set(String(known.user.id), hashes.add(hash));
  }

  function rememberUnknown(hash: string): void {
    if (unknown.size >= maxUnknown) unknown.delete(oldestOf(unknown) ?? '');
    unknown.add(hash);
  }

  /** Nearly every call gets its result from here, without waiting. */
  function inMemory(key: string): KnownToken | undefined {
    const hash = hashByKey.get(key);
    return hash === undefined ? undefined : byHash.get(hash);
  }

  async function find(key: string): Promise<KnownToken | undefined> {
    // Longer than any key of ours or of an imported table: not worth a hash.
    if (key.length > 256) return undefined;
    const hash = hashByKey.get(key) ?? secretBox.lookupHash(key);
    const known = byHash.get(hash);
    if (known || unknown.has(hash)) return known;
    const changesBefore = changes;
    const { token, user } = await withinMs(lookUpLimitMs, readOnce(hash, key));
    // Rows that changed while they were read serve this call, but are not kept: nothing would remove them from the cache.
    const isCurrent = changes === changesBefore;
    if (!token || user.deleted_at !== null) {
      if (isCurrent) rememberUnknown(hash);
      return undefined;
    }
    const found = knownToken(key, token, user);
    if (isCurrent) remember(hash, found);
    return found;
  }

  /** A look-up that began before the last change is not good enough for a call that came after it. */
  function readOnce(hash: string, key: string): Promise<TokenRows> {
    const underWay = reading.get(hash);
    if (underWay?.since === changes) return underWay.rows;
    const rows = read(key).finally(() => {
      if (reading.get(hash)?.rows === rows) reading.delete(hash);
    });
    reading.set(hash, { since: changes, rows });
    return rows;
  }

  async function read(key: string): Promise<TokenRows> {
    const where = { key_hash: secretBox.lookupHashes(key), deleted_at: null };
    return rowsOf(await findOwned(database.tokens, where));
  }

  return { inMemory, find };
}

export function knownToken(key: string, token: TokenRow, user: UserRow): KnownToken {
  return {
    key,
    token,
    user,
    mayUseFrom: compileIpList(token.allow_ips),
    modelLimits: token.model_limits_enabled ? new Set(splitList(token.model_limits)) : undefined,
  };
}

export function rowsOf(found: (TokenRow & { user: UserRow }) | undefined): TokenRows {
  if (!found) return { token: undefined, user: undefined };
  const { user, ...token } = found;
  return { token, user };
}

function oldestOf<T>(entries: Iterable<T>): T | undefined {
  for (const entry of entries) return entry;
  return undefined;
}
