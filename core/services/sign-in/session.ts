import { Op } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import { findOwned } from '../../database/models/models.ts';
import type { SessionRow } from '../../database/models/session.ts';
import type { UserRow } from '../../database/models/user.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Clock, nowSeconds } from '../../lib/clock.ts';
import { randomSessionId } from '../../lib/random-key.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { Actor } from '../../schemas/actor.ts';
import { absoluteSeconds, idleSeconds, type Session } from '../../schemas/session.ts';
import { userStatus } from '../../schemas/user.ts';
import { coded } from '../../text/coded.ts';
import { actorOf } from '../actor.ts';
import type { AuditService } from '../audit.ts';
import type { OptionService } from '../option/option.ts';
import { ownView } from '../user/view.ts';
import { createKnownDevices } from './known-device.ts';
import { rememberPlace } from './place.ts';
import { sessionHash } from './session-hash.ts';
import { createSignIn, type SignedIn, type SignInOrigin } from './sign-in.ts';
import { createSignInThrottle, type SignInThrottle } from './throttle.ts';
import type { TwoFactorService } from './two-factor.ts';

export interface SessionServiceDependencies {
  database: Database;
  secretBox: SecretBox;
  options: Pick<OptionService, 'get'>;
  audit: Pick<AuditService, 'record'>;
  twoFactors: Pick<TwoFactorService, 'isOn' | 'verify'>;
  throttle?: SignInThrottle;
  now?: Clock;
}

export type SessionService = ReturnType<typeof createSessionService>;

/** `seen_at` is written at most this often: a page makes many calls at once. */
const seenEverySeconds = 60;

export function createSessionService(dependencies: SessionServiceDependencies) {
  const { database, secretBox, audit, now = nowSeconds } = dependencies;
  const { throttle = createSignInThrottle({ database, secretBox, now, purpose: 'sign-in' }) } = dependencies;
  const devices = createKnownDevices(secretBox);

  async function open(row: UserRow, { address, userAgent, device }: SignInOrigin): Promise<SignedIn> {
    const sessionId = randomSessionId();
    const time = now();
    await database.transaction(async (transaction) => {
      const session = {
        id_hash: sessionHash(sessionId),
        user_id: row.id,
        session_version: row.session_version,
        created_at: time,
        seen_at: time,
        address,
        user_agent: userAgent.replace(/\p{C}/gu, ' ').slice(0, 256),
      };
      await database.sessions.create(session, { transaction });
      await database.users.update({ last_login_time: time }, { where: { id: row.id }, transaction });
      await rememberPlace(database, { userId: row.id, address }, time, transaction);
      await audit.record(actorOf(row, address), { action: 'session.signIn', id: row.id }, transaction);
    });
    return {
      sessionId,
      device: devices.remember(device, row),
      user: ownView({ ...row, last_login_time: time }),
    };
  }

  /** Who the cookie stands for, read from storage at every call; `userIdHeader` is what New-Api-User says. */
  async function authenticate(sessionId: string, userIdHeader: string | undefined, address: string): Promise<Actor> {
    const { session, user } = await ownerOf(sessionId);
    requireSameUser(user, userIdHeader);
    if (now() - session.seen_at >= seenEverySeconds) {
      await database.sessions.update({ seen_at: now() }, { where: { id_hash: session.id_hash } });
    }
    return actorOf(user, address);
  }

  /** By the cookie alone: for public pages that show more to signed-in users. */
  async function visitor(sessionId: string, address: string): Promise<Actor> {
    const { user } = await ownerOf(sessionId);
    requireInGoodStanding(user);
    return actorOf(user, address);
  }

  async function ownerOf(sessionId: string): Promise<{ session: SessionRow; user: UserRow }> {
    // 256 bits in base64url are 43 characters; anything else is not worth a query.
    const isPossible = /^[\w-]{43}$/.test(sessionId);
    const found = isPossible && (await findOwned(database.sessions, { id_hash: sessionHash(sessionId) }));
    if (!found || !isLive(found) || found.session_version !== found.user.session_version)
      throw new AppError('session.missing');
    const { user, ...session } = found;
    return { session, user };
  }

  const isLive = ({ seen_at, created_at }: SessionRow) =>
    now() - seen_at <= idleSeconds && now() - created_at <= absoluteSeconds;

  /** A system access token instead of a session. */
  async function authenticateToken(token: string, userIdHeader: string | undefined, address: string): Promise<Actor> {
    const hashes = token === '' || token.length > 256 ? [] : secretBox.lookupHashes(token);
    const user =
      hashes.length > 0 && (await database.users.findOne({ where: { access_token_hash: hashes }, raw: true }));
    if (!user) throw new AppError('session.missing');
    requireSameUser(user, userIdHeader);
    return actorOf(user, address);
  }

  async function signOut(sessionId: string): Promise<void> {
    await database.sessions.destroy({ where: { id_hash: sessionHash(sessionId) } });
  }

  /** The own ones, or those of a user the caller was let look at. */
  async function list(actor: Actor, sessionId = '', userId = actor.id): Promise<Session[]> {
    const rows = await database.sessions.findAll({
      where: { user_id: userId },
      order: [['seen_at', 'DESC']],
      limit: 100,
      raw: true,
    });
    return rows.map(({ id_hash, created_at, seen_at, address, user_agent }) => ({
      id: id_hash.slice(0, 16),
      created_at,
      seen_at,
      address,
      user_agent,
      current: id_hash === sessionHash(sessionId),
    }));
  }

  /** One of the sessions of such a list, by its id. */
  async function end(actor: Actor, id: string, userId = actor.id): Promise<void> {
    const where = { user_id: userId, id_hash: { [Op.startsWith]: id } };
    await database.transaction(async (transaction) => {
      const count = /^[0-9a-f]{16}$/.test(id) ? await database.sessions.destroy({ where, transaction }) : 0;
      if (count === 0)
        throw new AppError('object.notFound', { what: coded('noun.session'), id: id.slice(0, 16), noun: 'user' });
      const whose = userId === actor.id ? {} : { after: { user_id: userId } };
      await audit.record(actor, { action: 'session.end', id, ...whose }, transaction);
    });
  }

  /** Every session of the user but the one that asks; returns how many. */
  async function endOthers(actor: Actor, sessionId = '', userId = actor.id): Promise<number> {
    const where = { user_id: userId, id_hash: { [Op.ne]: sessionHash(sessionId) } };
    return database.transaction(async (transaction) => {
      const count = await database.sessions.destroy({ where, transaction });
      await audit.record(actor, { action: 'session.endOthers', id: userId, after: { count } }, transaction);
      return count;
    });
  }

  /** Ends every session of a user, the one that asks included. */
  async function revokeAll(actor: Actor): Promise<number> {
    return database.transaction(async (transaction) => {
      const count = await database.sessions.destroy({ where: { user_id: actor.id }, transaction });
      await database.users.increment({ session_version: 1 }, { where: { id: actor.id }, transaction });
      await audit.record(actor, { action: 'session.revokeAll', id: actor.id, after: { count } }, transaction);
      return count;
    });
  }

  /** Rows that can no longer be used. */
  async function removeExpired(): Promise<void> {
    const idle = { seen_at: { [Op.lt]: now() - idleSeconds } };
    const old = { created_at: { [Op.lt]: now() - absoluteSeconds } };
    await database.sessions.destroy({ where: { [Op.or]: [idle, old] } });
    await throttle.removeExpired();
  }

  const { signIn, enter, finish } = createSignIn({ ...dependencies, throttle, devices, open, now });
  return {
    signIn,
    enter,
    finish,
    open,
    authenticate,
    visitor,
    authenticateToken,
    signOut,
    list,
    end,
    endOthers,
    revokeAll,
    removeExpired,
  };
}

/** The header is the decimal id and nothing that only reads like it: `01`, `1e0` and `1,2` are attacks. */
function requireSameUser(user: UserRow, userIdHeader: string | undefined): void {
  if (userIdHeader !== String(user.id)) throw new AppError('session.userMismatch');
  requireInGoodStanding(user);
}

function requireInGoodStanding(user: UserRow): void {
  if (user.deleted_at !== null || user.status !== userStatus.enabled) throw new AppError('session.banned');
}
