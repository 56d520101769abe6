import { z } from 'zod';
import { sessionSchema, signInSchema } from '../../schemas/session.ts';
import { secondStepNeededSchema, secondStepSchema } from '../../schemas/two-factor.ts';
import { userSchema } from '../../schemas/user.ts';
import type { SessionService } from '../../services/sign-in/session.ts';
import { type HumanCheckServices, humanCheckQuery, requireHuman } from '../console/human-check.ts';
import { admit, clearPendingSignIn, pendingSignInOf } from '../console/second-step.ts';
import { clearSessionCookie, isHttps, refuseForeignPage } from '../cookie/session-cookie.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

interface SessionRouteDependencies extends HumanCheckServices {
  sessions: SessionService;
}

const signInBodyBytes = 8 * 1024;
const sessionParams = z.object({ id: z.string() });

export function sessionRoutes({ sessions, ...gate }: SessionRouteDependencies): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'POST',
      path: '/api/user/login',
      access: 'public',
      rate: 'critical',
      bodyLimit: signInBodyBytes,
      query: humanCheckQuery,
      body: signInSchema,
      response: responses.data(z.union([userSchema, secondStepNeededSchema])),
      async handle(call) {
        const { proof } = await requireHuman(gate, call);
        // A pass from earlier opens the page, but no locked account: for that the widget's token is checked now.
        const askAgain = async () => (await requireHuman(gate, { ...call, headers: {} })).proof === 'fresh';
        const caller = { ...call.caller, proveHuman: async () => proof === 'fresh' || askAgain() };
        return admit(call.reply, isHttps(gate.options), () => sessions.signIn(call.body, caller));
      },
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/user/login/2fa',
      access: 'public',
      rate: 'critical',
      bodyLimit: signInBodyBytes,
      body: secondStepSchema,
      response: responses.data(userSchema),
      async handle({ body, headers, caller, reply }) {
        // A sign-in that was begun here is not finished by a page elsewhere.
        refuseForeignPage(headers);
        const finish = () => sessions.finish(pendingSignInOf(headers), body.code, caller);
        const user = await admit(reply, isHttps(gate.options), finish);
        clearPendingSignIn(reply);
        return user;
      },
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/user/logout',
      access: 'public',
      response: responses.empty,
      async handle({ sessionId, headers, reply }) {
        // A page elsewhere must not sign users out.
        refuseForeignPage(headers);
        if (sessionId) await sessions.signOut(sessionId);
        clearSessionCookie(reply);
      },
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/user/self/sessions',
      access: 'user',
      objects: 'own',
      response: responses.data(z.array(sessionSchema)),
      handle: ({ actor, sessionId }) => sessions.list(actor, sessionId),
    }),
    consoleRoute({
      method: 'DELETE',
      path: '/api/user/self/sessions/:id',
      access: 'user',
      objects: 'own',
      params: sessionParams,
      response: responses.empty,
      handle: ({ actor, params }) => sessions.end(actor, params.id),
    }),
    consoleRoute({
      method: 'DELETE',
      path: '/api/user/self/sessions',
      access: 'user',
      objects: 'own',
      response: responses.data(z.number()),
      handle: ({ actor, sessionId }) => sessions.endOthers(actor, sessionId),
    }),
  ];
}
