import { parseQuota } from '../../core/billing/parse-quota.ts';
import { AppError } from '../../core/errors/app-error.ts';
import type { LimitMeasure } from '../../core/schemas/limit.ts';
import { coded } from '../../core/text/coded.ts';

const factors: Record<string, number> = { '': 1, k: 1e3, m: 1e6, b: 1e9 };

/** Money for a budget; else a number above 0, written out or as `100k`. */
export function limitAmountFrom(measure: LimitMeasure, text: string, quotaPerUnit: number, flag = ''): number {
  const amount = measure === 'budget' ? parseQuota(text, quotaPerUnit) : countFrom(text);
  if (amount > 0 && Number.isSafeInteger(amount)) return amount;
  // $0.50 is no whole number, and good for a budget.
  const wanted = coded(
    amount > 0 ? 'input.tooLarge' : measure === 'budget' ? 'input.moreThanZero' : 'input.positiveWhole',
  );
  const reason = `${flag} "${text.slice(0, 40)}": ${wanted}`.trim();
  throw new AppError('input.invalid', { reason });
}

function countFrom(text: string): number {
  const [, digits = '', suffix = ''] = /^(\d{1,30})([kmb]?)$/i.exec(text.trim()) ?? [];
  return Number(digits) * (factors[suffix.toLowerCase()] ?? 1);
}
