import { formatQuota, formatQuotas, type QuotaFormat } from '../../core/billing/quota.ts';
import type { User } from '../../core/schemas/user.ts';
import type { Speak } from '../text.ts';

/** A bare number below this is confirmed: fewer units than a fifth of a cent. */
const minPlainUnits = 1000;

/** `5` is five units, a thousandth of a cent, where five dollars were probably meant: the question to ask. */
export function smallQuotaQuestion(speak: Speak, written: string, format: QuotaFormat): string | undefined {
  const text = written.trim();
  const units = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
  if (!format.inCurrency || units === 0 || units >= minPlainUnits) return undefined;
  const dollars = `$${text}`;
  const inUnits = (units * format.quotaPerUnit).toLocaleString('en-US');
  return speak('user.askSmallQuota', { text, dollars, inUnits, worth: formatQuota(units, format) });
}

/** What a balance is now, and what it was. */
export function quotaSentence(
  speak: Speak,
  { username: name, quota }: User,
  { amount, format, shown = String }: { amount: number; format: QuotaFormat; shown?: (figure: string) => string },
): string {
  const [before = '', after = ''] = formatQuotas([quota - amount, quota], format).map(shown);
  if (amount === 0) return speak('user.quotaSet', { name, quota: after });
  const change = `${amount > 0 ? '+' : ''}${shown(formatQuota(amount, format))}`;
  return speak('user.quotaChanged', { name, before, change, quota: after });
}
