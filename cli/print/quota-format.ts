import type { QuotaFormat } from '../../core/billing/quota.ts';
import type { OptionService } from '../../core/services/option/option.ts';

/** Quota as the operator wants it shown. */
export function quotaFormat(options: Pick<OptionService, 'get'>): QuotaFormat {
  return { inCurrency: options.get('DisplayInCurrencyEnabled'), quotaPerUnit: options.get('QuotaPerUnit') };
}
