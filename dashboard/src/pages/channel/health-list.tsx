import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import type { HealthRow } from './use-health-row.tsx';

const useStyles = makeStyles({
  list: { listStyleType: 'none', margin: 0, padding: 0 },
  item: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalS,
    padding: `${tokens.spacingVerticalM} 0`,
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    ':first-child': { borderTop: 'none', paddingTop: 0 },
  },
  name: { overflowWrap: 'anywhere' },
  figures: {
    display: 'grid',
    gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
    gap: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM}`,
    margin: 0,
  },
  wide: { gridColumn: '1 / -1' },
  label: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  figure: { margin: 0, fontVariantNumeric: 'tabular-nums', overflowWrap: 'anywhere' },
});

/** The rows of the table on a phone, where it has no room. */
export function HealthList({ label, rows }: { label: string; rows: HealthRow[] }) {
  const { t } = useTranslation('health');
  const styles = useStyles();
  return (
    <ul className={styles.list} aria-label={label}>
      {rows.map(({ key, name, success, requests, firstToken, speed, lastError }) => (
        <li key={key} className={styles.item}>
          <Text weight="semibold" className={styles.name}>
            {name}
          </Text>
          <dl className={styles.figures}>
            {[
              { text: t('success'), figure: success },
              { text: t('requests'), figure: requests },
              { text: t('firstToken'), figure: firstToken },
              { text: t('speed'), figure: speed },
              ...(lastError ? [{ text: t('lastError'), figure: lastError, isWide: true }] : []),
            ].map(({ text, figure, isWide = false }) => (
              <div key={text} className={isWide ? styles.wide : undefined}>
                <dt className={styles.label}>{text}</dt>
                <dd className={styles.figure}>{figure}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}
