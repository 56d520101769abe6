import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { ChevronDown20Regular } from '@fluentui/react-icons/svg/chevron-down';
import { ChevronUp20Regular } from '@fluentui/react-icons/svg/chevron-up';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUsableModels } from '../../../api/token.ts';
import { useCopy } from '../../../components/feedback/copy.tsx';
import { UntilLoaded } from '../../../components/feedback/until-loaded.tsx';
import { SectionCard } from '../../../components/section-card.tsx';

/** Accounts spec, section 9. */
const shownAtFirst = 10;

const useStyles = makeStyles({
  models: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
  model: { minWidth: 0, maxWidth: '100%', fontWeight: tokens.fontWeightRegular, overflowWrap: 'anywhere' },
  none: { color: tokens.colorNeutralForeground3 },
  more: { alignSelf: 'flex-start' },
});

/** What may be called; a name is copied with a click. */
export function ModelCard() {
  const { t } = useTranslation('account');
  const styles = useStyles();
  const copy = useCopy();
  const reading = useUsableModels();
  const { data: models } = reading;
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? (models ?? []) : (models ?? []).slice(0, shownAtFirst);
  return (
    <SectionCard title={t('model.title')} purpose={t('model.purpose')}>
      <UntilLoaded reading={reading} />
      {models?.length === 0 && <Text className={styles.none}>{t('model.none')}</Text>}
      <div className={styles.models}>
        {shown.map((name) => (
          <Button
            key={name}
            size="small"
            shape="circular"
            className={styles.model}
            onClick={() => void copy(name, t('model.copied', { name }))}
          >
            {name}
          </Button>
        ))}
      </div>
      {models && models.length > shownAtFirst && (
        <Button
          appearance="subtle"
          size="small"
          className={styles.more}
          aria-expanded={isOpen}
          icon={isOpen ? <ChevronUp20Regular /> : <ChevronDown20Regular />}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t('model.less') : t('model.more', { count: models.length - shownAtFirst })}
        </Button>
      )}
    </SectionCard>
  );
}
