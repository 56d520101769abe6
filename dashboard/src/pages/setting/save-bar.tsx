import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { definitionOf, type OptionKey } from '../../../../core/schemas/option.ts';
import { useConfirm } from '../../components/feedback/confirm.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useChangeCount } from './use-change-count.ts';
import { placePath, tabOfCard } from './use-section.ts';
import { useSettings } from './use-settings.ts';

const useStyles = makeStyles({
  bar: {
    position: 'sticky',
    bottom: tokens.spacingVerticalM,
    zIndex: 2,
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    padding: '12px 16px',
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke1}`,
    boxShadow: tokens.shadow16,
  },
  words: { flex: '1 1 240px', minWidth: 0 },
  buttons: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
});

/** How many changes wait to be saved, wherever they are, and both ways out. */
export function SaveBar({ changed }: { changed: OptionKey[] }) {
  const { t } = useTranslation('setting');
  const styles = useStyles();
  const confirm = useConfirm();
  const { saveAll, discard } = useSettings();
  const [isSaving, setSaving] = useState(false);
  const count = useChangeCount()(changed);
  const cards = [...new Set(changed.map((key) => definitionOf(key).card))];

  async function save(): Promise<void> {
    if (isSaving) return;
    setSaving(true);
    await saveAll().finally(() => setSaving(false));
  }
  async function giveUp(): Promise<void> {
    const question = { title: t('bar.discardTitle'), text: t('bar.discardText', { count }), action: t('discard') };
    if (count === 1 || (await confirm({ ...question, isDangerous: true }))) discard(changed);
  }
  return (
    <section className={styles.bar} aria-label={t('bar.label')}>
      {/* At the left: at the right a toast would cover them. */}
      {/* A field that is left says what is wrong with it, and moves the button away from under the finger. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: nothing is done here, the focus only stays */}
      <div className={styles.buttons} onMouseDown={(event) => event.preventDefault()}>
        <Button onClick={() => void giveUp()}>{t('discard')}</Button>
        <Button appearance="primary" disabledFocusable={isSaving} onClick={() => void save()}>
          {t(count === 1 ? 'bar.saveOne' : 'bar.save', { count })}
        </Button>
      </div>
      <Text className={styles.words} role="status">
        {t(count === 1 ? 'bar.changedOne' : 'bar.changed', { count })}{' '}
        {cards.map((card, index) => (
          <span key={card}>
            {index > 0 && t('bar.comma')}
            <TextLink to={placePath({ tab: tabOfCard(card), section: card })}>
              {t(`option:card.${card}.title`)}
            </TextLink>
          </span>
        ))}
      </Text>
    </section>
  );
}
