import { createContext, useContext, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  destinationsOfSecret,
  isOptionKey,
  type OptionDetail,
  type OptionKey,
} from '../../../../core/schemas/option.ts';
import { readSettings, saveSettings } from '../../api/setting.ts';
import { useConfirm } from '../../components/feedback/confirm.tsx';
import { useNotify } from '../../components/feedback/notify.tsx';
import { useSchemaForm } from '../../components/form/use-schema-form.ts';
import {
  fieldName,
  fieldValue,
  isChanged,
  optionTexts,
  type SettingForm,
  settingSchema,
  settingValues,
} from './setting-form.ts';

export interface Settings {
  form: SettingForm;
  detail(key: OptionKey): OptionDetail | undefined;
  /** Sends what was changed of these; says what came of it. */
  save(keys: OptionKey[], done: string): Promise<void>;
  /** Back to what is stored. */
  discard(keys: OptionKey[]): void;
  /** After something else has changed what is stored. */
  reload(keys: OptionKey[]): Promise<void>;
}

const SettingsContext = createContext<Settings | undefined>(undefined);
export const SettingsProvider = SettingsContext.Provider;

export function useSettings(): Settings {
  const settings = useContext(SettingsContext);
  if (!settings) throw new Error('there are no settings around this component');
  return settings;
}

export function useSettingsForm(loaded: OptionDetail[]): Settings {
  const { t, i18n } = useTranslation('setting');
  const notify = useNotify();
  const confirm = useConfirm();
  const [details, setDetails] = useState(() => byKey(loaded));
  const form: SettingForm = useSchemaForm(settingSchema, settingValues(loaded));
  const changedOf = (keys: OptionKey[]) => keys.filter((key) => isChanged(form, key));
  const nameOf = (key: OptionKey) => optionTexts(key, i18n.language).label;

  async function reload(keys: OptionKey[]): Promise<void> {
    const fresh = byKey(await readSettings());
    const gone = Object.keys(destinationsOfSecret).filter(isOptionKey);
    const cleared = gone.filter((key) => details.get(key)?.has && !fresh.get(key)?.has);
    if (cleared.length > 0) notify.warning(t('secret.cleared', { names: cleared.map(nameOf).join(', ') }));
    setDetails(fresh);
    for (const key of keys)
      form.resetField(fieldName(key), { defaultValue: fieldValue(key, fresh.get(key)?.value ?? '') });
  }

  /** Undefined when somebody would rather not; otherwise whether stored secrets may go to a new address. */
  async function mayBeSaved(changed: OptionKey[]): Promise<{ keepSecret: boolean } | undefined> {
    if (changed.includes('PasswordLoginEnabled') && form.getValues('PasswordLoginEnabled') === false) {
      const { title, text, action } = {
        title: t('passwordOff.title'),
        text: t('passwordOff.text'),
        action: t('passwordOff.action'),
      };
      if (!(await confirm({ title, text, action, isDangerous: true }))) return undefined;
    }
    const moved = movedSecrets(changed);
    if (moved.length === 0) return { keepSecret: false };
    const names = moved.map(nameOf).join(', ');
    const question = { title: t('secret.keepTitle'), text: t('secret.keepText', { names }), action: t('secret.keep') };
    return (await confirm(question)) ? { keepSecret: true } : undefined;
  }

  /** Stored secrets whose address changes while they stay as they are. */
  function movedSecrets(changed: OptionKey[]): OptionKey[] {
    return Object.entries(destinationsOfSecret).flatMap(([name, addresses]) => {
      const isSet = isOptionKey(name) && details.get(name)?.has && !changed.includes(name);
      const isMoved = addresses.some((address) => changed.includes(address) && form.getValues(address) !== '');
      return isSet && isMoved ? [name] : [];
    });
  }

  async function save(keys: OptionKey[], done: string): Promise<void> {
    const changed = changedOf(keys);
    if (changed.length === 0) return notify.warning(t('shell:form.unchanged'));
    if (!(await form.trigger(keys.map(fieldName), { shouldFocus: true }))) return notify.warning(t('shell:form.check'));
    const isPayment = keys.includes('PayAddress');
    if (isPayment && !details.get('ServerAddress')?.has) return notify.error(t('addressFirst'));
    const answer = await mayBeSaved(changed);
    if (!answer) return;
    try {
      const entries = changed.map((key) => ({ key, value: String(form.getValues(fieldName(key))) }));
      await saveSettings(entries, answer.keepSecret);
      notify.success(done);
      await reload(changed);
    } catch (error) {
      notify.error(error);
    }
  }

  return {
    form,
    detail: (key) => details.get(key),
    save,
    reload,
    discard: (keys) => {
      for (const key of changedOf(keys)) form.resetField(fieldName(key));
    },
  };
}

const byKey = (details: OptionDetail[]) => new Map(details.map((detail) => [detail.key, detail]));
