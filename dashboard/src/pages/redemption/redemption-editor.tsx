import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Redemption } from '../../../../core/schemas/redemption.ts';
import { readRedemption, useRedemptionActions } from '../../api/redemption.ts';
import { useNotify } from '../../components/feedback/notify.tsx';
import { ExpiryField } from '../../components/form/expiry-field.tsx';
import { TextField } from '../../components/form/field.tsx';
import { FormDrawer } from '../../components/form/form-drawer.tsx';
import { PresetField } from '../../components/form/preset-field.tsx';
import { QuotaField } from '../../components/form/quota-field.tsx';
import { useLoadedRecord } from '../../components/form/use-loaded-record.tsx';
import { changedValues, useSchemaForm } from '../../components/form/use-schema-form.ts';
import { useFormat } from '../../state/format.ts';
import { randomUuid } from '../../state/random-uuid.ts';
import type { Batch } from './code-list-dialog.tsx';
import {
  expiryOf,
  type RedemptionForm,
  redemptionFormSchema,
  redemptionFormValues,
  updateOf,
} from './redemption-form.ts';

/** Presets of the operations spec, section 9. */
const countPresets = [1, 10, 20, 50, 100];
const daySeconds = 86_400;
const expiryPresets = { week: 7 * daySeconds, month: 30 * daySeconds, year: 365 * daySeconds };

interface RedemptionEditorProps {
  redemption: Redemption | undefined;
  onClose: () => void;
  onCreated: (batch: Batch) => void;
}

/** New codes, or changes to an unused one. */
export function RedemptionEditor({ redemption, onClose, onCreated }: RedemptionEditorProps) {
  const { t } = useTranslation('redemption');
  const format = useFormat();
  const notify = useNotify();
  const { create, update } = useRedemptionActions();
  // Neither a second press after a lost response nor a browser that sends it again by itself makes more codes.
  const requestKey = useRef(randomUuid());
  const form = useSchemaForm(redemptionFormSchema, redemptionFormValues(redemption));

  const labels: Record<string, string> = { name: 'field.name', quota: 'field.quota', expired_time: 'field.expires' };
  const saveLoaded = useLoadedRecord({
    form,
    record: redemption,
    valuesOf: (now: Redemption) => redemptionFormValues(now),
    read: () => readRedemption(redemption?.id ?? 0),
    describe: (field, stored) => ({ name: t(labels[field] ?? field), value: shownValue(field, stored) }),
  });

  function shownValue(field: string, stored: unknown): string {
    if (field === 'quota') return format.quota(Number(stored));
    if (field === 'expired_time') return stored === 0 ? t('never') : format.time(Number(stored));
    return String(stored ?? '');
  }

  async function save(output: RedemptionForm): Promise<void> {
    const named = { ...output, name: output.name || format.quota(output.quota) };
    if (!redemption) {
      const { name, count } = named;
      const order = { name, quota: output.quota, count, expired_time: expiryOf(output) };
      const codes = await create({ ...order, request_key: requestKey.current });
      notify.success(t('created'));
      return onCreated({ name, codes });
    }
    const changed = changedValues(form, output);
    if (Object.keys(changed).length === 0) return notify.warning(t('shell:form.unchanged'));
    const order = { id: redemption.id };
    const fields = updateOf(named, changed);
    if (!(await saveLoaded(fields, (body) => update({ ...body, ...order })))) return;
    notify.success(t('updated'));
    onClose();
  }

  return (
    <FormDrawer
      title={redemption ? t('editor.edit', { name: redemption.name }) : t('editor.add')}
      action={redemption ? undefined : t('editor.create')}
      {...{ form, onClose }}
      onSubmit={save}
    >
      <TextField name="name" label={t('field.name')} hint={t('form.nameHint')} />
      <QuotaField name="quota" label={t('field.quota')} presetLabel={t('form.quotaPresets')} isRequired />
      {!redemption && (
        <PresetField
          name="count"
          type="number"
          label={t('field.count')}
          hint={t('form.countHint')}
          presetLabel={t('form.countPresets')}
          presets={countPresets.map((count) => ({
            key: String(count),
            text: t('form.countOf', { count }),
            value: () => count,
          }))}
          isRequired
        />
      )}
      <ExpiryField
        name="expires"
        label={t('field.expires')}
        placeholder={t('form.expiryPlaceholder')}
        hint={t('form.expiryHint')}
        presetLabel={t('form.expiryPresets')}
        never={t('never')}
        after={Object.entries(expiryPresets).map(([key, seconds]) => ({ seconds, text: t(`expiry.${key}`) }))}
      />
    </FormDrawer>
  );
}
