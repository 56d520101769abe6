import { decimalOf, digitsAtScale, divideHalfUp } from './decimal.ts';

export interface QuotaFormat {
  /** The option DisplayInCurrencyEnabled. */
  inCurrency: boolean;
  /** Quota that are one US dollar; 500,000 unless the operator changed QuotaPerUnit. */
  quotaPerUnit: number;
}

/** `$1.23` in currency, else the number, shortened above ten thousand: `12.3k`, `1.5M`, `2B`. */
export function formatQuota(quota: number, { inCurrency, quotaPerUnit }: QuotaFormat): string {
  const size = Math.abs(quota);
  const text = inCurrency && quotaPerUnit > 0 ? dollars(size, quotaPerUnit) : compact(size);
  return quota < 0 && /[1-9]/.test(text) ? `-${text}` : text;
}

function dollars(quota: number, quotaPerUnit: number): string {
  const perUnit = decimalOf(quotaPerUnit);
  const paid = decimalOf(quota);
  const scale = Math.max(perUnit.scale, paid.scale);
  const cents = divideHalfUp(digitsAtScale(paid, scale) * 100n, digitsAtScale(perUnit, scale));
  return `$${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
}

function compact(quota: number): string {
  if (quota > 1e9) return shortened(quota, 1e9, 'B');
  if (quota > 1e6) return shortened(quota, 1e6, 'M');
  if (quota > 1e4) return shortened(quota, 1e3, 'k');
  return String(quota);
}

function shortened(quota: number, divisor: number, suffix: string): string {
  return `${Math.round((quota / divisor) * 10) / 10}${suffix}`;
}
