import { Badge, Button, makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useFormState } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { type OptionCard, optionTabs } from '../../../../core/schemas/option/card.ts';
import { definitionOf, type OptionKey, optionsOfCard } from '../../../../core/schemas/option.ts';
import { usePublicAddress } from '../../api/status.ts';
import { SectionCard } from '../../components/section-card.tsx';
import { isWideField, SettingField } from './setting-field.tsx';
import { fieldName } from './setting-form.ts';
import { sectionId } from './use-section.ts';
import { useSettings } from './use-settings.ts';

const useStyles = makeStyles({
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
  card: OptionCard;
  /** The fields to show, all when left out. */
  shown?: OptionKey[];
  /** In place of the default fields. */
  children?: ReactNode;
  /** Beside the buttons, with calls of its own. */
  extra?: ReactNode;
}

/** Settings that belong together. The bar of the page saves them; a page of the operator's can also be published on its own. */
export function SettingCard({ card, shown, children, extra }: SettingCardProps) {
  const { t } = useTranslation('setting');
  const styles = useStyles();
  const { form, save, saveAll } = useSettings();
  const { dirtyFields } = useFormState({ control: form.control });
  const [isSaving, setSaving] = useState(false);
  const all = optionsOfCard(card);
  const isCardChanged = all.some((key) => dirtyFields[fieldName(key)]);
  const title = t(`option:card.${card}.title`);
  const isOwn = ownCards.includes(card);
  const isAlone = all.length === 1 && !all.some(isWideField);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isSaving) return;
    setSaving(true);
    const saving = isOwn ? save(all, t(`savedCard.${card}`)) : saveAll();
    await saving.finally(() => setSaving(false));
  }

  const badge = isCardChanged && (
    <Badge appearance="tint" color="brand">
      {t('changed')}
    </Badge>
  );
  return (
    <SectionCard
      id={sectionId(card)}
      title={title}
      purpose={t(`option:card.${card}.purpose`, { address: usePublicAddress() })}
      aside={badge}
    >
      <form noValidate className={styles.form} onSubmit={(event) => void submit(event)}>
        {children ??
          runsOf(shown ?? all).map((options) => (
            <div key={options[0]} className={mergeClasses(styles.fields, isAlone && styles.single)}>
              {options.map((option) => (
                <div key={option} className={isWideField(option) ? styles.wide : undefined}>
                  <SettingField option={option} />
                </div>
              ))}
            </div>
          ))}
        {isOwn ? <OwnFoot {...{ card, title, isSaving }} isChanged={isCardChanged} /> : <input type="submit" hidden />}
      </form>
      {extra}
    </SectionCard>
  );
}

interface OwnFootProps {
  card: OptionCard;
  title: string;
  isSaving: boolean;
  isChanged: boolean;
}

function OwnFoot({ card, title, isSaving, isChanged }: OwnFootProps) {
  const { t } = useTranslation('setting');
  const styles = useStyles();
  const { discard } = useSettings();
  return (
    // A field that is left says what is wrong with it, and moves the button away from under the finger.
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing is done here, the focus only stays
    <div className={styles.foot} onMouseDown={(event) => event.preventDefault()}>
      <Button
        type="submit"
        appearance={isChanged ? 'primary' : 'secondary'}
        disabledFocusable={isSaving}
        aria-label={t('saveCard', { title })}
      >
        {t('shell:action.save')}
      </Button>
      {isChanged && (
        <Button aria-label={t('discardCard', { title })} onClick={() => discard(optionsOfCard(card))}>
          {t('discard')}
        </Button>
      )}
    </div>
  );
}

/** Each of these is saved alone, with words of its own. */
const ownCards: readonly OptionCard[] = optionTabs.other;

/** Switches are beside switches, and not beside fields with a label above. */
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
