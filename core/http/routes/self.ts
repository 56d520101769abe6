import { z } from 'zod';
import { ownPasswordSchema, selfUpdateSchema } from '../../schemas/account.ts';
import { userSchema } from '../../schemas/user.ts';
import { userSettingSchema } from '../../schemas/user-setting.ts';
import type { SelfService } from '../../services/user/self.ts';
import { clearSessionCookie } from '../cookie/session-cookie.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

/** What signed-in users do with their own account. */
export function selfRoutes({ self }: { self: SelfService }): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/user/self',
      access: 'user',
      objects: 'own',
      response: responses.data(userSchema),
      handle: ({ actor }) => self.get(actor),
    }),
    consoleRoute({
      method: 'PUT',
      path: '/api/user/self',
      access: 'user',
      objects: 'own',
      body: selfUpdateSchema,
      response: responses.empty,
      handle: ({ actor, body, sessionId }) => self.update(actor, body, sessionId),
    }),
    consoleRoute({
      method: 'DELETE',
      path: '/api/user/self',
      access: 'user',
      objects: 'own',
      response: responses.empty,
      async handle({ actor, reply }) {
        await self.remove(actor);
        clearSessionCookie(reply);
      },
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/user/token',
      access: 'user',
      objects: 'own',
      showsSecret: true,
      response: responses.data(z.string()),
      handle: ({ actor, sessionId }) => self.createAccessToken(actor, { sessionId }),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/user/token',
      access: 'user',
      objects: 'own',
      rate: 'critical',
      body: ownPasswordSchema,
      showsSecret: true,
      response: responses.data(z.string()),
      handle: ({ actor, body, sessionId }) => self.createAccessToken(actor, { ...body, sessionId }),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/user/aff',
      access: 'user',
      objects: 'own',
      response: responses.data(z.string()),
      handle: ({ actor }) => self.invitationCode(actor),
    }),
    consoleRoute({
      method: 'PUT',
      path: '/api/user/setting',
      access: 'user',
      objects: 'own',
      body: userSettingSchema,
      response: responses.empty,
      handle: ({ actor, body }) => self.changeSetting(actor, body),
    }),
  ];
}
