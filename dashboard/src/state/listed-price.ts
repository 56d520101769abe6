import { useMemo } from 'react';
import type { ListedPrice } from '../../../core/schemas/price-sync.ts';
import { useStatus } from '../api/status.ts';
import { usePriceText } from './price-text.ts';

export const priceFigures = ['input', 'cached', 'output', 'call'] as const;
export type PriceFigure = (typeof priceFigures)[number];

/** Prices in US dollars, as the installation shows money; `unpriced` is shown for a model without a price. */
export function useListedPrice(unpriced = '') {
  const { quota_per_unit: quotaPerUnit } = useStatus();
  const money = usePriceText();
  return useMemo(() => {
    const dollars = (value: number | undefined) => (value === undefined ? unpriced : money(value * quotaPerUnit));
    return {
      /** `$0.15 → $0.40`; one figure where it stayed, nothing where neither has it. */
      change(before: ListedPrice | null, after: ListedPrice | null, figure: PriceFigure): string {
        const [was, is] = [before?.[figure], after?.[figure]];
        if (was === undefined && is === undefined) return '';
        return was === is ? dollars(is) : `${dollars(was)} → ${dollars(is)}`;
      },
      /** `$2.50 / $10.00`, or the price of a call. */
      short: ({ input, output, call }: ListedPrice): string =>
        call === undefined
          ? [input, output].flatMap((one) => (one === undefined ? [] : [dollars(one)])).join(' / ')
          : dollars(call),
    };
  }, [unpriced, money, quotaPerUnit]);
}
