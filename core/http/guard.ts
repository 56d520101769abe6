import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../errors/app-error.ts';
import { type Actor, guestActor, role } from '../schemas/actor.ts';
import type { SessionService } from '../services/sign-in/session.ts';
import { refuseForeignPage, sessionIdOf } from './cookie/session-cookie.ts';
import type { RouteAccess } from './route.ts';

const minRole: Partial<Record<RouteAccess, number>> = { user: role.user, admin: role.admin, root: role.root };
const userIdHeader = 'new-api-user';

export interface Guard {
  /** Who calls. Throws `session.missing` (401) without a session, `permission.denied` (403) for too low a role. */
  admit(access: RouteAccess, headers: IncomingHttpHeaders, address: string): Promise<Actor>;
  /** The user of a live session, on routes that are open to all. */
  visitor(headers: IncomingHttpHeaders, address: string): Promise<Actor | undefined>;
}

/** Role and status are read from storage at each call, so that a ban or a demotion is in force at once. */
export function createGuard({ sessions }: { sessions: SessionService }): Guard {
  return {
    async admit(access, headers, address) {
      const min = minRole[access];
      if (min === undefined) return { ...guestActor, address };
      const actor = await signedIn(headers, sessions, address);
      if (actor.role < min) throw new AppError('permission.denied');
      return actor;
    },
    async visitor(headers, address) {
      const id = sessionIdOf(headers);
      if (!id) return undefined;
      try {
        return await sessions.visitor(id, address);
      } catch (error) {
        if (error instanceof AppError && error.status === 401) return undefined; // a dead cookie is a guest
        throw error;
      }
    },
  };
}

/**
 * The session's user, or the owner of a system access token when there is no session. Calls of a browser must come from our own
 * pages (S6), and every call names its user in a header, so that two accounts in one browser cannot be mixed up.
 */
async function signedIn(headers: IncomingHttpHeaders, sessions: SessionService, address: string): Promise<Actor> {
  const claimed = headers[userIdHeader];
  const userId = typeof claimed === 'string' ? claimed : '';
  const id = sessionIdOf(headers);
  if (id) {
    refuseForeignPage(headers);
    return sessions.authenticate(id, userId, address);
  }
  const { authorization } = headers;
  if (!authorization) throw new AppError('session.missing');
  return sessions.authenticateToken(authorization.replace(/^Bearer /, ''), userId, address);
}
