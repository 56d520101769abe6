import { Checkbox, Link, makeStyles, Text, tokens } from '@fluentui/react-components';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';

const useStyles = makeStyles({
  choice: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXS, minWidth: 0 },
  head: { display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', gap: tokens.spacingHorizontalM },
  list: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(220px, 1fr))',
    maxHeight: '180px',
    overflowY: 'auto',
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusMedium,
    overflowWrap: 'anywhere',
  },
});

interface ModelChoiceProps {
  models: string[];
  chosen: string[];
  onChange: (chosen: string[]) => void;
}

/** The models that were read, all of them chosen at first. */
export function ModelChoice({ models, chosen, onChange }: ModelChoiceProps) {
  const { t } = useTranslation('setup');
  const styles = useStyles();
  const id = useId();
  return (
    <div className={styles.choice}>
      <div className={styles.head}>
        <Text id={id} weight="semibold">
          {t('model.chosen', { count: chosen.length, total: models.length })}
        </Text>
        <Link as="button" type="button" onClick={() => onChange(models)}>
          {t('model.all')}
        </Link>
        <Link as="button" type="button" onClick={() => onChange([])}>
          {t('model.none')}
        </Link>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset does not scroll */}
      <div className={styles.list} role="group" aria-labelledby={id}>
        {models.map((model) => (
          <Checkbox
            key={model}
            label={model}
            checked={chosen.includes(model)}
            onChange={(_event, { checked }) =>
              onChange(checked ? [...chosen, model] : chosen.filter((one) => one !== model))
            }
          />
        ))}
      </div>
    </div>
  );
}
