import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useStatus } from '../api/status.ts';

/** A price as money or as units, with as many digits as a thousand tokens of a small model need. */
export function usePriceText(): (quota: number) => string {
  const { i18n } = useTranslation();
  const { quota_per_unit: quotaPerUnit, display_in_currency: inCurrency } = useStatus();
  return useMemo(() => {
    const language = i18n.language === 'en' ? 'en-GB' : 'zh-CN';
    if (!inCurrency || quotaPerUnit <= 0) {
      const units = new Intl.NumberFormat(language, { maximumFractionDigits: 4 });
      return (quota) => units.format(quota);
    }
    const dollars = new Intl.NumberFormat(language, {
      ...({ style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const),
      minimumFractionDigits: 2,
      maximumFractionDigits: 8,
    });
    // Six digits: what a float adds behind them is noise.
    return (quota) => dollars.format(Number((quota / quotaPerUnit).toPrecision(6)));
  }, [i18n.language, quotaPerUnit, inCurrency]);
}
