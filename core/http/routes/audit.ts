import { auditQuery, auditSchema } from '../../schemas/audit.ts';
import { pageSchema } from '../../schemas/paging.ts';
import { type AuditService, auditIn } from '../../services/audit.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

export function auditRoutes({ audit }: { audit: AuditService }): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/audit/',
      access: 'admin',
      query: auditQuery,
      response: responses.data(pageSchema(auditSchema)),
      async handle({ actor, query: { p, ...filter }, language }) {
        const found = await audit.list(actor, { ...filter, page: p });
        return { ...found, items: found.items.map((row) => auditIn(language, row)) };
      },
    }),
  ];
}
