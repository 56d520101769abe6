import { Badge, Button, makeStyles, mergeClasses, Subtitle2, Text, tokens } from '@fluentui/react-components';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useFormState } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { definitionOf, type OptionKey } from '../../../../core/schemas/option.ts';
import { isWideField, SettingField } from './setting-field.tsx';
import { fieldName } from './setting-form.ts';
import type { SettingCardEntry } from './setting-layout.ts';
import { useSettings } from './use-settings.ts';

const useStyles = makeStyles({
  card: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalL,
    padding: '20px 24px',
    minWidth: 0,
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorNeutralBackground1,
    boxShadow: tokens.shadow2,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    '@media (max-width: 600px)': { padding: '16px' },
  },
  changed: { border: `1px solid ${tokens.colorBrandStroke1}` },
  head: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalS, flexWrap: 'wrap' },
  words: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXXS },
  purpose: { color: tokens.colorNeutralForeground3 },
  title: { margin: 0 },
  fields: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(min(300px, 100%), 1fr))',
    columnGap: '32px',
    rowGap: tokens.spacingVerticalL,
    alignItems: 'start',
  },
  single: { gridTemplateColumns: 'minmax(0, 480px)' },
  wide: { gridColumn: '1 / -1', minWidth: 0 },
  form: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalL, minWidth: 0 },
  foot: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
});

interface SettingCardProps {
  card: SettingCardEntry;
  /** The fields to show, all when left out. */
  shown?: OptionKey[];
  /** In place of the usual fields. */
  children?: ReactNode;
  /** Beside the buttons, with calls of its own. */
  extra?: ReactNode;
}

/** Settings that belong together, with a button that saves what was changed of them. */
export function SettingCard({ card, shown = card.options, children, extra }: SettingCardProps) {
  const { t } = useTranslation('setting');
  const styles = useStyles();
  const id = useId();
  const { form, save, discard } = useSettings();
  const { dirtyFields } = useFormState({ control: form.control });
  const [isSaving, setSaving] = useState(false);
  const isCardChanged = card.options.some((key) => dirtyFields[fieldName(key)]);
  const title = t(`card.${card.key}.title`);
  const isAlone = card.options.length === 1 && !card.options.some(isWideField);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isSaving) return;
    setSaving(true);
    await save(card.options, t(`card.${card.key}.saved`, { defaultValue: t('saved') })).finally(() => setSaving(false));
  }

  return (
    <section className={mergeClasses(styles.card, isCardChanged && styles.changed)} aria-labelledby={id}>
      <div className={styles.words}>
        <div className={styles.head}>
          <Subtitle2 as="h2" id={id} className={styles.title}>
            {title}
          </Subtitle2>
          {isCardChanged && (
            <Badge appearance="tint" color="brand">
              {t('changed')}
            </Badge>
          )}
        </div>
        <Text size={200} className={styles.purpose}>
          {t(`card.${card.key}.purpose`)}
        </Text>
      </div>
      <form noValidate className={styles.form} onSubmit={(event) => void submit(event)}>
        {children ??
          runsOf(shown).map((options) => (
            <div key={options[0]} className={mergeClasses(styles.fields, isAlone && styles.single)}>
              {options.map((option) => (
                <div key={option} className={isWideField(option) ? styles.wide : undefined}>
                  <SettingField option={option} />
                </div>
              ))}
            </div>
          ))}
        {/* A field that is left says what is wrong with it, and moves the button away from under the finger. */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: nothing is done here, the focus only stays */}
        <div className={styles.foot} onMouseDown={(event) => event.preventDefault()}>
          <Button
            type="submit"
            appearance={isCardChanged ? 'primary' : 'secondary'}
            disabledFocusable={isSaving}
            aria-label={t('saveCard', { title })}
          >
            {t('shell:action.save')}
          </Button>
          {isCardChanged && <Button onClick={() => discard(card.options)}>{t('discard')}</Button>}
        </div>
      </form>
      {extra}
    </section>
  );
}

/** Switches stand beside switches, and not beside fields with a label above. */
function runsOf(options: OptionKey[]): OptionKey[][] {
  const isSwitch = (option: OptionKey) => definitionOf(option).kind === 'boolean';
  const runs: OptionKey[][] = [];
  for (const option of options) {
    const last = runs.at(-1);
    const before = last?.at(-1);
    if (last && before && isSwitch(before) === isSwitch(option)) last.push(option);
    else runs.push([option]);
  }
  return runs;
}
