import { z } from 'zod';
import { emailBindQuery, emailBindSchema, registerSchema, resetSchema } from '../../schemas/account.ts';
import { emailSchema, writtenEmailSchema } from '../../schemas/email.ts';
import { confirmSchema, freshSessionSchema } from '../../schemas/session.ts';
import type { PasswordResetService } from '../../services/account/password-reset.ts';
import type { RegistrationService } from '../../services/account/registration.ts';
import type { FreshSessions } from '../../services/sign-in/fresh-session.ts';
import type { SelfService } from '../../services/user/self.ts';
import { type HumanCheckServices, humanCheckQuery, requireHuman } from '../console/human-check.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

interface AccountRouteDependencies extends HumanCheckServices {
  registration: RegistrationService;
  passwordReset: PasswordResetService;
  self: Pick<SelfService, 'bindEmail'>;
  freshSessions: Pick<FreshSessions, 'status' | 'confirm'>;
}

const addressQuery = humanCheckQuery.extend({ email: emailSchema });
const knownAddressQuery = humanCheckQuery.extend({ email: writtenEmailSchema });
const resetBodyBytes = 8 * 1024;

/** The ways to an account, or back to it, by mail and password. */
export function accountRoutes(dependencies: AccountRouteDependencies): ConsoleRoute[] {
  const { registration, passwordReset, self, freshSessions, ...gate } = dependencies;
  return [
    consoleRoute({
      method: 'POST',
      path: '/api/user/register',
      access: 'public',
      rate: 'critical',
      query: humanCheckQuery,
      body: registerSchema,
      response: responses.empty,
      async handle(call) {
        await requireHuman(gate, call);
        await registration.register(call.actor, call.body);
      },
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/verification',
      access: 'public',
      rate: 'critical',
      query: addressQuery,
      response: responses.empty,
      async handle(call) {
        await requireHuman(gate, call);
        await registration.sendCode(call.query.email, call.language);
      },
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/reset_password',
      access: 'public',
      rate: 'critical',
      query: knownAddressQuery,
      response: responses.empty,
      async handle(call) {
        await requireHuman(gate, call);
        await passwordReset.request(call.query.email, call.language);
      },
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/user/reset',
      access: 'public',
      rate: 'critical',
      bodyLimit: resetBodyBytes,
      body: resetSchema,
      showsSecret: true,
      response: responses.data(z.string()),
      handle: ({ actor, body }) => passwordReset.complete(actor, body),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/oauth/email/bind',
      access: 'user',
      objects: 'own',
      rate: 'critical',
      query: emailBindQuery,
      response: responses.empty,
      handle: ({ actor, query, sessionId }) => self.bindEmail(actor, query, sessionId),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/oauth/email/bind',
      access: 'user',
      objects: 'own',
      rate: 'critical',
      body: emailBindSchema,
      response: responses.empty,
      handle: ({ actor, body, sessionId }) => self.bindEmail(actor, body, sessionId),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/user/confirm',
      access: 'user',
      objects: 'own',
      response: responses.data(freshSessionSchema),
      handle: ({ actor, sessionId }) => freshSessions.status(actor, sessionId),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/user/confirm',
      access: 'user',
      objects: 'own',
      rate: 'critical',
      body: confirmSchema,
      response: responses.empty,
      handle: ({ actor, body, sessionId }) => freshSessions.confirm(actor, body.password, sessionId),
    }),
  ];
}
