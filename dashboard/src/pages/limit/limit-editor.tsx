import { Text } from '@fluentui/react-components';
import { useEffect, useRef } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { type Limit, limitMeasures, periodsOf } from '../../../../core/schemas/limit.ts';
import { type LimitSubject, readLimit, useLimitActions } from '../../api/limit.ts';
import { useStatus } from '../../api/status.ts';
import { useNotify } from '../../components/feedback/notify.tsx';
import { SelectField, SwitchField, TextField } from '../../components/form/field.tsx';
import { FormDrawer } from '../../components/form/form-drawer.tsx';
import { useLoadedRecord } from '../../components/form/use-loaded-record.tsx';
import { changedValues, type SchemaForm, useSchemaForm } from '../../components/form/use-schema-form.ts';
import { randomUuid } from '../../state/random-uuid.ts';
import {
  fittingPeriod,
  isEach,
  kindOfTarget,
  type LimitForm,
  limitFormSchema,
  limitFormValues,
  limitFrom,
  limitTargets,
  type UnitsOf,
  unitsFrom,
} from './limit-form.ts';
import { SubjectField } from './subject-field.tsx';
import { useLimitText } from './use-limit-text.ts';

interface LimitEditorProps {
  /** Undefined for a new one. */
  limit: Limit | undefined;
  /** Of a new one, where a page is about one subject. */
  of?: LimitSubject & { name: string };
  onClose: () => void;
}

/** A new limit, or another amount of one: whom it is for and what it counts stays. */
export function LimitEditor({ limit, of, onClose }: LimitEditorProps) {
  const { t } = useTranslation('limit');
  const notify = useNotify();
  const { subject, rule } = useLimitText();
  const { create, update } = useLimitActions();
  const requestKey = useRef(randomUuid());
  const unitsOf = useUnitsOf();
  const valuesOf = (one: Limit | undefined) => limitFormValues(one, of, unitsOf);
  const form = useSchemaForm(limitFormSchema, valuesOf(limit));
  const saveLoaded = useLoadedRecord({
    form,
    record: limit,
    valuesOf: (stored: Limit) => valuesOf(stored),
    read: () => readLimit(limit?.id ?? 0),
    describe: (field, value) =>
      field === 'amount' && limit
        ? { name: t('form.amount'), value: rule({ ...limit, amount: Number(value) }) }
        : { name: t('form.enabled'), value: t(value ? 'on' : 'off') },
  });

  async function save(output: LimitForm): Promise<void> {
    if (!limit) {
      await create({ ...limitFrom(output, unitsOf), request_key: requestKey.current });
      notify.success(t('created'));
      return onClose();
    }
    const { amount, enabled } = changedValues(form, output);
    if (amount === undefined && enabled === undefined) return notify.warning(t('shell:form.unchanged'));
    const changes = {
      ...(amount !== undefined && { amount: unitsFrom(output, unitsOf) }),
      ...(enabled !== undefined && { enabled }),
    };
    if (!(await saveLoaded(changes, (fields) => update({ ...fields, id: limit.id })))) return;
    notify.success(t('updated'));
    onClose();
  }

  const named = of && { subject_kind: of.kind, subject: of.subject, subject_name: of.name };
  const title = limit
    ? t('editor.edit', { name: subject(limit) })
    : named
      ? t('editor.addTo', { name: subject(named) })
      : t('editor.add');
  return (
    <FormDrawer
      title={title}
      action={limit ? undefined : t('editor.create')}
      size="narrow"
      {...{ form, onClose }}
      onSubmit={save}
    >
      {limit ? <Text>{t('editor.now', { rule: rule(limit) })}</Text> : <RuleFields form={form} hasSubject={!of} />}
      <AmountField />
      <SwitchField name="enabled" label={t('form.enabled')} hint={t('form.enabledHint')} />
    </FormDrawer>
  );
}

/** A budget is typed in dollars where the console shows dollars. */
function useUnitsOf(): UnitsOf {
  const { quota_per_unit: perUnit, display_in_currency: isMoney } = useStatus();
  return (measure) => (measure === 'budget' && isMoney && perUnit > 0 ? perUnit : 1);
}

function RuleFields({ form, hasSubject }: { form: SchemaForm<LimitForm, LimitForm>; hasSubject: boolean }) {
  const { t } = useTranslation('limit');
  const [target, measure, period] = useWatch({ control: form.control, name: ['target', 'measure', 'period'] });
  const fitting = fittingPeriod(measure, period);
  useEffect(() => {
    if (fitting !== period) form.setValue('period', fitting);
  }, [form, fitting, period]);
  const kind = kindOfTarget(target);
  // The field of another kind begins empty.
  useEffect(() => {
    if (hasSubject && kind) form.resetField('subject', { defaultValue: '' });
  }, [form, hasSubject, kind]);
  return (
    <>
      {hasSubject && (
        <SelectField
          name="target"
          label={t('form.target')}
          hint={isEach(target) ? t(`form.eachHint.${kind}`) : undefined}
          choices={limitTargets.map((value) => ({
            value,
            text: t(`${isEach(value) ? 'each' : 'one'}.${kindOfTarget(value)}`),
          }))}
        />
      )}
      {hasSubject && !isEach(target) && <SubjectField key={kind} kind={kind} />}
      <SelectField
        name="measure"
        label={t('form.measure')}
        choices={limitMeasures.toReversed().map((value) => ({ value, text: t(`measure.${value}`) }))}
      />
      {measure !== 'concurrency' && (
        <SelectField
          name="period"
          label={t('form.period')}
          hint={measure === 'budget' ? t('form.calendarHint') : t('form.slidingHint')}
          choices={periodsOf(measure).map((value) => ({ value, text: t(`per.${value}`) }))}
        />
      )}
    </>
  );
}

function AmountField() {
  const { t } = useTranslation('limit');
  const { display_in_currency: isMoney } = useStatus();
  const measure: Limit['measure'] = useWatch({ name: 'measure' });
  const isDollars = measure === 'budget' && isMoney;
  return (
    <TextField
      name="amount"
      type="number"
      label={t('form.amount')}
      {...(isDollars && { contentBefore: <Text>$</Text> })}
      contentAfter={isDollars ? undefined : <Text size={200}>{t(`unit.${measure}`)}</Text>}
      isRequired
    />
  );
}
