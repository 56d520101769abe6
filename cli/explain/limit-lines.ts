import type { QuotaFormat } from '../../core/billing/quota.ts';
import type { ExplanationView } from '../../core/schemas/explain.ts';
import { explainedName } from '../../core/schemas/limit-subject.ts';
import { limitRule, limitUse } from '../print/limit.ts';
import type { Speak } from '../text.ts';
import { rowLines } from './hanging.ts';

/** The limits and budgets that apply to the call, and what is left of each. */
export function limitLines(view: ExplanationView, format: QuotaFormat, speak: Speak, width: number): string[] {
  if (view.limits.length === 0) return [];
  const rows = view.limits.map((limit): [label: string, text: string] => {
    const { subject_kind: kind } = limit;
    const name = explainedName(limit, view.token);
    const details = { rule: limitRule(limit, format, speak), use: limitUse(limit, limit, format, speak) };
    return [name === undefined ? `each ${kind}` : `${kind} ${name}`, speak('explain.limit', details)];
  });
  return [speak('explain.limits'), ...rowLines(rows, width)];
}
