import { z } from 'zod';
import { sessionSchema, signInSchema } from '../../schemas/session.ts';
import { userSchema } from '../../schemas/user.ts';
import type { OptionService } from '../../services/option.ts';
import type { SessionService } from '../../services/session.ts';
import { answers, type ConsoleRoute, consoleRoute } from '../route.ts';
import { clearSessionCookie, setSessionCookie } from '../session-cookie.ts';

interface SessionRouteDependencies {
  sessions: SessionService;
  options: Pick<OptionService, 'get'>;
}

const signInBodyBytes = 8 * 1024;

export function sessionRoutes({ sessions, options }: SessionRouteDependencies): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'POST',
      path: '/api/user/login',
      access: 'public',
      rate: 'critical',
      summary: 'Sign in with user name or e-mail address and password',
      bodyLimit: signInBodyBytes,
      body: signInSchema,
      answer: answers.data(userSchema),
      async handle({ body, caller, reply }) {
        const { sessionId, user } = await sessions.signIn(body, caller);
        setSessionCookie(reply, sessionId, options.get('ServerAddress').startsWith('https:'));
        return user;
      },
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/user/logout',
      access: 'public',
      summary: 'End the session, if there is one',
      answer: answers.empty,
      async handle({ sessionId, reply }) {
        if (sessionId) await sessions.signOut(sessionId);
        clearSessionCookie(reply);
      },
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/user/self/sessions',
      access: 'user',
      objects: 'own',
      summary: 'List where one is signed in',
      answer: answers.data(z.array(sessionSchema)),
      handle: ({ actor, sessionId }) => sessions.list(actor, sessionId),
    }),
  ];
}
