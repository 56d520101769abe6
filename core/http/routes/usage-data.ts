import { z } from 'zod';
import {
  ownUsageDataQuery,
  usageDataQuery,
  usageDataSchema,
  userUsageQuery,
  userUsageSchema,
} from '../../schemas/usage-data.ts';
import { ownUsageReportQuery, usageReportQuery, usageSumSchema } from '../../schemas/usage-report.ts';
import type { UsageDataService } from '../../services/usage/usage-data.ts';
import type { UsageReportService } from '../../services/usage/usage-report.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

interface UsageDataRouteDependencies {
  usageData: UsageDataService;
  usageReport: UsageReportService;
}

export function usageDataRoutes({ usageData, usageReport }: UsageDataRouteDependencies): ConsoleRoute[] {
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
    consoleRoute({
      method: 'GET',
      path: '/api/data/report',
      access: 'admin',
      query: usageReportQuery,
      response: responses.data(z.array(usageSumSchema)),
      handle: ({ actor, query }) => usageReport.readShared(actor, query),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/data/self/report',
      access: 'user',
      objects: 'own',
      query: ownUsageReportQuery,
      response: responses.data(z.array(usageSumSchema)),
      handle: ({ actor, query }) => usageReport.readOwn(actor, query),
    }),
  ];
}
