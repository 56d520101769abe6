import { createContext, useContext, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  definitionOf,
  destinationsOfSecret,
  isOptionKey,
  type OptionConflict,
  type OptionDetail,
  type OptionKey,
  type OptionSet,
} from '../../../../core/schemas/option.ts';
import { conflictsOf, readSettings, saveSettings } from '../../api/setting.ts';
import { useConfirm } from '../../components/feedback/confirm.tsx';
import { useNotify } from '../../components/feedback/notify.tsx';
import { addTypedEntries } from '../../components/form/typed-entry.ts';
import { useSchemaForm } from '../../components/form/use-schema-form.ts';
import { useOptionText } from '../../i18n/option-text.ts';
import type { ConflictChoice } from './conflict-dialog.tsx';
import { mergedText, type SettingConflict } from './setting-conflict.ts';
import {
  fieldName,
  fieldValue,
  isChanged,
  type SettingForm,
  settingSchema,
  settingValues,
  shownOptions,
} from './setting-form.ts';
import { useFieldFocus } from './use-field-focus.ts';

export interface Settings {
  form: SettingForm;
  detail(key: OptionKey): OptionDetail | undefined;
  /** Sends what was changed of these; says what came of it. */
  save(keys: OptionKey[], done: string): Promise<void>;
  /** The same for every setting of the page. */
  saveAll(): Promise<void>;
  /** Back to what is stored. */
  discard(keys: OptionKey[]): void;
  /** After something else has changed what is stored. */
  reload(keys: OptionKey[]): Promise<void>;
  /** What another user has changed meanwhile, until the question about it is answered. */
  conflicts: SettingConflict[];
  resolveConflict(choice: ConflictChoice): Promise<void>;
}

interface SaveAttempt {
  entries: OptionSet[];
  keepSecret: boolean;
  done: string;
}

const SettingsContext = createContext<Settings | undefined>(undefined);
export const SettingsProvider = SettingsContext.Provider;

export function useSettings(): Settings {
  const settings = useContext(SettingsContext);
  if (!settings) throw new Error('there are no settings around this component');
  return settings;
}

export function useSettingsForm(loaded: OptionDetail[]): Settings {
  const { t } = useTranslation('setting');
  const optionText = useOptionText();
  const notify = useNotify();
  const confirm = useConfirm();
  const [details, setDetails] = useState(() => byKey(loaded));
  const [stale, setStale] = useState<SaveAttempt & { conflicts: SettingConflict[] }>();
  const form: SettingForm = useSchemaForm(settingSchema, settingValues(loaded));
  const changedOf = (keys: OptionKey[]) => keys.filter((key) => isChanged(form, key));
  const nameOf = (key: OptionKey) => optionText(key).label;
  const goTo = useFieldFocus(form);

  /** `sent`: what was saved. A field that says something else by now keeps it as a change. */
  async function reload(keys: OptionKey[], sent?: Map<string, string>): Promise<void> {
    const fresh = byKey(await readSettings());
    const gone = Object.keys(destinationsOfSecret).filter(isOptionKey);
    const cleared = gone.filter((key) => details.get(key)?.has && !fresh.get(key)?.has);
    if (cleared.length > 0) notify.warning(t('secret.cleared', { names: cleared.map(nameOf).join(', ') }));
    setDetails(fresh);
    for (const key of keys) {
      const typed = form.getValues(fieldName(key));
      const isNew = sent !== undefined && sent.get(key) !== String(typed);
      form.resetField(fieldName(key), { defaultValue: fieldValue(key, fresh.get(key)?.value ?? '') });
      if (isNew && typed !== undefined) form.setValue(fieldName(key), typed, { shouldDirty: true });
    }
  }

  /** Undefined when the user declines; otherwise whether stored secrets may go to a new address. */
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
    if (!addTypedEntries()) return notify.warning(t('shell:form.check'));
    const changed = changedOf(keys);
    if (changed.length === 0) return notify.warning(t('shell:form.unchanged'));
    if (!(await form.trigger(changed.map(fieldName)))) {
      const wrong = changed.find((key) => form.getFieldState(fieldName(key)).invalid);
      if (wrong) goTo(wrong);
      return notify.warning(t('shell:form.check'));
    }
    const isPaid = changed.some((key) => definitionOf(key).card === 'payment' && textOf(key) !== '');
    const address = changed.includes('ServerAddress') ? textOf('ServerAddress') : details.get('ServerAddress')?.value;
    if (isPaid && !address?.trim()) return notify.error(t('addressFirst'));
    const answer = await mayBeSaved(changed);
    if (!answer) return;
    const entries = changed.map((key) => ({ key, value: textOf(key), version: details.get(key)?.version }));
    await send({ entries, keepSecret: answer.keepSecret, done });
  }

  async function saveAll(): Promise<void> {
    addTypedEntries(); // said below where one cannot be added
    const cards = new Set(changedOf(shownOptions).map((key) => definitionOf(key).card));
    const [only = ''] = cards;
    const done = cards.size === 1 ? t(`savedCard.${only}`, { defaultValue: t('saved') }) : t('saved');
    await save(shownOptions, done);
  }

  const textOf = (key: OptionKey) => String(form.getValues(fieldName(key)));

  async function send(attempt: SaveAttempt): Promise<void> {
    try {
      await saveSettings(attempt.entries, attempt.keepSecret);
      notify.success(attempt.done);
      const sent = new Map(attempt.entries.map(({ key, value }) => [key, value]));
      await reload([...sent.keys()].filter(isOptionKey), sent);
    } catch (error) {
      const conflicts = conflictsOf(error)?.filter(isKnown);
      if (conflicts) setStale({ ...attempt, conflicts: conflicts.map(conflictOf) });
      else notify.error(error);
    }
  }

  function conflictOf(now: OptionConflict & { key: OptionKey }): SettingConflict {
    const { key } = now;
    return { key, loaded: details.get(key)?.value ?? '', mine: textOf(key), theirs: now.value, now };
  }

  async function resolveConflict(choice: ConflictChoice): Promise<void> {
    if (!stale) return;
    setStale(undefined);
    const { conflicts, entries } = stale;
    if (choice === 'theirs') {
      setDetails(new Map([...details, ...byKey(conflicts.map(({ now }) => now))]));
      for (const { key, theirs } of conflicts)
        form.resetField(fieldName(key), { defaultValue: fieldValue(key, theirs) });
    }
    if (choice === 'mine') {
      const merged = new Map(
        conflicts.map((conflict) => [
          conflict.key as string,
          { value: mergedText(conflict), version: conflict.now.version },
        ]),
      );
      await send({ ...stale, entries: entries.map((entry) => ({ ...entry, ...merged.get(entry.key) })) });
    }
  }

  return {
    form,
    detail: (key) => details.get(key),
    save,
    saveAll,
    reload,
    conflicts: stale?.conflicts ?? [],
    resolveConflict,
    discard: (keys) => {
      for (const key of changedOf(keys)) form.resetField(fieldName(key));
    },
  };
}

const isKnown = (conflict: OptionConflict): conflict is OptionConflict & { key: OptionKey } =>
  isOptionKey(conflict.key);

const byKey = (details: OptionDetail[]) => new Map(details.map((detail) => [detail.key, detail]));
