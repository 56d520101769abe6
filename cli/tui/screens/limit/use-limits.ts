import type { Limit } from '../../../../core/schemas/limit.ts';
import { isForEach, limitLevel, usageOfSubject, usedShare } from '../../../../core/schemas/limit-subject.ts';
import { readLimitsOf, type Subject } from '../../../limits-of.ts';
import { limitRule, limitUse } from '../../../print/limit.ts';
import { quotaFormat } from '../../../print/quota-format.ts';
import type { Detail } from '../../components/details.tsx';
import { type Environment, useEnvironment } from '../../environment.ts';
import { useLoad } from '../../hooks/use-load.ts';
import { useErrorText } from '../../hooks/use-status.tsx';

const everyMs = 10_000;
const barCells = 20;

/** What limits a token or a user, as lines with bars among its details; they follow when they are read. */
export function useLimits(subject: Subject): Detail[] {
  const environment = useEnvironment();
  const { app, speak, symbols } = environment;
  const errorText = useErrorText();
  const key = `${subject.subject_kind} ${subject.subject}`;
  const { data, error } = useLoad(() => readLimitsOf(app, subject), { key, everyMs });
  const label = speak('tui.limit.limits');
  if (error !== undefined) return [[label, `${symbols.bad} ${errorText(error)}`]];
  if (!data) return [[label, symbols.ellipsis]];
  if (data.length === 0) return [[label, speak('tui.limit.none')]];
  return data.flatMap((limit, index) => limitLines(limit, subject.subject, environment, index === 0 ? label : ' '));
}

function limitLines(limit: Limit, subject: string, environment: Environment, label: string): Detail[] {
  const { app, speak } = environment;
  const format = quotaFormat(app.services.options);
  const use = usageOfSubject(limit, subject);
  const notes = [
    limitRule(limit, format, speak),
    ...(isForEach(limit) ? [speak('limit.general')] : []),
    ...(limit.enabled ? [] : [speak('limit.off')]),
  ];
  return [
    [label, notes.join(', ')],
    [
      ' ',
      use ? `${limitBar(limit, use, environment)}  ${limitUse(limit, use, format, speak)}` : speak('limit.useUnknown'),
    ],
  ];
}

/** `████████░░░░░░░░░░░░ 40 %`, with a sign where it is nearly or wholly used. */
export function limitBar(
  limit: Limit,
  use: { used: number; held: number },
  { symbols }: Pick<Environment, 'symbols'>,
): string {
  const share = usedShare(limit, use);
  const full = Math.min(barCells, Math.round(share * barCells));
  const sign = { ok: '', near: ` ${symbols.auto}`, reached: ` ${symbols.bad}` }[limitLevel(share)];
  return `${symbols.full.repeat(full)}${symbols.empty.repeat(barCells - full)} ${percentText(share)}${sign}`;
}

const percentText = (share: number) => `${Math.floor(share * 100)}%`;
