import { z } from 'zod';
import { pageSchema } from '../../schemas/paging.ts';
import { filterTextSchema, idParams, pageQuery } from '../../schemas/query.ts';
import {
  userBatchSchema,
  userCreateSchema,
  userCreditSchema,
  userListFilters,
  userManageSchema,
  userSchema,
  userUpdateSchema,
} from '../../schemas/user.ts';
import type { UserService } from '../../services/user/user.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

// An unknown sort order is ignored.
const listQuery = pageQuery.extend({ ...userListFilters, sort: userListFilters.sort.catch(undefined) });
const searchQuery = listQuery.extend({ keyword: filterTextSchema, group: filterTextSchema });
const lower = 'lowerRoleOrRoot';

/** What admins do with the accounts of others. */
export function userRoutes({ users }: { users: UserService }): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/user/',
      access: 'admin',
      query: listQuery,
      response: responses.data(pageSchema(userSchema)),
      handle: ({ actor, query: { p, ...query } }) => users.list(actor, { page: p, ...query, keyword: '', group: '' }),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/user/search',
      access: 'admin',
      query: searchQuery,
      response: responses.data(pageSchema(userSchema)),
      handle: ({ actor, query: { p, ...query } }) => users.list(actor, { page: p, ...query }),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/user/:id',
      access: 'admin',
      objects: lower,
      params: idParams,
      response: responses.data(userSchema),
      handle: ({ actor, params }) => users.get(actor, params.id),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/user/',
      access: 'admin',
      body: userCreateSchema,
      response: responses.empty,
      handle: ({ actor, body }) => users.create(actor, body),
    }),
    consoleRoute({
      method: 'PUT',
      path: '/api/user/',
      access: 'admin',
      objects: lower,
      body: userUpdateSchema,
      response: responses.empty,
      handle: ({ actor, body }) => users.update(actor, body),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/user/manage',
      access: 'admin',
      objects: lower,
      body: userManageSchema,
      response: responses.data(userSchema),
      handle: ({ actor, body }) => users.manage(actor, body),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/user/:id/credit',
      access: 'admin',
      objects: lower,
      params: idParams,
      body: userCreditSchema,
      response: responses.data(userSchema),
      handle: ({ actor, params, body }) => users.adjustQuota(actor, { ...params, ...body }),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/user/batch',
      access: 'admin',
      objects: lower,
      body: userBatchSchema,
      strictBody: true,
      response: responses.data(z.number()),
      handle: ({ actor, body }) => users.manageMany(actor, body),
    }),
    consoleRoute({
      method: 'DELETE',
      path: '/api/user/:id',
      access: 'admin',
      objects: 'lowerRole',
      params: idParams,
      response: responses.empty,
      handle: ({ actor, params }) => users.erase(actor, params.id),
    }),
  ];
}
