import { decimalOf, digitsAtScale, divideHalfUp, powerOfTen } from './decimal.ts';

export interface QuotaFormat {
  /** The option DisplayInCurrencyEnabled. */
  inCurrency: boolean;
  /** Quota that are one US dollar; 500,000 unless the operator changed QuotaPerUnit. */
  quotaPerUnit: number;
}

/** `$1.23` in currency and below a cent its first two digits (`$0.0021`), else the number, shortened above ten thousand: `12.3k`, `1.5M`, `2B`. */
export function formatQuota(quota: number, format: QuotaFormat): string {
  return formatAtScale(quota, format, 2);
}

/** What a call or a few of them cost: below a dollar four decimals (`$0.0137`), below a cent of it the first two digits. */
export function formatCost(quota: number, format: QuotaFormat): string {
  return formatAtScale(quota, format, Math.abs(quota) < format.quotaPerUnit ? 4 : 2);
}

/** Amounts to be compared: with as many decimals as it takes to tell them apart. */
export function formatQuotas(quotas: readonly number[], format: QuotaFormat): string[] {
  const different = new Set(quotas).size;
  for (let decimals = 2; ; decimals++) {
    const texts = quotas.map((quota) => formatAtScale(quota, format, decimals));
    if (new Set(texts).size === different) return texts;
    if (decimals === maxDecimals) return quotas.map(String);
  }
}

/** `$18,000.00`: money within a sentence, as pages write it. */
export function grouped(money: string): string {
  return money.replace(/\d{4,}(?=\.)/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));
}

const maxDecimals = 12;

function formatAtScale(quota: number, { inCurrency, quotaPerUnit }: QuotaFormat, decimals: number): string {
  const size = Math.abs(quota);
  const text = inCurrency && quotaPerUnit > 0 ? dollars(size, quotaPerUnit, decimals) : compact(size);
  return quota < 0 && /[1-9]/.test(text) ? `-${text}` : text;
}

function dollars(quota: number, quotaPerUnit: number, decimals: number): string {
  const perUnit = decimalOf(quotaPerUnit);
  const paid = decimalOf(quota);
  const scale = Math.max(perUnit.scale, paid.scale);
  const rounded = (places: number) =>
    divideHalfUp(digitsAtScale(paid, scale) * powerOfTen(places), digitsAtScale(perUnit, scale));
  let places = decimals;
  // Below a cent two digits that count: a call's price, or what is left of a balance, is not nothing.
  if (quota > 0 && rounded(2) <= 1n) while (places < maxDecimals && rounded(places) < 10n) places++;
  const digits = String(rounded(places)).padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '').padEnd(2, '0');
  return `$${digits.slice(0, -places)}.${fraction}`;
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
