import { Badge, makeStyles, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { type LogFilters, useLogStat } from '../../api/log.ts';
import { useFormat } from '../../state/format.ts';

const useStyles = makeStyles({
  badges: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS, minHeight: '32px' },
  badge: { fontVariantNumeric: 'tabular-nums' },
});

/** What the rows of the filters cost together, and how busy the last minute was. */
export function LogStatBadges({ filters }: { filters: LogFilters }) {
  const { t } = useTranslation('log');
  const styles = useStyles();
  const format = useFormat();
  const { data } = useLogStat(filters);
  const texts = data && [
    t('stat.quota', { value: format.cost(data.quota) }),
    t('stat.rpm', { value: format.number(data.rpm) }),
    t('stat.tpm', { value: format.number(data.tpm) }),
  ];
  return (
    <div className={styles.badges} role="status">
      {texts?.map((text, index) => (
        <Badge
          key={text}
          size="extra-large"
          appearance="tint"
          color={index === 0 ? 'brand' : 'informative'}
          className={styles.badge}
        >
          {text}
        </Badge>
      ))}
    </div>
  );
}
