import { Op } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { UserRow } from '../../database/models/user.ts';
import { sumOfQuota } from '../../database/quota-sum.ts';
import { type Clock, nowSeconds, secondsPerDay } from '../../lib/clock.ts';
import { type Actor, role, systemActor } from '../../schemas/actor.ts';
import type { Page, Paging } from '../../schemas/paging.ts';
import type { Session } from '../../schemas/session.ts';
import { type Token, type TokenList, tokenListSchema } from '../../schemas/token.ts';
import type { TokenWithOwner, UserCreditEntry, UserSummary } from '../../schemas/user-inspection.ts';
import { requireRole } from '../actor.ts';
import type { SessionService } from '../sign-in/session.ts';
import type { TokenService } from '../token/token.ts';
import { readCreditEntries } from './credit-entry.ts';
import { requireRankOver } from './rank.ts';
import { userNotFound } from './store.ts';
import { userView } from './view.ts';

interface UserInspectionDependencies {
  database: Database;
  tokens: Pick<TokenService, 'get' | 'list'>;
  sessions: Pick<SessionService, 'list' | 'end' | 'endOthers'>;
  now?: Clock;
}

export type UserInspection = ReturnType<typeof createUserInspection>;

/** What belongs to a user, for admins: of accounts with a lower role and of the own one, of all for root. Keys stay masked. */
export function createUserInspection({ database, tokens, sessions, now = nowSeconds }: UserInspectionDependencies) {
  /** Deleted accounts included; of an erased one there is nothing left to show. */
  async function findReadable(actor: Actor, id: number): Promise<UserRow> {
    requireRole(actor, role.admin);
    const row = await database.users.findOne({ where: { id, username: { [Op.ne]: '' } }, raw: true });
    if (!row) throw userNotFound(id);
    if (id !== actor.id) requireRankOver(actor, row);
    return row;
  }

  async function summary(actor: Actor, id: number): Promise<UserSummary> {
    const user = userView(await findReadable(actor, id));
    const at = now();
    const replacements = { id, week: at - 7 * secondsPerDay, before: at - 14 * secondsPerDay };
    // SQL: sums of hours, split at one of them.
    const [[spent], [used]] = await Promise.all([
      database.select<{ week: number | null; before: number | null }>(
        `SELECT ${sumOfQuota('CASE WHEN created_at >= :week THEN quota ELSE 0 END')} AS week,
          ${sumOfQuota('CASE WHEN created_at < :week THEN quota ELSE 0 END')} AS before
        FROM usage_data WHERE user_id = :id AND created_at >= :before`,
        replacements,
      ),
      database.select<{ time: number | null; count: number | null }>(
        `SELECT max(CASE WHEN accessed_time > created_time THEN accessed_time ELSE 0 END) AS time,
          CAST(sum(CASE WHEN deleted_at IS NULL THEN 1 ELSE 0 END) AS BIGINT) AS count
        FROM tokens WHERE user_id = :id`,
        replacements,
      ),
    ]);
    return {
      user,
      spent_in_week: spent?.week ?? 0,
      spent_in_previous_week: spent?.before ?? 0,
      last_used_time: used?.time ?? 0,
      token_count: used?.count ?? 0,
    };
  }

  async function listTokens(actor: Actor, id: number, query: Paging & Pick<TokenList, 'sort'>): Promise<Page<Token>> {
    await findReadable(actor, id);
    return tokens.list(systemActor, tokenListSchema.parse(query), { userId: id });
  }

  /** Users see their own, with its key; admins those of users they may look at. Foreign and missing look the same to users. */
  async function getToken(actor: Actor, id: number): Promise<TokenWithOwner> {
    const isAdmin = actor.role >= role.admin;
    const token = await tokens.get(isAdmin ? systemActor : actor, id);
    if (token.user_id === actor.id)
      return { ...(await tokens.get(actor, id, { withKeys: true })), username: actor.name };
    const { username } = await findReadable(actor, token.user_id);
    return { ...token, username };
  }

  /** Newest first. */
  async function listCredit(actor: Actor, id: number, paging: Paging): Promise<Page<UserCreditEntry>> {
    await findReadable(actor, id);
    return readCreditEntries(database, id, paging);
  }

  /** `sessionId` is the secret of the caller's own cookie, so that an admin knows this browser on the own page. */
  async function listSessions(actor: Actor, id: number, sessionId?: string): Promise<Session[]> {
    await findReadable(actor, id);
    return sessions.list(actor, sessionId, id);
  }

  async function endSession(actor: Actor, id: number, session: string): Promise<void> {
    await findReadable(actor, id);
    await sessions.end(actor, session, id);
  }

  /** All of them, but not the one that asks; returns how many. */
  async function endSessions(actor: Actor, id: number, sessionId?: string): Promise<number> {
    await findReadable(actor, id);
    return sessions.endOthers(actor, sessionId, id);
  }

  return { summary, listTokens, getToken, listCredit, listSessions, endSession, endSessions };
}
