import { Card, makeStyles, Text, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { useOwnPace } from '../../api/usage-data.ts';
import { cardFrame } from '../../components/card-frame.ts';
import { useFormat } from '../../state/format.ts';
import { Change } from '../overview/figure-card.tsx';
import { forecast } from './forecast.ts';
import type { Sums } from './usage-series.ts';

const useStyles = makeStyles({
  row: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(150px, 100%), 1fr))',
    gap: tokens.spacingHorizontalM,
  },
  card: { ...cardFrame, gap: tokens.spacingVerticalXXS, minWidth: 0 },
  label: { color: tokens.colorNeutralForeground3 },
  figure: { fontVariantNumeric: 'tabular-nums', overflowWrap: 'anywhere' },
});

interface UsageFiguresProps {
  total: Sums | undefined;
  /** Of the time before, and the key of its name. */
  before: { sums: Sums; comparedWith: string } | undefined;
}

/** The range in four figures, and how long the own balance will last at this pace. */
export function UsageFigures({ total, before }: UsageFiguresProps) {
  const { t } = useTranslation('detail');
  const styles = useStyles();
  const format = useFormat();
  const { data: pace } = useOwnPace();
  const outlook = pace && forecast(pace);
  const figures = [
    { key: 'spent', text: total && format.quota(total.quota), sum: 'quota' as const },
    { key: 'calls', text: total && format.number(total.count), sum: 'count' as const },
    { key: 'tokens', text: total && format.number(total.tokens), sum: 'tokens' as const },
    {
      key: 'balance',
      text: pace && format.quota(pace.left),
      hint: outlook ? t(`forecast.${outlook.key}`, { days: outlook.days, count: outlook.days }) : '',
    },
  ];
  return (
    <div className={styles.row}>
      {figures.map(({ key, text, hint, sum }) => (
        <Card key={key} className={styles.card}>
          <Text size={200} className={styles.label}>
            {t(`figure.${key}`)}
          </Text>
          <Text size={600} weight="semibold" className={styles.figure}>
            {text ?? '–'}
          </Text>
          {sum && total && before && <Change now={total[sum]} before={before.sums[sum]} with={before.comparedWith} />}
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
