import { auditQuery, auditSchema } from '../../schemas/audit.ts';
import { pageSchema } from '../../schemas/paging.ts';
import type { AuditService } from '../../services/audit.ts';
import { answers, type ConsoleRoute, consoleRoute } from '../route.ts';

export function auditRoutes({ audit }: { audit: AuditService }): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/audit/',
      access: 'admin',
      query: auditQuery,
      answer: answers.data(pageSchema(auditSchema)),
      handle: ({ actor, query: { p, ...filter } }) => audit.list(actor, { ...filter, page: p }),
    }),
  ];
}
