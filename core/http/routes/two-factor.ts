import { idParams } from '../../schemas/query.ts';
import {
  backupCodesSchema,
  secondStepSchema,
  twoFactorBeginSchema,
  twoFactorSetupSchema,
  twoFactorStatusSchema,
} from '../../schemas/two-factor.ts';
import type { TwoFactorService } from '../../services/sign-in/two-factor.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

/** Codes of an authenticator app as a second step at sign-in (console reference, 15). */
export function twoFactorRoutes({ twoFactors }: { twoFactors: TwoFactorService }): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/user/2fa/status',
      access: 'user',
      objects: 'own',
      response: responses.data(twoFactorStatusSchema),
      handle: ({ actor }) => twoFactors.status(actor),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/user/2fa/setup',
      access: 'user',
      objects: 'own',
      rate: 'critical',
      body: twoFactorBeginSchema,
      response: responses.data(twoFactorSetupSchema),
      showsSecret: true,
      handle: ({ actor, body, sessionId }) => twoFactors.setUp(actor, body.password, sessionId),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/user/2fa/enable',
      access: 'user',
      objects: 'own',
      rate: 'critical',
      body: secondStepSchema,
      response: responses.empty,
      handle: ({ actor, body }) => twoFactors.enable(actor, body.code),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/user/2fa/disable',
      access: 'user',
      objects: 'own',
      rate: 'critical',
      body: secondStepSchema,
      response: responses.empty,
      handle: ({ actor, body }) => twoFactors.disable(actor, body.code),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/user/2fa/backup_codes',
      access: 'user',
      objects: 'own',
      rate: 'critical',
      body: secondStepSchema,
      response: responses.data(backupCodesSchema),
      showsSecret: true,
      handle: async ({ actor, body }) => ({ backup_codes: await twoFactors.renewCodes(actor, body.code) }),
    }),
    consoleRoute({
      method: 'DELETE',
      path: '/api/user/:id/2fa',
      access: 'admin',
      objects: 'lowerRole',
      params: idParams,
      response: responses.empty,
      handle: ({ actor, params }) => twoFactors.remove(actor, params.id),
    }),
  ];
}
