import { formatQuota, grouped } from '../../billing/quota.ts';
import { auditQuery, auditSchema } from '../../schemas/audit.ts';
import { pageSchema } from '../../schemas/paging.ts';
import { type AuditService, auditIn } from '../../services/audit.ts';
import type { OptionService } from '../../services/option/option.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

interface AuditRouteDependencies {
  audit: AuditService;
  options: Pick<OptionService, 'get'>;
}

export function auditRoutes({ audit, options }: AuditRouteDependencies): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/audit/',
      access: 'admin',
      query: auditQuery,
      response: responses.data(pageSchema(auditSchema)),
      async handle({ actor, query: { p, ...filter }, language }) {
        const found = await audit.list(actor, { ...filter, page: p });
        const moneyOf = moneyIn(options);
        return { ...found, items: found.items.map((row) => auditIn(language, row, moneyOf)) };
      },
    }),
  ];
}

/** Quota units as the installation shows them, for sentences. */
export function moneyIn(options: Pick<OptionService, 'get'>): (quota: number) => string {
  const format = { inCurrency: options.get('DisplayInCurrencyEnabled'), quotaPerUnit: options.get('QuotaPerUnit') };
  return (quota) => grouped(formatQuota(quota, format));
}
