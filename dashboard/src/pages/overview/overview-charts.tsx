import { makeStyles, tokens } from '@fluentui/react-components';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { logType } from '../../../../core/schemas/log-type.ts';
import type { ObjectOverview } from '../../../../core/schemas/overview.ts';
import { lazyPart } from '../../components/lazy-part.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useFormat } from '../../state/format.ts';
import { type LogSelection, requestsPath } from '../../state/object-path.ts';
import { ChartCard } from '../detail/chart-card.tsx';
import type { Drill } from '../detail/charts/usage-charts.tsx';
import { latencyKeys, latencySeries } from '../detail/latency-series.ts';
import { type Outcome, type OutcomeBucket, outcomeSeries, outcomes, totalOf } from '../detail/outcome-series.ts';
import type { Bucket, UsageSeries } from '../detail/usage-series.ts';
import { useBucketTime } from '../detail/use-bucket-time.ts';
import type { Period } from './period.ts';
import { useDuration } from './use-duration.ts';

const SpendChart = lazyPart(async () => (await import('../detail/charts/usage-charts.tsx')).SpendChart);
const OutcomeChart = lazyPart(async () => (await import('../detail/charts/outcome-chart.tsx')).OutcomeChart);
const LatencyChart = lazyPart(async () => (await import('../detail/charts/latency-chart.tsx')).LatencyChart);

const useStyles = makeStyles({
  grid: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: tokens.spacingVerticalM, minWidth: 0 },
});

interface OverviewChartsProps {
  overview: Pick<ObjectOverview, 'outcomes' | 'latencies'>;
  series: UsageSeries;
  period: Period;
  /** Whose requests the bars lead to. */
  selection?: LogSelection;
}

/** How requests ended, what they cost and how fast they were over the chosen time; every bar leads to the requests behind it. */
export function OverviewCharts(props: OverviewChartsProps) {
  const styles = useStyles();
  return (
    <div className={styles.grid}>
      <OutcomeCard {...props} />
      <SpendCard {...props} />
      <LatencyCard {...props} />
    </div>
  );
}

export function OutcomeCard({ overview, series, period, selection }: OverviewChartsProps) {
  const { t } = useTranslation('detail');
  const format = useFormat();
  const navigate = useNavigate();
  const timeOf = useBucketTime(period.unit);
  const buckets = useMemo(() => outcomeSeries(overview.outcomes, series.buckets), [overview.outcomes, series.buckets]);
  const used = buckets.filter((bucket) => totalOf(bucket) > 0).toReversed();
  const pathOf = (outcome: Outcome, bucket?: OutcomeBucket) => {
    const isFailed = outcome === 'refused' || outcome === 'failed';
    const times = timesOf(period, bucket);
    return requestsPath(
      { ...selection, ...times, ...(outcome === 'cut' && { cut: true }) },
      isFailed ? logType.error : logType.consume,
    );
  };
  return (
    <ChartCard
      title={t('chart.outcome')}
      isEmpty={used.length === 0}
      columns={[t('field.time'), ...outcomes.map((key) => t(`outcome.${key}`)), t('total')]}
      rows={used.map((bucket) => ({
        key: String(bucket.start),
        cells: [
          timeOf(bucket),
          ...outcomes.map((key) =>
            bucket[key] > 0 ? (
              <TextLink key={key} to={pathOf(key, bucket)}>
                {format.number(bucket[key])}
              </TextLink>
            ) : (
              '0'
            ),
          ),
          format.number(totalOf(bucket)),
        ],
      }))}
      file={used.map((bucket) => [
        timeOf({ start: bucket.start }),
        ...outcomes.map((key) => bucket[key]),
        totalOf(bucket),
      ])}
    >
      <OutcomeChart {...{ buckets, timeOf, pathOf }} onOpen={(path) => void navigate(path)} />
    </ChartCard>
  );
}

function SpendCard({ series, period, selection }: OverviewChartsProps) {
  const { t } = useTranslation('detail');
  const format = useFormat();
  const navigate = useNavigate();
  const timeOf = useBucketTime(period.unit);
  const logOf = ({ bucket, model }: Drill) =>
    requestsPath({ ...selection, ...timesOf(period, bucket), ...(model && { model_name: model }) });
  const used = series.buckets.filter(({ count }) => count > 0).toReversed();
  const quotaOf = (bucket: Bucket, model: string) => bucket.models.get(model)?.quota ?? 0;
  return (
    <ChartCard
      title={t('chart.spend')}
      isEmpty={series.total.count === 0}
      columns={[t('field.time'), t('field.spent'), ...series.models.map(({ name }) => name || t('others'))]}
      rows={used.map((bucket) => ({
        key: String(bucket.start),
        cells: [
          <TextLink key="time" to={logOf({ bucket })}>
            {timeOf(bucket)}
          </TextLink>,
          format.cost(bucket.quota),
          ...series.models.map(({ name }) => format.cost(quotaOf(bucket, name))),
        ],
      }))}
      file={used.map((bucket) => [
        timeOf(bucket),
        bucket.quota,
        ...series.models.map(({ name }) => quotaOf(bucket, name)),
      ])}
    >
      <SpendChart {...{ series, timeOf }} onDrill={(drill) => void navigate(logOf(drill))} />
    </ChartCard>
  );
}

export function LatencyCard({ overview, series, period }: Omit<OverviewChartsProps, 'selection'>) {
  const { t } = useTranslation('detail');
  const duration = useDuration();
  const timeOf = useBucketTime(period.unit);
  const buckets = useMemo(
    () => latencySeries(overview.latencies, series.buckets),
    [overview.latencies, series.buckets],
  );
  const used = buckets.filter((bucket) => latencyKeys.some((key) => bucket[key] !== null)).toReversed();
  return (
    <ChartCard
      title={t('chart.latency')}
      isEmpty={used.length === 0}
      columns={[t('field.time'), ...latencyKeys.map((key) => t(`latency.${key}`))]}
      rows={used.map((bucket) => ({
        key: String(bucket.start),
        cells: [timeOf(bucket), ...latencyKeys.map((key) => (bucket[key] === null ? '–' : duration(bucket[key])))],
      }))}
      // Milliseconds.
      file={used.map((bucket) => [timeOf({ start: bucket.start }), ...latencyKeys.map((key) => bucket[key] ?? '')])}
    >
      <LatencyChart {...{ buckets, timeOf }} />
    </ChartCard>
  );
}

/** Both ends belong to the range of the log. */
const timesOf = (period: Period, bucket?: Pick<Bucket, 'start' | 'end'>) => ({
  start: bucket?.start ?? period.start,
  end: bucket ? bucket.end - 1 : period.end,
});
