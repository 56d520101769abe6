import type { QuotaFormat } from '../billing/quota.ts';
import type { ChangeFeed } from '../database/change-feed.ts';
import type { Database } from '../database/connect.ts';
import { findOwned } from '../database/models/models.ts';
import type { UserRow } from '../database/models/user.ts';
import { AppError } from '../errors/app-error.ts';
import { maskKey } from '../lib/mask-key.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import { role } from '../schemas/actor.ts';
import { userStatus } from '../schemas/user.ts';
import { coded } from '../text/coded.ts';
import { isRealtimeSecret } from './realtime-secret.ts';
import { createKnownTokens, type KnownToken, knownToken, rowsOf } from './token/known-token.ts';
import { requireUsable, tokenObjection } from './token/objection.ts';

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

interface CallerDependencies {
  database: Database;
  feed: ChangeFeed;
  secretBox: SecretBox;
  groups: GroupRules;
  /** How amounts are written in errors. */
  format: () => QuotaFormat;
  nowSeconds: () => number;
}

/** Finds whose call it is, and refuses those that may not begin. */
export function createCallerService({
  database,
  feed,
  secretBox,
  groups,
  format,
  nowSeconds,
}: CallerDependencies): CallerService {
  const { inMemory, find } = createKnownTokens({ database, feed, secretBox });

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
    if (user.status !== userStatus.enabled) throw new AppError('user.banned');
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
      const found = inMemory(key) ?? (await find(key));
      if (found) return admitToken(found, pin, address);
      // A key of another program may have a dash in it.
      const whole = dash < 0 ? undefined : await find(credential.slice(start));
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
      if (user?.status !== userStatus.enabled) throw new AppError('user.banned');
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
      if (user?.status !== userStatus.enabled) return new AppError('user.banned');
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
        if (user?.status !== userStatus.enabled) return new AppError('user.banned');
        const token = tokens.get(tokenId);
        const objection = tokenId === 0 ? undefined : tokenObjection(token, tokenName, nowSeconds());
        if (objection) return objection;
        const isEmpty = user.quota <= 0 || (token && !token.unlimited_quota && token.remain_quota <= 0);
        return isEmpty ? new AppError('realtime.quotaUsedUp') : undefined;
      });
    },
  };
}

async function rowsById<Row extends { id: number }>(reading: Promise<Row[]>): Promise<Map<number, Row>> {
  return new Map((await reading).map((row) => [row.id, row]));
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

/** What follows the key's dash; undefined when it has none. */
function readPin(pin: string | undefined, callerRole: number): number | undefined {
  if (pin === undefined) return undefined;
  if (callerRole < role.admin) throw new AppError('token.pinRefused');
  const id = /^\d{1,15}$/.test(pin) ? Number(pin) : 0;
  if (id <= 0) throw new AppError('token.pinUnknown');
  return id;
}
