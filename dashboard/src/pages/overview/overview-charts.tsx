import { makeStyles, tokens } from '@fluentui/react-components';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { WaitingSkeleton } from '../../components/object/waiting-skeleton.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useFormat } from '../../state/format.ts';
import { type LogSelection, requestsPath } from '../../state/object-path.ts';
import { ChartCard } from '../detail/chart-card.tsx';
import type { Drill } from '../detail/usage-charts.tsx';
import type { Bucket, UsageSeries } from '../detail/usage-series.ts';
import { useBucketTime } from '../detail/use-bucket-time.ts';
import type { Period } from './period.ts';

const charts = () => import('../detail/usage-charts.tsx');
const SpendChart = lazy(() => charts().then((file) => ({ default: file.SpendChart })));
const PaceChart = lazy(() => charts().then((file) => ({ default: file.PaceChart })));

const useStyles = makeStyles({
  grid: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: tokens.spacingVerticalM, minWidth: 0 },
});

interface OverviewChartsProps {
  series: UsageSeries;
  period: Period;
  /** Whose requests the bars lead to. */
  selection?: LogSelection;
}

/** Spend by model and requests over the chosen time; every bar leads to the requests behind it. */
export function OverviewCharts({ series, period, selection }: OverviewChartsProps) {
  const { t } = useTranslation('detail');
  const styles = useStyles();
  const format = useFormat();
  const navigate = useNavigate();
  const timeOf = useBucketTime(period.unit);
  const logOf = ({ bucket, model }: Drill) =>
    requestsPath({
      ...selection,
      start: bucket?.start ?? period.start,
      // Both ends belong to the range of the log.
      end: bucket ? bucket.end - 1 : period.end,
      ...(model && { model_name: model }),
    });
  const onDrill = (drill: Drill) => void navigate(logOf(drill));
  const isEmpty = series.total.count === 0;
  const used = series.buckets.filter(({ count }) => count > 0).toReversed();
  const rows = (figure: (bucket: Bucket) => string) =>
    used.map((bucket) => ({
      key: String(bucket.start),
      cells: [
        <TextLink key="time" to={logOf({ bucket })}>
          {timeOf(bucket)}
        </TextLink>,
        figure(bucket),
      ],
    }));
  return (
    <Suspense fallback={<WaitingSkeleton />}>
      <div className={styles.grid}>
        <ChartCard
          title={t('chart.spend')}
          isEmpty={isEmpty}
          columns={[t('field.time'), t('field.spent')]}
          rows={rows(({ quota }) => format.cost(quota))}
          file={used.map(({ start, quota }) => [timeOf({ start }), quota])}
        >
          <SpendChart {...{ series, timeOf, onDrill }} />
        </ChartCard>
        <ChartCard
          title={t('chart.count')}
          isEmpty={isEmpty}
          columns={[t('field.time'), t('chart.count')]}
          rows={rows(({ count }) => format.number(count))}
          file={used.map(({ start, count }) => [timeOf({ start }), count])}
        >
          <PaceChart {...{ series, timeOf, kind: 'count' }} />
        </ChartCard>
      </div>
    </Suspense>
  );
}
