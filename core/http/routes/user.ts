import { z } from 'zod';
import { pageSchema } from '../../schemas/paging.ts';
import { filterTextSchema, idParams, pageQuery } from '../../schemas/query.ts';
import {
  userBatchSchema,
  userCreateSchema,
  userListFilters,
  userManageSchema,
  userSchema,
  userUpdateSchema,
} from '../../schemas/user.ts';
import type { UserService } from '../../services/user/user.ts';
import { answers, type ConsoleRoute, consoleRoute } from '../route.ts';

// An order nobody knows is none.
const listQuery = pageQuery.extend({ ...userListFilters, sort: userListFilters.sort.catch(undefined) });
const searchQuery = listQuery.extend({ keyword: filterTextSchema, group: filterTextSchema });
const lower = 'role below own, any for root';

/** What admins do with the accounts of others. */
export function userRoutes({ users }: { users: UserService }): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/user/',
      access: 'admin',
      summary: 'List users, deleted ones included',
      query: listQuery,
      answer: answers.data(pageSchema(userSchema)),
      handle: ({ actor, query: { p, ...query } }) => users.list(actor, { page: p, ...query, keyword: '', group: '' }),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/user/search',
      access: 'admin',
      summary: 'Search users by a part of name, e-mail address or display name, by id and by group',
      query: searchQuery,
      answer: answers.data(pageSchema(userSchema)),
      handle: ({ actor, query: { p, ...query } }) => users.list(actor, { page: p, ...query }),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/user/:id',
      access: 'admin',
      objects: lower,
      summary: 'Read a user',
      params: idParams,
      answer: answers.data(userSchema),
      handle: ({ actor, params }) => users.get(actor, params.id),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/user/',
      access: 'admin',
      summary: 'Make a user; always a normal one',
      body: userCreateSchema,
      answer: answers.empty,
      handle: ({ actor, body }) => users.create(actor, body),
    }),
    consoleRoute({
      method: 'PUT',
      path: '/api/user/',
      access: 'admin',
      objects: lower,
      summary: 'Change a user; of the quota the difference to quota_loaded is booked',
      body: userUpdateSchema,
      answer: answers.empty,
      handle: ({ actor, body }) => users.update(actor, body),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/user/manage',
      access: 'admin',
      objects: lower,
      summary: 'Enable, disable, delete, promote or demote a user',
      body: userManageSchema,
      answer: answers.data(userSchema),
      handle: ({ actor, body }) => users.manage(actor, body),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/user/batch',
      access: 'admin',
      objects: lower,
      summary: 'Enable, disable or delete several users, all or none; data is their number',
      body: userBatchSchema,
      strictBody: true,
      answer: answers.data(z.number()),
      handle: ({ actor, body }) => users.manageMany(actor, body),
    }),
    consoleRoute({
      method: 'DELETE',
      path: '/api/user/:id',
      access: 'admin',
      objects: 'role below own',
      summary: 'Erase a user for good; what was paid and used stays in the books without a name',
      params: idParams,
      answer: answers.empty,
      handle: ({ actor, params }) => users.erase(actor, params.id),
    }),
  ];
}
