import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../state/format.ts';
import { outcomeColors } from '../chart-color.ts';
import { type Outcome, type OutcomeBucket, outcomes } from '../outcome-series.ts';
import type { Bar } from '../use-bucket-time.ts';
import { StackedBars } from './stacked-bars.tsx';

interface OutcomeChartProps {
  buckets: OutcomeBucket[];
  timeOf: (bar: Bar) => string;
  /** Where the requests are that ended like this. */
  pathOf: (outcome: Outcome, bucket?: OutcomeBucket) => string;
  onOpen: (path: string) => void;
}

/** How the requests of each time ended; the trouble stands on top of what went well. */
export function OutcomeChart({ buckets, timeOf, pathOf, onOpen }: OutcomeChartProps) {
  const { t } = useTranslation('detail');
  const format = useFormat();
  return (
    <StackedBars
      title={t('chart.outcome')}
      buckets={buckets}
      parts={outcomes.map((key) => ({
        key,
        name: t(`outcome.${key}`),
        color: outcomeColors[key],
        to: pathOf(key),
      }))}
      amountOf={(bucket, key) => bucket[key]}
      textOf={format.number}
      axisText={format.number}
      timeOf={timeOf}
      onDrill={(bucket, key) => onOpen(pathOf(key, bucket))}
    />
  );
}
