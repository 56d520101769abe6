import { formatQuota, type QuotaFormat } from '../billing/quota.ts';
import type { ChangeFeed } from '../database/change-feed.ts';
import type { Database } from '../database/connect.ts';
import { findOwned } from '../database/models/models.ts';
import type { TokenRow } from '../database/models/token.ts';
import type { UserRow } from '../database/models/user.ts';
import { withinMs } from '../database/outage.ts';
import { AppError } from '../errors/app-error.ts';
import { compileIpList } from '../lib/ip-list.ts';
import { maskKey } from '../lib/mask-key.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import { role } from '../schemas/actor.ts';
import { coded } from '../text/coded.ts';
import { isRealtimeSecret } from './realtime-secret.ts';

/** Whose call it is, and in which group it is routed and priced. */
export interface Caller {
  userId: number;
  username: string;
  role: number;
  /** 0 in the playground. */
  tokenId: number;
  tokenName: string;
  group: string;
  /** Models this token may use, undefined = all. */
  modelLimits: ReadonlySet<string> | undefined;
  pinnedChannelId: number | undefined;
}

export interface GroupRules {
  /** Groups every user may choose (option UserUsableGroups). */
  usable(group: string): boolean;
  hasRatio(group: string): boolean;
}

export interface TokenCaller {
  caller: Caller;
  /** Why its calls are refused whatever they ask for. */
  objection: AppError | undefined;
}

export interface CallerService {
  /** `credential` is what the client sent, `sk-` and a channel pin included. Throws AppError 400, 401 or 403. */
  authenticate(credential: string, address: string): Promise<Caller>;
  /**
   * The call that this token would make, and what is held against it. Nothing is remembered, and no key is needed. Without an
   * address the token's list of addresses is not asked. Throws `object.notFound`.
   */
  forToken(
    id: number,
    from: { address: string | undefined; pinnedChannelId: number | undefined },
  ): Promise<TokenCaller>;
  /** The playground: a signed-in user who names a group. */
  forUser(userId: number, group: string | undefined): Promise<Caller>;
  /** Why a call under way may not go on: meanwhile its user was banned or deleted, or its token disabled or deleted, or it expired. */
  objection(caller: Caller): Promise<AppError | undefined>;
  /** The same of many callers who wait for nothing, in their order; then an empty balance is an objection, too. */
  objections(callers: readonly Caller[]): Promise<(AppError | undefined)[]>;
}

interface KnownToken {
  key: string;
  token: TokenRow;
  user: UserRow;
  mayUseFrom: ((address: string) => boolean) | undefined;
  modelLimits: ReadonlySet<string> | undefined;
}

interface CallerDependencies {
  database: Database;
  feed: ChangeFeed;
  secretBox: SecretBox;
  groups: GroupRules;
  /** How amounts are written in errors. */
  format: () => QuotaFormat;
  nowSeconds: () => number;
}

const maxEntries = 100_000;
/** Unknown keys: a flood of made-up ones pushes out only its own kind, never a real one. */
const maxUnknown = 2000;
/** Long enough to open a slow connection first; a call fails before its client gives up. */
const lookUpLimitMs = 4000;
const tokenStatus = {
  enabled: 1,
  disabled: 2,
  expired: 3,
  exhausted: 4,
} as const;

type TokenRows = { token: TokenRow; user: UserRow } | { token: undefined; user: undefined };

/** Tokens and their owners in memory, each dropped the moment its row changes anywhere. */
export function createCallerService({
  database,
  feed,
  secretBox,
  groups,
  format,
  nowSeconds,
}: CallerDependencies): CallerService {
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

  /** Longer than any key of ours or of an imported table: not worth a hash. */
  const findFitting = async (key: string) => (key.length > 256 ? undefined : find(key));

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

  function resolveGroup(chosen: string, user: UserRow): string {
    const group = chosen || user.group;
    if (chosen && chosen !== user.group && !groups.usable(chosen)) throw new AppError('group.notUsable', { group });
    if (!groups.hasRatio(group)) throw new AppError('group.noRatio', { group });
    return group;
  }

  /** Every reason to refuse a known token's call before it is read, in the order in which clients get them. */
  function admitToken(known: KnownToken, pin: string | undefined, address: string | undefined): Caller {
    const { token, user, mayUseFrom } = known;
    requireUsable(token, nowSeconds(), format);
    if (user.status !== 1) throw new AppError('user.banned');
    const pinnedChannelId = readPin(pin, user.role);
    if (mayUseFrom && address !== undefined && !mayUseFrom(address))
      throw new AppError('token.addressRefused', {
        name: token.name,
        address,
      });
    return callerOf(known, resolveGroup(token.group, user), pinnedChannelId);
  }

  return {
    async authenticate(credential, address) {
      const start = credential.startsWith('sk-') ? 3 : 0;
      const dash = credential.indexOf('-', start);
      const key = credential.slice(start, dash < 0 ? undefined : dash);
      const pin = dash < 0 ? undefined : credential.slice(dash + 1);
      if (key === '') throw new AppError('token.missing');
      const found = inMemory(key) ?? (await findFitting(key));
      if (found) return admitToken(found, pin, address);
      // A key of another program may have a dash in it.
      const whole = dash < 0 ? undefined : await findFitting(credential.slice(start));
      if (whole) return admitToken(whole, undefined, address);
      if (isRealtimeSecret(credential)) throw new AppError('realtime.secretElsewhere');
      throw new AppError('token.unknown', { key: maskKey(`sk-${key.slice(0, 64)}`) });
    },

    async forToken(id, { address, pinnedChannelId }) {
      const { token, user } = rowsOf(await findOwned(database.tokens, { id, deleted_at: null }));
      if (!token || user.deleted_at !== null)
        throw new AppError('object.notFound', { what: coded('noun.token'), id, noun: 'token' });
      const known = knownToken('', token, user);
      const pin = pinnedChannelId === undefined ? undefined : String(pinnedChannelId);
      try {
        return { caller: admitToken(known, pin, address), objection: undefined };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return { caller: callerOf(known, token.group || user.group, pinnedChannelId), objection: error };
      }
    },

    async forUser(userId, chosen) {
      const user = await database.users.findOne({
        where: { id: userId, deleted_at: null },
        raw: true,
      });
      if (user?.status !== 1) throw new AppError('user.banned');
      const group = resolveGroup(chosen ?? '', user);
      return {
        userId,
        username: user.username,
        role: user.role,
        tokenId: 0,
        tokenName: `playground-${group}`,
        group,
        modelLimits: undefined,
        pinnedChannelId: undefined,
      };
    },

    async objection({ userId, tokenId, tokenName }) {
      const user = await database.users.findOne({ where: { id: userId, deleted_at: null }, raw: true });
      if (user?.status !== 1) return new AppError('user.banned');
      if (tokenId === 0) return undefined;
      const token = await database.tokens.findOne({ where: { id: tokenId, deleted_at: null }, raw: true });
      return tokenObjection(token ?? undefined, tokenName, nowSeconds());
    },

    async objections(callers) {
      const idsOf = (ids: number[]) => [...new Set(ids)];
      const users = await rowsById(
        database.users.findAll({
          where: { id: idsOf(callers.map(({ userId }) => userId)), deleted_at: null },
          attributes: ['id', 'status', 'quota'],
          raw: true,
        }),
      );
      const tokens = await rowsById(
        database.tokens.findAll({
          where: { id: idsOf(callers.map(({ tokenId }) => tokenId)), deleted_at: null },
          attributes: ['id', 'status', 'expired_time', 'remain_quota', 'unlimited_quota'],
          raw: true,
        }),
      );
      return callers.map(({ userId, tokenId, tokenName }) => {
        const user = users.get(userId);
        if (user?.status !== 1) return new AppError('user.banned');
        const token = tokens.get(tokenId);
        const objection = tokenId === 0 ? undefined : tokenObjection(token, tokenName, nowSeconds());
        if (objection) return objection;
        const isEmpty = user.quota <= 0 || (token && !token.unlimited_quota && token.remain_quota <= 0);
        return isEmpty ? new AppError('realtime.quotaUsedUp') : undefined;
      });
    },
  };
}

function rowsOf(found: (TokenRow & { user: UserRow }) | undefined): TokenRows {
  if (!found) return { token: undefined, user: undefined };
  const { user, ...token } = found;
  return { token, user };
}

async function rowsById<Row extends { id: number }>(reading: Promise<Row[]>): Promise<Map<number, Row>> {
  return new Map((await reading).map((row) => [row.id, row]));
}

function tokenObjection(
  token: Pick<TokenRow, 'status' | 'expired_time'> | undefined,
  name: string,
  now: number,
): AppError | undefined {
  // Deleted: its owner has nothing to enable.
  if (!token) return new AppError('token.unknown', { key: `"${name}"` });
  if (token.status === tokenStatus.disabled) return new AppError('token.disabled', { name });
  const isExpired = token.status === tokenStatus.expired || (token.expired_time !== -1 && token.expired_time <= now);
  return isExpired ? new AppError('token.expired', { name }) : undefined;
}

function oldestOf<T>(entries: Iterable<T>): T | undefined {
  for (const entry of entries) return entry;
  return undefined;
}

function knownToken(key: string, token: TokenRow, user: UserRow): KnownToken {
  return {
    key,
    token,
    user,
    mayUseFrom: compileIpList(token.allow_ips),
    modelLimits: token.model_limits_enabled ? new Set(splitList(token.model_limits)) : undefined,
  };
}

function callerOf(
  { token, user, modelLimits }: KnownToken,
  group: string,
  pinnedChannelId: number | undefined,
): Caller {
  return {
    userId: user.id,
    username: user.username,
    role: user.role,
    tokenId: token.id,
    tokenName: token.name,
    group,
    modelLimits,
    pinnedChannelId,
  };
}

function requireUsable(token: TokenRow, now: number, format: () => QuotaFormat): void {
  const { name } = token;
  if (token.status === tokenStatus.exhausted) {
    throw new AppError('token.exhausted', {
      name,
      key: `#${token.id}`,
      used: formatQuota(token.used_quota, format()),
    });
  }
  if (token.status === tokenStatus.expired) throw new AppError('token.expired', { name });
  if (token.status !== tokenStatus.enabled) throw new AppError('token.disabled', { name });
  if (token.expired_time !== -1 && token.expired_time <= now) throw new AppError('token.expired', { name });
}

/** What follows the key's dash; undefined when it has none. */
function readPin(pin: string | undefined, callerRole: number): number | undefined {
  if (pin === undefined) return undefined;
  if (callerRole < role.admin) throw new AppError('token.pinRefused');
  const id = /^\d{1,15}$/.test(pin) ? Number(pin) : 0;
  if (id <= 0) throw new AppError('token.pinUnknown');
  return id;
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}
