import { AppError } from '../errors/app-error.ts';
import { decimalOf, digitsAtScale, divideHalfUp, multiply, powerOfTen } from './decimal.ts';

export interface QuotaFormat {
  /** The option DisplayInCurrencyEnabled. */
  inCurrency: boolean;
  /** Quota that are one US dollar; 500,000 unless the operator changed QuotaPerUnit. */
  quotaPerUnit: number;
}

const suffixExponents: Record<string, number> = { k: 3, m: 6, b: 9 };

/** Reads `500000`, `500k`, `1.5m` or `$1` as whole quota units; dollars are rounded to the nearest unit. */
export function parseQuota(text: string, quotaPerUnit: number): number {
  const match = /^(\$?)(\d{1,20})(?:\.(\d{1,20}))?([kmb]?)$/i.exec(text.trim());
  if (!match) throw refused(text, 'write for example 500000, 500k, 1.5m or $1');
  const [, dollar = '', whole = '', fraction = '', suffix = ''] = match;
  const written = { digits: BigInt(whole + fraction), scale: fraction.length };
  const factor = { digits: powerOfTen(suffixExponents[suffix.toLowerCase()] ?? 0), scale: 0 };
  const exact = dollar ? multiply(written, factor, decimalOf(quotaPerUnit)) : multiply(written, factor);
  const unit = powerOfTen(exact.scale);
  if (!dollar && exact.digits % unit !== 0n) throw refused(text, 'quota is a whole number of units');
  const quota = divideHalfUp(exact.digits, unit);
  if (quota > BigInt(Number.MAX_SAFE_INTEGER)) throw refused(text, `the largest quota is ${Number.MAX_SAFE_INTEGER}`);
  return Number(quota);
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

function refused(text: string, reason: string): AppError {
  return new AppError('input.invalid', { reason: `quota "${text.slice(0, 40)}": ${reason}` });
}
