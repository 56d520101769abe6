import { useRef } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Token } from '../../../../core/schemas/token.ts';
import { readToken, useTokenActions, useUsableGroups, useUsableModels } from '../../api/token.ts';
import { useNotify } from '../../components/feedback/notify.tsx';
import { ExpiryField } from '../../components/form/expiry-field.tsx';
import { SelectField, SwitchField, TextAreaField, TextField } from '../../components/form/field.tsx';
import { FormDrawer } from '../../components/form/form-drawer.tsx';
import { PickField } from '../../components/form/pick-field.tsx';
import { PresetField } from '../../components/form/preset-field.tsx';
import { QuotaField } from '../../components/form/quota-field.tsx';
import { useLoadedRecord } from '../../components/form/use-loaded-record.tsx';
import { changedValues, useSchemaForm } from '../../components/form/use-schema-form.ts';
import { FormSection } from '../../components/object/form-section.tsx';
import { useFormat } from '../../state/format.ts';
import { randomUuid } from '../../state/random-uuid.ts';
import { expiry } from './token-column.tsx';
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
  // Calls go on meanwhile: only the difference to what was shown is booked; with the key, a second press after a lost response adds nothing.
  const quota = useRef({ remain_quota_loaded: token?.remain_quota, quota_key: randomUuid() });
  // Neither a second press after a lost response nor a browser that sends it again by itself makes more tokens.
  const requestKeys = useRef<string[]>([]);
  const groups = Object.entries(useUsableGroups().data ?? {});
  const models = useUsableModels().data ?? [];
  const form = useSchemaForm(tokenFormSchema(token), tokenFormValues(token));
  const [isUnlimited, hasModelLimits] = useWatch({
    control: form.control,
    name: ['unlimited_quota', 'model_limits_enabled'],
  });

  const saveLoaded = useLoadedRecord({
    form,
    record: token,
    valuesOf: (now: Token) => tokenFormValues(now),
    read: async () => {
      const now = await readToken(token?.id ?? 0);
      quota.current.remain_quota_loaded = now.remain_quota;
      return now;
    },
    describe: useTokenField(),
  });

  async function save(output: TokenForm): Promise<void> {
    if (!token) {
      const made = await create(
        tokensOf(output).map((one, index) => {
          requestKeys.current[index] ??= randomUuid();
          return { ...one, request_key: requestKeys.current[index] };
        }),
      );
      notify.success(t('created'));
      return onCreated(made);
    }
    const changed = toTokenFields(changedValues(form, output));
    if (Object.keys(changed).length === 0) return notify.warning(t('shell:form.unchanged'));
    const { remain_quota, ...others } = changed;
    const sum = remain_quota !== undefined && { remain_quota, ...quota.current };
    if (!(await saveLoaded(others, (fields) => update({ id: token.id, ...fields, ...sum })))) return;
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

/** The API's fields of a token, by the text of their labels in the form. */
const labels: Record<string, string> = {
  name: 'field.name',
  expired_time: 'field.expires',
  unlimited_quota: 'field.unlimited',
  model_limits_enabled: 'field.limitModels',
  model_limits: 'field.models',
  allow_ips: 'field.addresses',
  group: 'field.group',
};

function useTokenField() {
  const { t } = useTranslation('token');
  const format = useFormat();
  return (field: string, stored: unknown) => ({
    name: t(labels[field] ?? field),
    value: typeof stored === 'number' ? expiry(stored, format, t) : String(stored ?? ''),
  });
}
