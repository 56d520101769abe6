import { makeStyles, tokens } from '@fluentui/react-components';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Token } from '../../../../core/schemas/token.ts';
import { useTokenActions, useUsableGroups, useUsableModels } from '../../api/token.ts';
import { useNotify } from '../../components/feedback/notify.tsx';
import { SelectField, SwitchField, TextAreaField, TextField } from '../../components/form/field.tsx';
import { FormDrawer } from '../../components/form/form-drawer.tsx';
import { PickField } from '../../components/form/pick-field.tsx';
import { changedValues, useSchemaForm } from '../../components/form/use-schema-form.ts';
import { PresetRow } from '../../components/preset-row.tsx';
import { timeText, useFormat } from '../../state/format.ts';
import { type TokenForm, tokenFormSchema, tokenFormValues, tokensOf, toTokenFields } from './token-form.ts';

/** Presets and shortcuts of the operations spec, section 9. */
const quotaPresets = [500_000, 5_000_000, 25_000_000, 50_000_000, 250_000_000, 500_000_000];
const countPresets = [10, 20, 30, 100];
const expiryPresets = { hour: 3600, day: 86_400, month: 30 * 86_400 };

const useStyles = makeStyles({
  with: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS },
});

/** A new token, or changes to one. */
export function TokenEditor({ token, onClose }: { token: Token | undefined; onClose: () => void }) {
  const { t } = useTranslation('token');
  const styles = useStyles();
  const format = useFormat();
  const notify = useNotify();
  const { create, update } = useTokenActions();
  const groups = Object.entries(useUsableGroups().data ?? {});
  const models = useUsableModels().data ?? [];
  const form = useSchemaForm(tokenFormSchema, tokenFormValues(token));
  const { control } = form;
  const [quota, isUnlimited, hasModelLimits] = useWatch({
    control,
    name: ['remain_quota', 'unlimited_quota', 'model_limits_enabled'],
  });
  const put = (name: 'remain_quota' | 'count' | 'expires', value: number | string) =>
    form.setValue(name, value as never, { shouldDirty: true, shouldValidate: true });

  async function save(output: TokenForm): Promise<void> {
    if (!token) {
      await create(tokensOf(output));
      notify.success(t('created'));
    } else {
      const changed = toTokenFields(changedValues(form, output));
      if (Object.keys(changed).length === 0) return notify.warning(t('shell:form.unchanged'));
      // Calls go on meanwhile: only the difference to what was shown is booked.
      const loaded = changed.remain_quota === undefined ? {} : { remain_quota_loaded: token.remain_quota };
      await update({ id: token.id, ...changed, ...loaded });
      notify.success(t('updated'));
    }
    onClose();
  }

  return (
    <FormDrawer
      title={token ? t('editor.edit', { name: token.name }) : t('editor.add')}
      action={token ? undefined : t('editor.create')}
      {...{ form, onClose }}
      onSubmit={save}
    >
      <TextField name="name" label={t('field.name')} isRequired />
      <SwitchField name="unlimited_quota" label={t('field.unlimited')} />
      <div className={styles.with}>
        <TextField
          name="remain_quota"
          type="number"
          label={t('field.quota')}
          hint={Number.isFinite(quota) ? t('form.quotaMeans', { amount: format.quota(quota) }) : undefined}
          isDisabled={isUnlimited}
        />
        <PresetRow
          label={t('form.quotaPresets')}
          isDisabled={isUnlimited}
          presets={quotaPresets.map((preset) => ({
            key: String(preset),
            text: format.quota(preset),
            onSelect: () => put('remain_quota', preset),
          }))}
        />
      </div>
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
            { key: 'never', text: t('expiry.never'), onSelect: () => put('expires', '') },
            ...Object.entries(expiryPresets).map(([key, seconds]) => ({
              key,
              text: t(`expiry.${key}`),
              onSelect: () => put('expires', timeText(Math.floor(Date.now() / 1000) + seconds)),
            })),
          ]}
        />
      </div>
      {!token && (
        <div className={styles.with}>
          <TextField
            name="count"
            type="number"
            label={t('field.count')}
            hint={t('form.countHint')}
            isDisabled={isUnlimited}
          />
          <PresetRow
            label={t('form.countPresets')}
            isDisabled={isUnlimited}
            presets={countPresets.map((count) => ({
              key: String(count),
              text: t('form.countOf', { count }),
              onSelect: () => put('count', count),
            }))}
          />
        </div>
      )}
      <SelectField
        name="group"
        label={t('field.group')}
        placeholder={groups.length === 0 ? t('form.noGroups') : undefined}
        choices={[
          { value: '', text: t('form.ownGroup') },
          ...groups.map(([name, { desc, ratio }]) => ({ value: name, text: t('form.group', { name, desc, ratio }) })),
        ]}
      />
      <SwitchField name="model_limits_enabled" label={t('field.limitModels')} />
      <PickField
        name="model_limits"
        label={t('field.models')}
        placeholder={t('form.modelsPlaceholder')}
        choices={models}
        isDisabled={!hasModelLimits}
      />
      <TextAreaField
        name="allow_ips"
        label={t('field.addresses')}
        hint={t('form.addressesHint')}
        placeholder="192.0.2.7&#10;10.0.0.0/8"
      />
    </FormDrawer>
  );
}
