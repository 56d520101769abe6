import type { QuotaFormat } from '../../core/billing/quota.ts';
import type { ExplanationView } from '../../core/schemas/explain.ts';
import { isShared } from '../../core/schemas/limit-subject.ts';
import { limitRule, limitUse } from '../print/limit.ts';
import type { Speak } from '../text.ts';
import { rowLines } from './hanging.ts';

type ExplainedLimit = ExplanationView['limits'][number];

/** The limits and budgets that apply to the call, and what is left of each. */
export function limitLines(view: ExplanationView, format: QuotaFormat, speak: Speak, width: number): string[] {
  if (view.limits.length === 0) return [];
  const rows = view.limits.map((limit): [label: string, text: string] => [
    nameOf(limit, view),
    speak('explain.limit', { rule: limitRule(limit, format, speak), use: limitUse(limit, limit, format, speak) }),
  ]);
  return [speak('explain.limits'), ...rowLines(rows, width)];
}

/** Tokens and users are known by their ids; those of a call are the caller's own. */
function nameOf({ subject_kind: kind, subject }: ExplainedLimit, { token }: ExplanationView): string {
  // Asked without a token: of the limits for each user.
  if (subject === '0' && !isShared(kind)) return `each ${kind}`;
  const own = { token: token?.name, user: token?.username, group: subject, model: subject }[kind];
  return `${kind} ${own || `#${subject}`}`;
}
