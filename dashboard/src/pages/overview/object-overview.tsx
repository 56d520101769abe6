import { makeStyles, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import type { ObjectOverview } from '../../../../core/schemas/overview.ts';
import { type OverviewObject, useObjectOverview } from '../../api/overview.ts';
import { LoadError } from '../../components/feedback/load-error.tsx';
import { WaitingSkeleton } from '../../components/object/waiting-skeleton.tsx';
import { type LogSelection, objectPath, requestsPath } from '../../state/object-path.ts';
import { FailureCard } from './failure-card.tsx';
import { type Figure, FigureCards } from './figure-card.tsx';
import { OverviewCharts } from './overview-charts.tsx';
import { type Period, periodOf } from './period.ts';
import { PeriodBar } from './period-bar.tsx';
import { TopCard, type TopList } from './top-card.tsx';
import { useFigures } from './use-figures.ts';
import { usePeriod } from './use-period.ts';
import { useSeries } from './use-series.ts';

const narrow = '@media (max-width: 1100px)';

const useStyles = makeStyles({
  grid: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 2fr) minmax(300px, 1fr)',
    gap: tokens.spacingVerticalM,
    alignItems: 'start',
    [narrow]: { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  column: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: tokens.spacingVerticalM, minWidth: 0 },
});

interface ObjectOverviewTabProps {
  object: OverviewObject;
  /** The same object as the log knows it. */
  selection: LogSelection;
  /** Before the figures that all objects have. */
  firstFigures?: Figure[];
  /** Cards beside the charts, above those of all objects. */
  aside?: (overview: ObjectOverview) => ReactNode;
  /** Below the charts. */
  below?: (overview: ObjectOverview) => ReactNode;
}

/** What one object served or used over a time: the overview's own figures and charts. */
export function ObjectOverviewTab(props: ObjectOverviewTabProps) {
  const { filters, setFilters } = usePeriod();
  const choice = { filters, periodOf: () => periodOf(filters) };
  const { data, error, refetch, isPlaceholderData } = useObjectOverview(props.object, choice);
  return (
    <>
      <PeriodBar {...{ filters, setFilters }} isBusy={isPlaceholderData} />
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {data ? <Content {...props} overview={data} /> : !error && <WaitingSkeleton />}
    </>
  );
}

type ContentProps = ObjectOverviewTabProps & { overview: ObjectOverview & { period: Period } };

function Content({ overview, object, selection, firstFigures = [], aside, below }: ContentProps) {
  const styles = useStyles();
  const { period } = overview;
  const series = useSeries(overview, period.unit);
  const figures = useFigures(overview, { series, period, selection });
  const left = new Set([
    ...(overview.top_users.length > 0 ? [] : ['users']),
    // Where the object has figures of its own the rows stay full without it.
    ...(firstFigures.length > 1 ? ['pace'] : []),
  ]);
  const lists = topLists(overview, object, selection).filter(({ rows }) => rows.length > 0);
  return (
    <>
      <FigureCards figures={[...firstFigures, ...figures.filter(({ key }) => !left.has(key))]} />
      <div className={styles.grid}>
        <div className={styles.column}>
          <OverviewCharts {...{ overview, series, period, selection }} />
          {below?.(overview)}
        </div>
        <div className={styles.column}>
          {aside?.(overview)}
          {lists.length > 0 && <TopCard lists={lists} tokenSpan="week" />}
          <FailureCard failures={overview.failures} selection={selection} />
        </div>
      </div>
    </>
  );
}

function topLists(
  { top_models, top_users, top_tokens, span }: ObjectOverview,
  { kind }: OverviewObject,
  selection: LogSelection,
): TopList[] {
  const models = top_models.map(({ name, quota, previous_quota: before }) => ({
    key: name,
    name,
    quota,
    before,
    to:
      kind === 'user' || kind === 'token'
        ? requestsPath({ ...selection, ...span, model_name: name })
        : objectPath.model(name),
  }));
  const users = top_users.map(({ id, name, quota, previous_quota: before }) => ({
    key: String(id),
    name: name || `#${id}`,
    quota,
    before,
    to: objectPath.user(id),
  }));
  const tokens = top_tokens.map(({ id, name, quota, previous_quota: before }) => ({
    key: String(id),
    name: name || `#${id}`,
    quota,
    before,
    to: objectPath.token(id),
  }));
  return [
    // Of one model there is nothing to rank.
    { key: 'models', rows: kind === 'model' ? [] : models },
    { key: 'users', rows: users },
    { key: 'tokens', rows: tokens },
  ];
}
