import { z } from 'zod';
import { pageSchema } from '../../schemas/paging.ts';
import { idParams, idTextSchema, pageQuery } from '../../schemas/query.ts';
import { sessionSchema } from '../../schemas/session.ts';
import { tokenSchema } from '../../schemas/token.ts';
import {
  tokenWithOwnerSchema,
  userCreditEntrySchema,
  userSummarySchema,
  userTokenQuery,
} from '../../schemas/user-inspection.ts';
import { keyIn } from '../../services/secret.ts';
import type { UserInspection } from '../../services/user/inspection.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

const ofUser = { access: 'admin', objects: 'lowerRoleOrRoot', params: idParams } as const;
const sessionParams = z.object({ id: idTextSchema, session: z.string() });

/** What belongs to a user, for the page of that user. */
export function userInspectionRoutes({ userInspection }: { userInspection: UserInspection }): ConsoleRoute[] {
  return [
    consoleRoute({
      ...ofUser,
      method: 'GET',
      path: '/api/user/:id/summary',
      response: responses.data(userSummarySchema),
      handle: ({ actor, params }) => userInspection.summary(actor, params.id),
    }),
    consoleRoute({
      ...ofUser,
      method: 'GET',
      path: '/api/user/:id/tokens',
      query: userTokenQuery,
      response: responses.data(pageSchema(tokenSchema)),
      async handle({ actor, params, query: { p, ...query }, language }) {
        const found = await userInspection.listTokens(actor, params.id, { page: p, ...query });
        return { ...found, items: found.items.map((token) => keyIn(language, token)) };
      },
    }),
    consoleRoute({
      ...ofUser,
      method: 'GET',
      path: '/api/user/:id/credit',
      query: pageQuery,
      response: responses.data(pageSchema(userCreditEntrySchema)),
      handle: ({ actor, params, query: { p, page_size } }) =>
        userInspection.listCredit(actor, params.id, { page: p, page_size }),
    }),
    consoleRoute({
      ...ofUser,
      method: 'GET',
      path: '/api/user/:id/sessions',
      response: responses.data(z.array(sessionSchema)),
      handle: ({ actor, params, sessionId }) => userInspection.listSessions(actor, params.id, sessionId),
    }),
    consoleRoute({
      ...ofUser,
      method: 'DELETE',
      path: '/api/user/:id/sessions',
      response: responses.data(z.number()),
      handle: ({ actor, params, sessionId }) => userInspection.endSessions(actor, params.id, sessionId),
    }),
    consoleRoute({
      ...ofUser,
      method: 'DELETE',
      path: '/api/user/:id/sessions/:session',
      params: sessionParams,
      response: responses.empty,
      handle: ({ actor, params }) => userInspection.endSession(actor, params.id, params.session),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/user/tokens/:id',
      access: 'user',
      objects: 'ownOrAdmin',
      params: idParams,
      showsSecret: true,
      response: responses.data(tokenWithOwnerSchema),
      handle: async ({ actor, params, language }) => keyIn(language, await userInspection.getToken(actor, params.id)),
    }),
  ];
}
