import { z } from 'zod';
import {
  limitCreateSchema,
  limitListFilters,
  limitSchema,
  limitUpdateSchema,
  ownLimitSchema,
  requireAppliedTo,
} from '../../schemas/limit.ts';
import { pageSchema } from '../../schemas/paging.ts';
import { idParams, pageQuery } from '../../schemas/query.ts';
import type { LimitService } from '../../services/limit/limit.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

// Of a limit on one user or token; those for groups, models, and everyone are for every admin.
const lower = 'lowerRoleOrRoot';

/** Limits and budgets: admins set them, every user may see the own ones. */
export function limitRoutes({ limits }: { limits: LimitService }): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/limit/',
      access: 'admin',
      query: pageQuery.extend(limitListFilters).superRefine(requireAppliedTo),
      response: responses.data(pageSchema(limitSchema)),
      handle: ({ actor, query: { p, ...query } }) => limits.list(actor, { page: p, ...query }),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/limit/self',
      access: 'user',
      objects: 'own',
      response: responses.data(z.array(ownLimitSchema)),
      handle: ({ actor }) => limits.listOwn(actor),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/limit/:id',
      access: 'admin',
      params: idParams,
      response: responses.data(limitSchema),
      handle: ({ actor, params }) => limits.get(actor, params.id),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/limit/',
      access: 'admin',
      objects: lower,
      body: limitCreateSchema,
      response: responses.data(limitSchema),
      handle: ({ actor, body }) => limits.create(actor, body),
    }),
    consoleRoute({
      method: 'PUT',
      path: '/api/limit/',
      access: 'admin',
      objects: lower,
      body: limitUpdateSchema,
      response: responses.data(limitSchema),
      handle: ({ actor, body }) => limits.update(actor, body),
    }),
    consoleRoute({
      method: 'DELETE',
      path: '/api/limit/:id',
      access: 'admin',
      objects: lower,
      params: idParams,
      response: responses.empty,
      handle: ({ actor, params }) => limits.remove(actor, params.id),
    }),
  ];
}
