import { AppError } from '../errors/app-error.ts';
import { coded } from '../text/coded.ts';
import { decimalOf, divideHalfUp, multiply, powerOfTen } from './decimal.ts';

const suffixExponents: Record<string, number> = { k: 3, m: 6, b: 9 };

/** Reads `500000`, `500k`, `1.5m` or `$1` as whole quota units; dollars are rounded to the nearest unit. */
export function parseQuota(text: string, quotaPerUnit: number): number {
  const match = /^(\$?)(\d{1,20})(?:\.(\d{1,20}))?([kmb]?)$/i.exec(text.trim());
  if (!match) throw refused('input.quotaForm', text);
  const [, dollar = '', whole = '', fraction = '', suffix = ''] = match;
  const written = { digits: BigInt(whole + fraction), scale: fraction.length };
  const factor = { digits: powerOfTen(suffixExponents[suffix.toLowerCase()] ?? 0), scale: 0 };
  const exact = dollar ? multiply(written, factor, decimalOf(quotaPerUnit)) : multiply(written, factor);
  const unit = powerOfTen(exact.scale);
  if (!dollar && exact.digits % unit !== 0n) throw refused('input.quotaWhole', text);
  const quota = divideHalfUp(exact.digits, unit);
  if (quota > BigInt(Number.MAX_SAFE_INTEGER)) throw refused('input.quotaLargest', text);
  return Number(quota);
}

function refused(key: 'input.quotaForm' | 'input.quotaWhole' | 'input.quotaLargest', text: string): AppError {
  const reason = coded(key, { text: text.slice(0, 40), limit: Number.MAX_SAFE_INTEGER });
  return new AppError('input.invalid', { reason });
}
