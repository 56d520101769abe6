import { makeStyles, Text, ToggleButton, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { RatioBadge } from '../../components/ratio-badge.tsx';
import { type Unit, units } from './price.ts';
import type { PriceGroup } from './use-price-list.ts';

const useStyles = makeStyles({
  groups: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS },
  row: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
  group: { fontWeight: tokens.fontWeightRegular, columnGap: tokens.spacingHorizontalS, minWidth: 0 },
  note: { color: tokens.colorNeutralForeground3 },
  units: { display: 'flex', gap: '2px' },
});

interface GroupChoiceProps {
  groups: PriceGroup[];
  /** The one whose ratio the prices contain. */
  group: PriceGroup | undefined;
  chosen: string;
  onChoose: (name: string) => void;
}

/** Every group with its ratio; choosing one shows its models at its prices. */
export function GroupChoice({ groups, group, chosen, onChoose }: GroupChoiceProps) {
  const { t } = useTranslation('pricing');
  const styles = useStyles();
  if (groups.length === 0) return null;
  return (
    <div className={styles.groups}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a frame and a legend */}
      <div className={styles.row} role="group" aria-label={t('groups')}>
        <ToggleButton shape="circular" className={styles.group} checked={chosen === ''} onClick={() => onChoose('')}>
          {t('allGroups')}
        </ToggleButton>
        {groups.map(({ name, description, ratio }) => (
          <ToggleButton
            key={name}
            shape="circular"
            className={styles.group}
            title={description}
            checked={chosen === name}
            onClick={() => onChoose(chosen === name ? '' : name)}
          >
            {name} <RatioBadge ratio={ratio}>{t('times', { ratio })}</RatioBadge>
          </ToggleButton>
        ))}
      </div>
      {group && (
        <Text size={200} className={styles.note} role="status">
          {t('pricesOf', { group: group.name, ratio: group.ratio })}
        </Text>
      )}
    </div>
  );
}

/** Prices of a million or of a thousand tokens. */
export function UnitChoice({ unit, onChoose }: { unit: Unit; onChoose: (unit: Unit) => void }) {
  const { t } = useTranslation('pricing');
  const styles = useStyles();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a frame and a legend
    <div className={styles.units} role="group" aria-label={t('unit')}>
      {units.map((one) => (
        <ToggleButton
          key={one}
          appearance="subtle"
          checked={one === unit}
          onClick={() => onChoose(one)}
          style={{ minWidth: 0 }}
        >
          {t('tokens', { unit: one })}
        </ToggleButton>
      ))}
    </div>
  );
}
