import { Button, Card, makeStyles, ProgressBar, Skeleton, SkeletonItem, tokens } from '@fluentui/react-components';
import { ArrowClockwise20Regular } from '@fluentui/react-icons/svg/arrow-clockwise';
import { type ReactNode, useDeferredValue, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useEndings } from '../../api/overview.ts';
import { type UsageFilters, usageRange, useUsageData, useUserUsage } from '../../api/usage-data.ts';
import { LoadError } from '../../components/feedback/load-error.tsx';
import { lazyPart } from '../../components/lazy-part.tsx';
import { SelectFilter } from '../../components/list/filter.tsx';
import { RangeFilter } from '../../components/list/range-filter.tsx';
import { SearchFilter } from '../../components/list/search-filter.tsx';
import { Page } from '../../components/page.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useFormat } from '../../state/format.ts';
import { isAdmin, sessionUser } from '../../state/session.ts';
import { CutNote } from '../overview/cut-note.tsx';
import { LatencyCard, OutcomeCard } from '../overview/overview-charts.tsx';
import { periodChoices, periodOf } from '../overview/period.ts';
import { CacheCard } from './cache-card.tsx';
import { ChartCard } from './chart-card.tsx';
import { assignColors } from './chart-color.ts';
import type { Drill } from './charts/usage-charts.tsx';
import { UsageFigures } from './usage-figures.tsx';
import { type Bucket, type Unit, type UsageSeries, units, usageSeries } from './usage-series.ts';
import { useBucketTime } from './use-bucket-time.ts';
import { useUsageFilters } from './use-usage-filters.ts';
import { UserUsageCard } from './user-usage-card.tsx';

const charts = () => import('./charts/usage-charts.tsx');
const SpendChart = lazyPart(async () => (await charts()).SpendChart);
const PaceChart = lazyPart(async () => (await charts()).PaceChart);
const ShareChart = lazyPart(async () => (await charts()).ShareChart);

const useStyles = makeStyles({
  filters: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS, alignItems: 'center' },
  // Uses the standard gap.
  busy: { height: '2px', marginBottom: `calc(-2px - ${tokens.spacingVerticalL})` },
  grid: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(420px, 100%), 1fr))',
    gap: tokens.spacingHorizontalM,
  },
  wide: { gridColumn: '1 / -1', minWidth: 0 },
  cell: { minWidth: 0, display: 'grid' },
});

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** What was used: by model and over time, for admins by user. Every bar leads to the log rows behind it. */
export function DetailPage() {
  const { t } = useTranslation('detail');
  const styles = useStyles();
  const admin = isAdmin(sessionUser.use());
  const { filters, unit, setFilters } = useUsageFilters();
  const list = { filters, setFilters };
  const choice = { ...filters, compare: '' };
  // Sums of all users are kept by the hour: of them any length of time is read.
  const maxSeconds = admin ? Number.POSITIVE_INFINITY : undefined;
  const { data, error, isFetching, refetch } = useUsageData(filters, () => periodOf(choice, maxSeconds));
  const { data: users } = useUserUsage(filters, admin && filters.username === '');
  const summed = useMemo(() => {
    const sums = data && usageSeries(data.rows, data.span, unit);
    if (sums) assignColors(sums.models.map(({ name }) => name));
    return sums;
  }, [data, unit]);
  // Charts take many times as long to draw as the rest: the page stands, and responds, meanwhile.
  const series = useDeferredValue<UsageSeries | null | undefined>(summed, null);
  return (
    <Page title={t('title')} purpose={t(admin ? 'purposeAdmin' : 'purpose', { zone: timeZone })}>
      <div className={styles.filters} role="toolbar" aria-label={t('filter.label')}>
        <RangeFilter list={list} choices={periodChoices} />
        <SelectFilter
          list={{ filters: { unit }, setFilters }}
          name="unit"
          label={t('filter.unit')}
          choices={units.map((value) => ({ value, text: t(`unit.${value}`) }))}
        />
        {admin && <SearchFilter list={list} name="username" label={t('filter.username')} />}
        <Button icon={<ArrowClockwise20Regular />} onClick={() => void refetch()}>
          {t('shell:action.refresh')}
        </Button>
      </div>
      <div className={styles.busy}>
        {isFetching && series && <ProgressBar aria-label={t('shell:state.loading')} thickness="medium" />}
      </div>
      {periodOf(choice).isCut && (!admin || filters.username === '') && <CutNote isPart={admin} />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      <UsageFigures
        total={summed?.total}
        before={data && { sums: data.previous, comparedWith: data.period.comparedWith }}
      />
      {!series && !error && <ChartSkeleton />}
      {series && (
        <>
          <Charts {...{ series, filters, unit }}>
            {users && filters.username === '' && (
              <UserUsageCard users={users} logOf={({ username }) => logAddress({ ...filters, username }, {})} />
            )}
          </Charts>
          {filters.username === '' && <Endings {...{ series, filters, unit }} />}
          <CacheCard filters={rangeOf(filters)} username={filters.username} isOfAll={admin} />
        </>
      )}
    </Page>
  );
}

/** How requests ended and how fast they were: what the sums by model do not tell. */
function Endings({ series, filters, unit }: Omit<ChartsProps, 'children'>) {
  const styles = useStyles();
  const choice = { ...filters, unit, compare: '' };
  const { data } = useEndings({ filters: choice, periodOf: () => periodOf(choice) }, isAdmin(sessionUser.use()));
  if (!data) return <ChartSkeleton />;
  return (
    <div className={styles.grid}>
      <div className={styles.wide}>
        <OutcomeCard overview={data} series={series} period={data.period} />
      </div>
      <div className={styles.wide}>
        <LatencyCard overview={data} series={series} period={data.period} />
      </div>
    </div>
  );
}

interface ChartsProps {
  series: UsageSeries;
  filters: UsageFilters;
  unit: Unit;
  /** Stands beside the last chart. */
  children: ReactNode;
}

function Charts({ series, filters, unit, children }: ChartsProps) {
  const { t } = useTranslation('detail');
  const styles = useStyles();
  const format = useFormat();
  const navigate = useNavigate();
  const timeOf = useBucketTime(unit);
  const onDrill = (drill: Drill) => void navigate(logAddress(filters, drill));
  const isEmpty = series.total.count === 0;
  const used = series.buckets.filter(({ count }) => count > 0).toReversed();
  const times = (figure: (bucket: Bucket) => string) =>
    used.map((bucket) => ({
      key: String(bucket.start),
      cells: [
        <TextLink key="time" to={logAddress(filters, { bucket })}>
          {timeOf(bucket)}
        </TextLink>,
        figure(bucket),
      ],
    }));
  return (
    <div className={styles.grid}>
      <div className={styles.wide}>
        <ChartCard
          title={t('chart.spend')}
          isEmpty={isEmpty}
          columns={[t('field.time'), t('field.spent')]}
          rows={times(({ quota }) => format.cost(quota))}
          file={used.map((bucket) => [timeOf({ start: bucket.start }), bucket.quota])}
        >
          <SpendChart {...{ series, timeOf, onDrill }} />
        </ChartCard>
      </div>
      {(['count', 'tokens'] as const).map((kind) => (
        <div key={kind} className={styles.cell}>
          <ChartCard
            title={t(`chart.${kind}`)}
            isEmpty={isEmpty}
            columns={[t('field.time'), t(`chart.${kind}`)]}
            rows={times((bucket) => format.number(bucket[kind]))}
            file={used.map((bucket) => [timeOf({ start: bucket.start }), bucket[kind]])}
          >
            <PaceChart {...{ series, timeOf, kind }} />
          </ChartCard>
        </div>
      ))}
      <div className={children ? styles.cell : styles.wide}>
        <ChartCard
          title={t('chart.share')}
          isEmpty={isEmpty}
          columns={[t('field.model'), t('field.spent'), t('field.share'), t('field.calls')]}
          rows={series.models.map(({ name, sums }) => ({
            key: name,
            cells: [
              name ? (
                <TextLink key="model" to={logAddress(filters, { model: name })}>
                  {name}
                </TextLink>
              ) : (
                t('others')
              ),
              format.cost(sums.quota),
              format.percent(series.total.quota > 0 ? sums.quota / series.total.quota : 0),
              format.number(sums.count),
            ],
          }))}
          file={series.models.map(({ name, sums }) => [
            name || t('others'),
            sums.quota,
            series.total.quota > 0 ? sums.quota / series.total.quota : 0,
            sums.count,
          ])}
        >
          <ShareChart {...{ series, onDrill }} />
        </ChartCard>
      </div>
      {children && <div className={styles.cell}>{children}</div>}
    </div>
  );
}

const rangeOf = ({ range, start, end }: UsageFilters) => ({ range, start, end });

/** Consumption rows of the same time, model and user. */
function logAddress(filters: UsageFilters, { bucket, model = '' }: Drill): string {
  const range = usageRange(filters);
  const query = new URLSearchParams({ type: '2' });
  query.set('start', String(bucket?.start ?? range.start));
  // Both ends belong to the range of the log.
  query.set('end', String(bucket ? bucket.end - 1 : range.end));
  if (model) query.set('model_name', model);
  if (filters.username) query.set('username', filters.username);
  return `/log?${query}`;
}

function ChartSkeleton() {
  const { t } = useTranslation('detail');
  return (
    <Card>
      <Skeleton aria-label={t('shell:state.loading')} appearance="translucent">
        <SkeletonItem style={{ height: '280px' }} />
      </Skeleton>
    </Card>
  );
}
