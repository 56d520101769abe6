import { z } from 'zod';
import {
  ownUsageDataQuery,
  usageDataQuery,
  usageDataSchema,
  userUsageQuery,
  userUsageSchema,
} from '../../schemas/usage-data.ts';
import type { UsageDataService } from '../../services/usage/usage-data.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

export function usageDataRoutes({ usageData }: { usageData: UsageDataService }): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/data/',
      access: 'admin',
      query: usageDataQuery,
      response: responses.data(z.array(usageDataSchema)),
      handle: ({ actor, query }) => usageData.list(actor, query),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/data/users',
      access: 'admin',
      query: userUsageQuery,
      response: responses.data(z.array(userUsageSchema)),
      handle: ({ actor, query }) => usageData.listUsers(actor, query),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/data/self',
      access: 'user',
      objects: 'own',
      query: ownUsageDataQuery,
      response: responses.data(z.array(usageDataSchema)),
      handle: ({ actor, query }) => usageData.listOwn(actor, query),
    }),
  ];
}
