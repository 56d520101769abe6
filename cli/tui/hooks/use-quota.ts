import { formatQuota } from '../../../core/billing/quota.ts';
import { quotaFormat } from '../../print/quota-format.ts';
import { useEnvironment } from '../environment.ts';
import { grouped } from '../grouped.ts';

/** Quota as the operator wants it shown. */
export function useQuota(): (units: number) => string {
  const { options } = useEnvironment().app.services;
  return (units) => grouped(formatQuota(units, quotaFormat(options)));
}

/** What one call cost: of most calls a price in cents would say nothing. */
export function useCost(): (units: number) => string {
  const { options } = useEnvironment().app.services;
  const whole = useQuota();
  return (units) => {
    const { inCurrency, quotaPerUnit } = quotaFormat(options);
    const dollars = units / quotaPerUnit;
    if (!inCurrency || units <= 0 || dollars >= 1) return whole(units);
    return `$${dollars.toFixed(6).replace(/0{1,4}$/, '')}`;
  };
}
