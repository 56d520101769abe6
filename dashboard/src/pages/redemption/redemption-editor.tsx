import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Redemption } from '../../../../core/schemas/redemption.ts';
import { useRedemptionActions } from '../../api/redemption.ts';
import { useNotify } from '../../components/feedback/notify.tsx';
import { ExpiryField } from '../../components/form/expiry-field.tsx';
import { TextField } from '../../components/form/field.tsx';
import { FormDrawer } from '../../components/form/form-drawer.tsx';
import { PresetField } from '../../components/form/preset-field.tsx';
import { QuotaField } from '../../components/form/quota-field.tsx';
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
    await update(updateOf(redemption, named, changed));
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
