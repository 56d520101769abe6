import { z } from 'zod';
import { coded } from '../text/coded.ts';
import { maxGroupNameLength, maxModelNameLength } from './channel-field.ts';
import { loadedSchema } from './loaded.ts';
import { pagingSchema } from './paging.ts';
import { requestKeySchema } from './request-key.ts';
import { sortSchema } from './sort.ts';

/** Whose calls a limit counts: all calls of the token, the user, the group, or to the model together. */
export const limitSubjectKinds = ['token', 'user', 'group', 'model'] as const;
export type LimitSubjectKind = (typeof limitSubjectKinds)[number];

/** `tokens` counts input and output together; `budget` is money, in quota units. */
export const limitMeasures = ['requests', 'tokens', 'input_tokens', 'output_tokens', 'concurrency', 'budget'] as const;
export type LimitMeasure = (typeof limitMeasures)[number];

/** Empty for calls at one time. */
export const limitPeriods = ['', 'minute', 'hour', 'day', 'week', 'month'] as const;
export type LimitPeriod = (typeof limitPeriods)[number];

const ratePeriods = ['minute', 'hour'] as const;
const budgetPeriods = ['hour', 'day', 'week', 'month'] as const;

/** The periods a measure can have; the first one is meant where nothing is said. */
export function periodsOf(measure: LimitMeasure): readonly LimitPeriod[] {
  if (measure === 'concurrency') return [''];
  return measure === 'budget' ? budgetPeriods : ratePeriods;
}

const maxSubjectLength = Math.max(maxGroupNameLength, maxModelNameLength);

/** The id of a token or user, or the name of a group or model; empty: each of its kind that has no such limit of its own. */
const subjectSchema = z
  .union([z.string().trim().max(maxSubjectLength), z.int().positive().transform(String)])
  .default('');

const amountSchema = z.int().positive();

export const limitCreateSchema = z
  .object({
    subject_kind: z.enum(limitSubjectKinds),
    subject: subjectSchema,
    measure: z.enum(limitMeasures),
    period: z.enum(limitPeriods).optional(),
    amount: amountSchema,
    enabled: z.boolean().default(true),
    request_key: requestKeySchema,
  })
  .transform((input) => ({ ...input, period: input.period ?? periodsOf(input.measure)[0] ?? '' }))
  .superRefine(({ subject_kind, subject, measure, period }, context) => {
    const periods = periodsOf(measure);
    if (!periods.includes(period)) {
      const allowed = periods.join(', ');
      const message = allowed === '' ? coded('input.noPeriod') : coded('input.limitPeriod', { measure, allowed });
      context.addIssue({ code: 'custom', path: ['period'], message });
    }
    requireId({ kind: subject_kind, subject }, context);
  });
export type LimitCreate = z.output<typeof limitCreateSchema>;

/** Whom a limit is for, and what it counts, never changes: that would be another limit. */
export const limitUpdateSchema = z.object({
  id: z.int().positive(),
  amount: amountSchema.optional(),
  enabled: z.boolean().optional(),
  loaded: loadedSchema,
});
export type LimitUpdate = z.output<typeof limitUpdateSchema>;

export const limitSortFields = ['id', 'subject_kind', 'measure', 'amount', 'created_time', 'updated_time'] as const;

export const limitListFilters = {
  /** With `subject`: the limits that apply to this one, those for each of its kind included, with what it has used of them. */
  applies_to: z.enum(['', ...limitSubjectKinds]).default(''),
  subject_kind: z.enum(['', ...limitSubjectKinds]).default(''),
  subject: z.string().trim().max(maxSubjectLength).default(''),
  measure: z.enum(['', ...limitMeasures]).default(''),
  sort: sortSchema([...limitSortFields]),
};

/** Which one must be said, if the limits of one alone are asked for. */
export function requireAppliedTo(
  { applies_to, subject }: { applies_to: string; subject: string },
  context: z.RefinementCtx,
): void {
  if (applies_to === '') return;
  if (subject === '') context.addIssue({ code: 'custom', path: ['subject'], message: coded('input.limitSubject') });
  else requireId({ kind: applies_to, subject }, context);
}

function requireId({ kind, subject }: { kind: string; subject: string }, context: z.RefinementCtx): void {
  if ((kind !== 'token' && kind !== 'user') || subject === '' || /^[1-9]\d{0,14}$/.test(subject)) return;
  context.addIssue({ code: 'custom', path: ['subject'], message: coded('input.positiveWhole') });
}

export const limitListSchema = pagingSchema.extend(limitListFilters).superRefine(requireAppliedTo);
export type LimitList = z.output<typeof limitListSchema>;

/** How much of a limit is taken at this moment, for one of those whose calls it counts. */
export const limitUsageSchema = z.object({
  subject: z.string(),
  subject_name: z.string(),
  /** Of a budget: what ended calls of this window cost. Of the others: what is counted now. */
  used: z.number(),
  /** Reserved for calls under way; budgets only. */
  held: z.number(),
  /** Never below 0. */
  remaining: z.number(),
  /** Nothing is left of it, or a request was refused for it in this window of a budget. */
  exhausted: z.boolean(),
  /** Unix seconds at which a budget starts again; 0 for the others, which slide. */
  resets_at: z.number(),
});
export type LimitUsage = z.output<typeof limitUsageSchema>;

export const limitSchema = z.object({
  id: z.number(),
  subject_kind: z.enum(limitSubjectKinds),
  subject: z.string(),
  /** Of the token or user; the name itself of a group or model; empty for each of the kind. */
  subject_name: z.string(),
  measure: z.enum(limitMeasures),
  period: z.enum(limitPeriods),
  amount: z.number(),
  enabled: z.boolean(),
  created_time: z.number(),
  updated_time: z.number(),
  /** The subject's, or, of a limit for each of a kind, of the ten that have used most of it. */
  usage: z.array(limitUsageSchema),
});
export type Limit = z.output<typeof limitSchema>;

/** Without the figures where others use it, too: how much they use is not for everyone to see. */
export const ownLimitUsageSchema = limitUsageSchema.partial({ used: true, held: true, remaining: true });
export type OwnLimitUsage = z.output<typeof ownLimitUsageSchema>;

export const ownLimitSchema = limitSchema.extend({ usage: z.array(ownLimitUsageSchema) });
export type OwnLimit = z.output<typeof ownLimitSchema>;
