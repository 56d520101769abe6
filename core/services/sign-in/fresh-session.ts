import { Op } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Clock, nowSeconds } from '../../lib/clock.ts';
import type { Actor } from '../../schemas/actor.ts';
import { sessionHash } from './session-hash.ts';
import type { StepUp } from './step-up.ts';

interface FreshSessionDependencies {
  database: Database;
  requirePassword: StepUp;
  now?: Clock;
}

export type FreshSessions = ReturnType<typeof createFreshSessions>;

/** Long enough to sign in elsewhere, come back and press a button. */
const freshSeconds = 10 * 60;
const purpose = 'session_confirmed';

/** Whether a session has just begun, or its owner has just given the password again: what lets another person stay in needs it. */
export function createFreshSessions({ database, requirePassword, now = nowSeconds }: FreshSessionDependencies) {
  async function isFresh(actor: Actor, sessionId: string | undefined): Promise<boolean> {
    if (!sessionId) return false;
    const hash = sessionHash(sessionId);
    const session = await database.sessions.findByPk(hash, { raw: true });
    if (session?.user_id !== actor.id) return false;
    if (now() - session.created_at <= freshSeconds) return true;
    const where = { code_hash: hash, purpose, user_id: actor.id, expires_at: { [Op.gt]: now() } };
    return (await database.oneTimeCodes.count({ where })) > 0;
  }

  async function hasPassword({ id }: Actor): Promise<boolean> {
    const where = { id, deleted_at: null };
    const row = await database.users.findOne({ attributes: ['password'], where, raw: true });
    return Boolean(row?.password);
  }

  return {
    isFresh,
    status: async (actor: Actor, sessionId: string | undefined) => ({
      is_fresh: await isFresh(actor, sessionId),
      password_needed: await hasPassword(actor),
    }),
    /** The session counts as fresh from now on, for ten minutes. Throws `session.wrongPassword`. */
    async confirm(actor: Actor, password: string, sessionId: string | undefined): Promise<void> {
      if (!sessionId) throw new AppError('session.missing');
      await requirePassword(actor, password);
      const times = { created_at: now(), expires_at: now() + freshSeconds };
      await database.oneTimeCodes.upsert({ code_hash: sessionHash(sessionId), purpose, user_id: actor.id, ...times });
    },
    /** Throws `session.confirmNeeded`, or `session.freshNeeded` where there is no password to give. */
    async require(actor: Actor, sessionId: string | undefined): Promise<void> {
      if (await isFresh(actor, sessionId)) return;
      throw new AppError((await hasPassword(actor)) ? 'session.confirmNeeded' : 'session.freshNeeded');
    },
  };
}
