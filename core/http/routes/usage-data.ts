import { z } from 'zod';
import {
  ownUsageDataQuery,
  usageDataQuery,
  usageDataSchema,
  userUsageQuery,
  userUsageSchema,
} from '../../schemas/usage-data.ts';
import type { UsageDataService } from '../../services/usage/usage-data.ts';
import { answers, type ConsoleRoute, consoleRoute } from '../route.ts';

export function usageDataRoutes({ usageData }: { usageData: UsageDataService }): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/data/',
      access: 'admin',
      summary: 'Consumption per model by hour or day: of one user, or of all together',
      query: usageDataQuery,
      answer: answers.data(z.array(usageDataSchema)),
      handle: ({ actor, query }) => usageData.list(actor, query),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/data/users',
      access: 'admin',
      summary: 'Who used most in the range: the sums of up to 100 users',
      query: userUsageQuery,
      answer: answers.data(z.array(userUsageSchema)),
      handle: ({ actor, query }) => usageData.listUsers(actor, query),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/data/self',
      access: 'user',
      objects: 'own',
      summary: 'The own consumption per model by hour or day, at most 30 days at once',
      query: ownUsageDataQuery,
      answer: answers.data(z.array(usageDataSchema)),
      handle: ({ actor, query }) => usageData.listOwn(actor, query),
    }),
  ];
}
