import { formatQuota, type QuotaFormat } from '../../core/billing/quota.ts';
import type { Limit, LimitUsage } from '../../core/schemas/limit.ts';
import { isForEach, limitLevel, usageOfSubject, usedShare } from '../../core/schemas/limit-subject.ts';
import { formatTime } from '../flag/value.ts';
import type { Column } from '../output.ts';
import type { Speak } from '../text.ts';

/** Of a budget money as elsewhere, else a number. */
export const limitAmount = ({ measure }: Pick<Limit, 'measure'>, value: number, format: QuotaFormat): string =>
  measure === 'budget' ? formatQuota(value, format) : String(value);

/** `token ci`, `each user`. */
export const limitSubject = ({ subject_kind: kind, subject, subject_name }: Limit): string =>
  subject === '' ? `each ${kind}` : `${kind} ${subject_name || `#${subject}`}`;

/** `60 requests per minute`, `$20.00 per day`. */
export function limitRule(
  limit: Pick<Limit, 'measure' | 'period' | 'amount'>,
  format: QuotaFormat,
  speak: Speak,
): string {
  const period = limit.period === '' ? '' : speak(`limit.period.${limit.period}`);
  // As a number, which is singular or plural.
  const amount = limit.measure === 'budget' ? limitAmount(limit, limit.amount, format) : limit.amount;
  return speak(`limit.rule.${limit.measure}`, { amount, period });
}

/** `$3.00 used, $0.10 reserved, $16.90 left, resets at 2026-11-26 00:00:00`. */
export function limitUse(
  limit: Pick<Limit, 'measure'>,
  use: Pick<LimitUsage, 'used' | 'held' | 'remaining' | 'resets_at'>,
  format: QuotaFormat,
  speak: Speak,
): string {
  const figure = (value: number) => limitAmount(limit, value, format);
  return [
    speak('limit.used', { amount: figure(use.used) }),
    ...(use.held > 0 ? [speak('limit.reserved', { amount: figure(use.held) })] : []),
    speak('limit.left', { amount: figure(use.remaining) }),
    ...(use.resets_at > 0 ? [speak('limit.resets', { time: formatTime(use.resets_at) })] : []),
  ].join(speak('limit.between'));
}

/** What limits one subject, with what it has used, in one line. */
export function limitLine(limit: Limit, subject: string, format: QuotaFormat, speak: Speak): string {
  const use = usageOfSubject(limit, subject);
  const notes = [
    use ? limitUse(limit, use, format, speak) : speak('limit.useUnknown'),
    ...(isForEach(limit) ? [speak('limit.general')] : []),
    ...(limit.enabled ? [] : [speak('limit.off')]),
  ];
  return speak('limit.line', { rule: limitRule(limit, format, speak), notes: notes.join(speak('limit.between')) });
}

export function limitColumns(format: QuotaFormat): Column<Limit>[] {
  /** The subject's, or that of the one who has used most. */
  const figure = (field: 'used' | 'held' | 'remaining') => (limit: Limit) => {
    const [use] = limit.usage;
    return use ? limitAmount(limit, use[field], format) : '-';
  };
  return [
    { title: 'ID', value: ({ id }) => id, right: true },
    { title: 'SUBJECT', value: limitSubject, keep: true },
    { title: 'MEASURE', value: ({ measure }) => measure, whole: true },
    { title: 'PER', value: ({ period }) => period || '-', whole: true },
    { title: 'LIMIT', value: (limit) => limitAmount(limit, limit.amount, format), right: true, whole: true },
    { title: 'USED', value: figure('used'), right: true, color: levelColor },
    { title: 'USED BY', value: (limit) => (isForEach(limit) ? nameOf(limit.usage[0]) : '') || '-' },
    { title: 'RESERVED', value: figure('held'), right: true, extra: true },
    { title: 'LEFT', value: figure('remaining'), right: true },
    {
      title: 'RESETS',
      extra: true,
      whole: true,
      value: ({ usage: [use] }) => (use?.resets_at ? formatTime(use.resets_at) : '-'),
    },
    {
      title: 'STATUS',
      value: ({ enabled }) => (enabled ? 'enabled' : 'disabled'),
      whole: true,
      color: ({ enabled }) => (enabled ? 'green' : 'dim'),
    },
  ];
}

export const nameOf = (use: LimitUsage | undefined): string => (use ? use.subject_name || `#${use.subject}` : '');

function levelColor(limit: Limit) {
  const [use] = limit.usage;
  if (!use) return undefined;
  return ({ ok: undefined, near: 'yellow', reached: 'red' } as const)[limitLevel(usedShare(limit, use))];
}
