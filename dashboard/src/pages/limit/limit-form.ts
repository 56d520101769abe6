import { z } from 'zod';
import {
  type Limit,
  type LimitCreate,
  type LimitSubjectKind,
  limitMeasures,
  limitPeriods,
  limitSubjectKinds,
  periodsOf,
} from '../../../../core/schemas/limit.ts';
import type { LimitSubject } from '../../api/limit.ts';

/** `token`: a single one; `each-token`: each of them that has no such limit of its own. */
export const limitTargets = [
  ...limitSubjectKinds,
  ...limitSubjectKinds.map((kind) => `each-${kind}` as const),
] as const;

export const kindOfTarget = (target: string) => target.replace('each-', '') as LimitSubjectKind;
export const isEach = (target: string): boolean => target.startsWith('each-');

/** As people fill it in: a budget in the money that the console shows. */
export const limitFormSchema = z
  .object({
    target: z.enum(limitTargets),
    subject: z.string().trim(),
    measure: z.enum(limitMeasures),
    period: z.enum(limitPeriods),
    /** Looked at below, so that all that is wrong is said at once. */
    amount: z.number().or(z.nan()),
    enabled: z.boolean(),
  })
  .superRefine(({ target, subject, measure, amount }, context) => {
    if (!isEach(target) && subject === '') {
      context.addIssue({ code: 'custom', path: ['subject'], message: 'limit:form.subjectNeeded' });
    }
    if (Number.isNaN(amount)) {
      context.addIssue({ code: 'custom', path: ['amount'], message: 'limit:form.amountNeeded' });
    } else if (amount <= 0) {
      context.addIssue({ code: 'custom', path: ['amount'], message: 'limit:form.amountLeast' });
    } else if (measure !== 'budget' && !Number.isInteger(amount)) {
      context.addIssue({ code: 'custom', path: ['amount'], message: 'limit:form.amountWhole' });
    }
  });
export type LimitForm = z.output<typeof limitFormSchema>;

/** How many units one of what is typed into the field is worth. */
export type UnitsOf = (measure: Limit['measure']) => number;

export function limitFormValues(limit: Limit | undefined, of: LimitSubject | undefined, unitsOf: UnitsOf): LimitForm {
  if (!limit) {
    const { kind = 'token', subject = '' } = of ?? {};
    return { target: kind, subject, measure: 'budget', period: 'day', amount: Number.NaN, enabled: true };
  }
  const { subject_kind: kind, subject, measure, period, amount, enabled } = limit;
  const target = subject === '' ? (`each-${kind}` as const) : kind;
  return { target, subject, measure, period, amount: amount / unitsOf(measure), enabled };
}

export const unitsFrom = ({ measure, amount }: Pick<LimitForm, 'measure' | 'amount'>, unitsOf: UnitsOf): number =>
  Math.max(1, Math.round(amount * unitsOf(measure)));

export function limitFrom(output: LimitForm, unitsOf: UnitsOf): LimitCreate {
  const { target, subject, measure, period, enabled } = output;
  return {
    subject_kind: kindOfTarget(target),
    subject: isEach(target) ? '' : subject,
    measure,
    period: fittingPeriod(measure, period),
    amount: unitsFrom(output, unitsOf),
    enabled,
  };
}

/** What is chosen, as far as the measure has it. */
export function fittingPeriod(measure: Limit['measure'], period: Limit['period']): Limit['period'] {
  const periods = periodsOf(measure);
  return periods.includes(period) ? period : (periods[0] ?? '');
}
