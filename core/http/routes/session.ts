import type { IncomingMessage } from 'node:http';
import { systemActor } from '../../schemas/actor.ts';
import { signInSchema } from '../../schemas/session.ts';
import type { OptionService } from '../../services/option.ts';
import type { SessionService } from '../../services/session.ts';
import type { UserService } from '../../services/user.ts';
import { ok } from '../envelope.ts';
import { parseInput } from '../parse-input.ts';
import type { ConsoleRoute } from '../route.ts';
import { clearSessionCookie, sessionIdOf, setSessionCookie, signedIn } from '../session-cookie.ts';

interface SessionRouteDependencies {
  sessions: SessionService;
  users: UserService;
  options: Pick<OptionService, 'get'>;
  addressOf(incoming: IncomingMessage): string;
}

const signInBodyBytes = 8 * 1024;

export function sessionRoutes({ sessions, users, options, addressOf }: SessionRouteDependencies): ConsoleRoute[] {
  return [
    {
      method: 'POST',
      path: '/api/user/login',
      access: 'public',
      bodyLimit: signInBodyBytes,
      async handler(request, reply) {
        const userAgent = request.headers['user-agent'] ?? '';
        const caller = { address: addressOf(request.raw), userAgent };
        const { sessionId, user } = await sessions.signIn(parseInput(signInSchema, request.body), caller);
        setSessionCookie(reply, sessionId, options.get('ServerAddress').startsWith('https:'));
        return ok(user);
      },
    },
    {
      method: 'GET',
      path: '/api/user/logout',
      access: 'public',
      async handler(request, reply) {
        const id = sessionIdOf(request.headers);
        if (id) await sessions.signOut(id);
        clearSessionCookie(reply);
        return ok();
      },
    },
    {
      method: 'GET',
      path: '/api/user/self',
      access: 'user',
      async handler(request) {
        const actor = await signedIn(request.headers, sessions, addressOf(request.raw));
        return ok(await users.get(systemActor, actor.id));
      },
    },
  ];
}
