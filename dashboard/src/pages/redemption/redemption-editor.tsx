import { makeStyles, tokens } from '@fluentui/react-components';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Redemption } from '../../../../core/schemas/redemption.ts';
import { useRedemptionActions } from '../../api/redemption.ts';
import { useNotify } from '../../components/feedback/notify.tsx';
import { TextField } from '../../components/form/field.tsx';
import { FormDrawer } from '../../components/form/form-drawer.tsx';
import { changedValues, useSchemaForm } from '../../components/form/use-schema-form.ts';
import { PresetRow } from '../../components/preset-row.tsx';
import { timeText, useFormat } from '../../state/format.ts';
import type { Batch } from './code-list-dialog.tsx';
import {
  expiryOf,
  type RedemptionForm,
  redemptionFormSchema,
  redemptionFormValues,
  updateOf,
} from './redemption-form.ts';

/** Presets of the operations spec, section 9. */
const quotaPresets = [500_000, 5_000_000, 25_000_000, 50_000_000, 250_000_000, 500_000_000];
const countPresets = [1, 10, 20, 50, 100];
const daySeconds = 86_400;
const expiryPresets = { week: 7 * daySeconds, month: 30 * daySeconds, year: 365 * daySeconds };

const useStyles = makeStyles({
  with: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS },
});

interface RedemptionEditorProps {
  redemption: Redemption | undefined;
  onClose: () => void;
  onCreated: (batch: Batch) => void;
}

/** New codes, or changes to one that nobody has used. */
export function RedemptionEditor({ redemption, onClose, onCreated }: RedemptionEditorProps) {
  const { t } = useTranslation('redemption');
  const styles = useStyles();
  const format = useFormat();
  const notify = useNotify();
  const { create, update } = useRedemptionActions();
  const form = useSchemaForm(redemptionFormSchema, redemptionFormValues(redemption));
  const quota = useWatch({ control: form.control, name: 'quota' });
  const put = (name: 'quota' | 'count' | 'expires', value: number | string) =>
    form.setValue(name, value as never, { shouldDirty: true, shouldValidate: true });

  async function save(output: RedemptionForm): Promise<void> {
    const named = { ...output, name: output.name || format.quota(output.quota) };
    if (!redemption) {
      const { name, count } = named;
      const codes = await create({ name, quota: output.quota, count, expired_time: expiryOf(output) });
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
      <div className={styles.with}>
        <TextField
          name="quota"
          type="number"
          label={t('field.quota')}
          hint={Number.isFinite(quota) ? t('form.quotaMeans', { amount: format.quota(quota) }) : undefined}
          isRequired
        />
        <PresetRow
          label={t('form.quotaPresets')}
          presets={quotaPresets.map((preset) => ({
            key: String(preset),
            text: format.quota(preset),
            onSelect: () => put('quota', preset),
          }))}
        />
      </div>
      {!redemption && (
        <div className={styles.with}>
          <TextField name="count" type="number" label={t('field.count')} hint={t('form.countHint')} isRequired />
          <PresetRow
            label={t('form.countPresets')}
            presets={countPresets.map((count) => ({
              key: String(count),
              text: t('form.countOf', { count }),
              onSelect: () => put('count', count),
            }))}
          />
        </div>
      )}
      <div className={styles.with}>
        <TextField
          name="expires"
          label={t('field.expires')}
          placeholder={t('form.expiryPlaceholder')}
          hint={t('form.expiryHint')}
        />
        <PresetRow
          label={t('form.expiryPresets')}
          presets={[
            { key: 'never', text: t('never'), onSelect: () => put('expires', '') },
            ...Object.entries(expiryPresets).map(([key, seconds]) => ({
              key,
              text: t(`expiry.${key}`),
              onSelect: () => put('expires', timeText(Math.floor(Date.now() / 1000) + seconds)),
            })),
          ]}
        />
      </div>
    </FormDrawer>
  );
}
