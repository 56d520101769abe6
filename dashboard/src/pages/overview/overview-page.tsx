import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { Add20Regular } from '@fluentui/react-icons/svg/add';
import { useTranslation } from 'react-i18next';
import type { SystemOverview } from '../../../../core/schemas/overview.ts';
import { useOverview } from '../../api/overview.ts';
import { ButtonLink } from '../../components/button-link.tsx';
import { LoadError } from '../../components/feedback/load-error.tsx';
import { WaitingSkeleton } from '../../components/object/waiting-skeleton.tsx';
import { Page } from '../../components/page.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { objectPath, requestsPath } from '../../state/object-path.ts';
import { GetStarted } from '../home/get-started.tsx';
import { AttentionCard } from './attention-card.tsx';
import { ChangeCard } from './change-card.tsx';
import { ChannelCard } from './channel-card.tsx';
import { FailureCard } from './failure-card.tsx';
import { FigureCards } from './figure-card.tsx';
import { OverviewCharts } from './overview-charts.tsx';
import { type Period, periodOf } from './period.ts';
import { PeriodBar } from './period-bar.tsx';
import { TopCard, type TopList } from './top-card.tsx';
import { useFigures } from './use-figures.ts';
import { useLater } from './use-later.ts';
import { usePeriod } from './use-period.ts';
import { useSeries } from './use-series.ts';

const narrow = '@media (max-width: 1100px)';

const useStyles = makeStyles({
  grid: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 2fr) minmax(300px, 1fr)',
    gridTemplateRows: 'auto 1fr',
    gap: tokens.spacingVerticalM,
    alignItems: 'start',
    [narrow]: { gridTemplateColumns: 'minmax(0, 1fr)', gridTemplateRows: 'auto' },
  },
  // Beside the charts on a desk, above them on a phone.
  urgent: { gridColumn: 2, gridRow: 1, minWidth: 0, [narrow]: { gridColumn: 'auto', gridRow: 'auto' } },
  main: { gridColumn: 1, gridRow: '1 / span 2', [narrow]: { gridColumn: 'auto', gridRow: 'auto' } },
  side: { gridColumn: 2, gridRow: 2, [narrow]: { gridColumn: 'auto', gridRow: 'auto' } },
  column: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: tokens.spacingVerticalM, minWidth: 0 },
});

/** Is it working, what does it cost, who or what needs a person: the whole installation, for admins. */
export function OverviewPage() {
  const { t } = useTranslation('overview');
  const { filters, setFilters } = usePeriod();
  const { data, error, refetch, isPlaceholderData } = useOverview({ filters, periodOf: () => periodOf(filters) });
  return (
    <Page
      title={t('title')}
      purpose={t('purpose')}
      isReady={data !== undefined || error !== null}
      action={
        <ButtonLink to="/channel/add" appearance="primary" icon={<Add20Regular />}>
          {t('addChannel')}
        </ButtonLink>
      }
    >
      <GetStarted />
      <PeriodBar {...{ filters, setFilters }} isBusy={isPlaceholderData} />
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {data ? <Content overview={data} /> : !error && <WaitingSkeleton />}
    </Page>
  );
}

function Content({ overview }: { overview: SystemOverview & { period: Period } }) {
  const styles = useStyles();
  const { period } = overview;
  const series = useSeries(overview, period.unit);
  const figures = useFigures(overview, { series, period });
  const isLater = useLater();
  return (
    <>
      <FigureCards figures={figures} />
      {isLater && (
        <div className={styles.grid}>
          <div className={styles.urgent}>
            <AttentionCard items={overview.attention} hasChannels={overview.channels.length > 0} />
          </div>
          <div className={mergeClasses(styles.column, styles.main)}>
            <OverviewCharts {...{ overview, series, period }} />
            <ChannelCard channels={overview.channels} states={overview.channel_states} />
          </div>
          <div className={mergeClasses(styles.column, styles.side)}>
            <TopCard lists={topLists(overview)} tokenSpan="day" />
            <FailureCard failures={overview.failures} />
            <ChangeCard changes={overview.changes} />
          </div>
        </div>
      )}
    </>
  );
}

function topLists({ top_models, top_users, top_tokens, span }: SystemOverview): TopList[] {
  return [
    {
      key: 'models',
      rows: top_models.map(({ name, quota, previous_quota: before }) => ({
        key: name,
        name,
        quota,
        before,
        to: requestsPath({ model_name: name, ...span }),
      })),
    },
    {
      key: 'users',
      rows: top_users.map(({ id, name, quota, previous_quota: before }) => ({
        key: String(id),
        name: name || `#${id}`,
        quota,
        before,
        to: objectPath.user(id),
      })),
    },
    {
      key: 'tokens',
      rows: top_tokens.map(({ id, name, user_id: owner, username, quota, previous_quota: before }) => ({
        key: String(id),
        name: name || `#${id}`,
        quota,
        before,
        to: objectPath.token(id),
        owner: <TextLink to={objectPath.user(owner)}>{username}</TextLink>,
      })),
    },
  ];
}
