import { Card, makeStyles, Text, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { useOwnPace } from '../../api/usage-data.ts';
import { useFormat } from '../../state/format.ts';
import { forecast } from './forecast.ts';
import type { Sums } from './usage-series.ts';

const useStyles = makeStyles({
  row: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(150px, 100%), 1fr))',
    gap: tokens.spacingHorizontalM,
  },
  card: { gap: tokens.spacingVerticalXXS, minWidth: 0 },
  label: { color: tokens.colorNeutralForeground3 },
  figure: { fontVariantNumeric: 'tabular-nums', overflowWrap: 'anywhere' },
});

/** The range in four figures, and how long the own balance will last at this pace. */
export function UsageFigures({ total }: { total: Sums | undefined }) {
  const { t } = useTranslation('detail');
  const styles = useStyles();
  const format = useFormat();
  const { data: pace } = useOwnPace();
  const outlook = pace && forecast(pace);
  const figures = [
    { key: 'spent', text: total && format.quota(total.quota), hint: '' },
    { key: 'calls', text: total && format.number(total.count), hint: '' },
    { key: 'tokens', text: total && format.number(total.tokens), hint: '' },
    {
      key: 'balance',
      text: pace && format.quota(pace.left),
      hint: outlook ? t(`forecast.${outlook.key}`, { days: outlook.days }) : '',
    },
  ];
  return (
    <div className={styles.row}>
      {figures.map(({ key, text, hint }) => (
        <Card key={key} className={styles.card}>
          <Text size={200} className={styles.label}>
            {t(`figure.${key}`)}
          </Text>
          <Text size={600} weight="semibold" className={styles.figure}>
            {text ?? '–'}
          </Text>
          {hint && (
            <Text size={200} className={styles.label}>
              {hint}
            </Text>
          )}
        </Card>
      ))}
    </div>
  );
}
