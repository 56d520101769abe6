import { formatQuota } from '../../../core/billing/quota.ts';
import { quotaFormat } from '../../quota-format.ts';
import { useEnvironment } from '../environment.ts';

/** Quota as the operator wants it shown. */
export function useQuota(): (units: number) => string {
  const { options } = useEnvironment().app.services;
  return (units) => formatQuota(units, quotaFormat(options));
}
