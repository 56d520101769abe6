import { auditQuery, auditSchema } from '../../schemas/audit.ts';
import { pageSchema } from '../../schemas/paging.ts';
import type { AuditService } from '../../services/audit.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

export function auditRoutes({ audit }: { audit: AuditService }): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/audit/',
      access: 'admin',
      query: auditQuery,
      response: responses.data(pageSchema(auditSchema)),
      handle: ({ actor, query: { p, ...filter } }) => audit.list(actor, { ...filter, page: p }),
    }),
  ];
}
