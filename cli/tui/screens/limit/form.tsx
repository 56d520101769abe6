import { z } from 'zod';
import { systemActor } from '../../../../core/schemas/actor.ts';
import {
  type Limit,
  type LimitCreate,
  type LimitUpdate,
  limitCreateSchema,
  limitMeasures,
  limitPeriods,
  limitUpdateSchema,
  periodsOf,
} from '../../../../core/schemas/limit.ts';
import { limitAmountFrom } from '../../../flag/limit-amount.ts';
import type { Subject } from '../../../limits-of.ts';
import { limitRule, limitSubject } from '../../../print/limit.ts';
import { quotaFormat } from '../../../print/quota-format.ts';
import { Form, type FormField, type FormValues } from '../../components/form.tsx';
import { type Environment, useEnvironment } from '../../environment.ts';
import { touched, writeQuota, written } from '../../form-text.ts';
import { useOverwrite } from '../../hooks/use-overwrite.ts';
import { useSmallQuota } from '../../hooks/use-small-quota.ts';

interface LimitFormProps {
  subject: Subject;
  /** Undefined for a new one. */
  limit: Limit | undefined;
  onSaved(id: number): Promise<void> | void;
}

/** A new limit of one token or user, or another amount of one it has. */
export function LimitForm({ subject, limit, onSaved }: LimitFormProps) {
  return limit ? <EditForm limit={limit} onSaved={onSaved} /> : <NewForm subject={subject} onSaved={onSaved} />;
}

function NewForm({ subject, onSaved }: Omit<LimitFormProps, 'limit'>) {
  const environment = useEnvironment();
  const { app, speak } = environment;
  const small = useSmallQuota();
  const schema = z
    .object({ measure: z.enum(limitMeasures), period: z.enum(limitPeriods), amount: z.string() })
    .transform((values, context): unknown => {
      const read = amountSchema(values.measure, environment).safeParse(values.amount);
      if (read.success) return { ...subject, ...values, amount: read.data };
      for (const { message } of read.error.issues) context.addIssue({ code: 'custom', path: ['amount'], message });
      return z.NEVER;
    })
    .pipe(limitCreateSchema as z.ZodType<LimitCreate, unknown>);
  return (
    <Form
      title={speak('tui.limit.newTitle')}
      fields={newFields(environment)}
      initial={{ measure: 'budget', period: 'day' }}
      schema={schema}
      toInput={(values) => {
        small.note(values.measure?.trim() === 'budget' ? values.amount : '');
        return values;
      }}
      save={async (input) => {
        await small.confirm();
        const made = await app.services.limits.create(systemActor, input);
        await onSaved(made.id);
        return speak('limit.created', { id: made.id, limit: sentenceOf(made, environment) });
      }}
    />
  );
}

function EditForm({ limit, onSaved }: Omit<LimitFormProps, 'subject'> & { limit: Limit }) {
  const environment = useEnvironment();
  const { app, speak } = environment;
  const small = useSmallQuota();
  const { id, measure } = limit;
  const overwrite = useOverwrite();
  const schema = z.object({ amount: amountSchema(measure, environment) });
  const initial = { amount: measure === 'budget' ? writeQuota(environment)(limit.amount) : String(limit.amount) };
  const title = speak('tui.limit.editTitle', { id, limit: sentenceOf(limit, environment) });
  return (
    <Form
      title={title}
      fields={[amountField(environment)]}
      initial={initial}
      schema={schema}
      toInput={(values) => {
        small.note(measure === 'budget' ? touched(values, initial).amount : '');
        return values;
      }}
      save={async ({ amount }) => {
        await small.confirm();
        const save = (input: LimitUpdate) => app.services.limits.update(systemActor, input);
        const changed = await overwrite(save, limitUpdateSchema.parse({ id, amount }), { amount: limit.amount });
        return speak('limit.updated', { id, limit: sentenceOf(changed, environment) });
      }}
      onSaved={() => void onSaved(id)}
    />
  );
}

function amountSchema(measure: Limit['measure'], environment: Environment) {
  const perUnit = environment.app.services.options.get('QuotaPerUnit');
  return written(z.int().positive(), (text) => limitAmountFrom(measure, text, perUnit), environment);
}

function newFields(environment: Environment): FormField[] {
  const { speak } = environment;
  return [
    {
      name: 'measure',
      label: speak('tui.limit.field.measure'),
      hint: speak('tui.limit.hint.measure', { choices: limitMeasures.join(', ') }),
    },
    { name: 'period', label: speak('tui.limit.field.period'), hint: (values) => periodHint(values, environment) },
    amountField(environment),
  ];
}

const amountField = ({ speak }: Environment): FormField => ({
  name: 'amount',
  label: speak('tui.limit.field.amount'),
  hint: speak('tui.limit.hint.amount'),
});

/** The periods that the written measure can have. */
function periodHint({ measure = '' }: FormValues, { speak }: Environment): string {
  const known = limitMeasures.find((name) => name === measure.trim());
  const choices = known ? periodsOf(known).filter(Boolean) : limitPeriods.filter(Boolean);
  return choices.length === 0
    ? speak('tui.limit.hint.noPeriod')
    : speak('tui.limit.hint.period', { choices: choices.join(', ') });
}

function sentenceOf(limit: Limit, { app, speak }: Environment): string {
  return `${limitSubject(limit)}: ${limitRule(limit, quotaFormat(app.services.options), speak)}`;
}
