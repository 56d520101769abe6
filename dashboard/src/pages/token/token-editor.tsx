import { useRef } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Token } from '../../../../core/schemas/token.ts';
import { useTokenActions, useUsableGroups, useUsableModels } from '../../api/token.ts';
import { useNotify } from '../../components/feedback/notify.tsx';
import { ExpiryField } from '../../components/form/expiry-field.tsx';
import { SelectField, SwitchField, TextAreaField, TextField } from '../../components/form/field.tsx';
import { FormDrawer } from '../../components/form/form-drawer.tsx';
import { PickField } from '../../components/form/pick-field.tsx';
import { PresetField } from '../../components/form/preset-field.tsx';
import { QuotaField } from '../../components/form/quota-field.tsx';
import { changedValues, useSchemaForm } from '../../components/form/use-schema-form.ts';
import { FormSection } from '../../components/object/form-section.tsx';
import { randomUuid } from '../../state/random-uuid.ts';
import { type TokenForm, tokenFormSchema, tokenFormValues, tokensOf, toTokenFields } from './token-form.ts';

/** Shortcuts of the operations spec, section 9. */
const countPresets = [10, 20, 30, 100];
const expiryPresets = { hour: 3600, day: 86_400, month: 30 * 86_400 };

interface TokenEditorProps {
  token: Token | undefined;
  /** With the first of the new ones, as far as it could be read. */
  onCreated: (made: Token | undefined) => void;
  onClose: () => void;
  /** Where it stands on the token's own page: not in a drawer. */
  isPart?: boolean;
}

/** A new token, or changes to one. */
export function TokenEditor({ token, onCreated, onClose, isPart = false }: TokenEditorProps) {
  const { t } = useTranslation('token');
  const notify = useNotify();
  const { create, update } = useTokenActions();
  // With it, a second press after a lost response adds nothing.
  const key = useRef(randomUuid());
  const groups = Object.entries(useUsableGroups().data ?? {});
  const models = useUsableModels().data ?? [];
  const form = useSchemaForm(tokenFormSchema(token), tokenFormValues(token));
  const [isUnlimited, hasModelLimits] = useWatch({
    control: form.control,
    name: ['unlimited_quota', 'model_limits_enabled'],
  });

  async function save(output: TokenForm): Promise<void> {
    if (!token) {
      // A browser may send a request again by itself.
      const made = await create(tokensOf(output).map((one) => ({ ...one, request_key: randomUuid() })));
      notify.success(t('created'));
      return onCreated(made);
    }
    const changed = toTokenFields(changedValues(form, output));
    if (Object.keys(changed).length === 0) return notify.warning(t('shell:form.unchanged'));
    // Calls go on meanwhile: only the difference to what was shown is booked.
    const shown = { remain_quota_loaded: token.remain_quota, quota_key: key.current };
    const loaded = changed.remain_quota === undefined ? {} : shown;
    await update({ id: token.id, ...changed, ...loaded });
    notify.success(t('updated'));
    onClose();
  }

  const Frame = isPart ? FormSection : FormDrawer;
  return (
    <Frame
      title={token ? t('editor.edit', { name: token.name }) : t('editor.add')}
      action={token ? undefined : t('editor.create')}
      {...{ form, onClose }}
      onSubmit={save}
    >
      <TextField name="name" label={t('field.name')} isRequired />
      <SwitchField name="unlimited_quota" label={t('field.unlimited')} />
      <QuotaField
        name="remain_quota"
        label={t('field.quota')}
        presetLabel={t('form.quotaPresets')}
        isDisabled={isUnlimited}
      />
      <ExpiryField
        name="expires"
        label={t('field.expires')}
        placeholder={t('form.expiryPlaceholder')}
        hint={t('form.expiryHint')}
        presetLabel={t('form.expiryPresets')}
        never={t('expiry.never')}
        after={Object.entries(expiryPresets).map(([key, seconds]) => ({ seconds, text: t(`expiry.${key}`) }))}
      />
      {!token && (
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
          isDisabled={isUnlimited}
        />
      )}
      <SelectField
        name="group"
        label={t('field.group')}
        placeholder={groups.length === 0 ? t('form.noGroups') : undefined}
        choices={[
          ...(groups.length > 0 ? [{ value: '', text: t('form.ownGroup') }] : []),
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
    </Frame>
  );
}
