import { makeStyles, tokens } from '@fluentui/react-components';
import { lazy } from 'react';
import { useTranslation } from 'react-i18next';
import type { OwnOverview } from '../../../../core/schemas/overview.ts';
import { useOwnOverview } from '../../api/overview.ts';
import { ButtonLink } from '../../components/button-link.tsx';
import { Deferred } from '../../components/deferred.tsx';
import { LoadError } from '../../components/feedback/load-error.tsx';
import { lazyTab } from '../../components/object/lazy-tab.ts';
import { WaitingSkeleton } from '../../components/object/waiting-skeleton.tsx';
import { Page } from '../../components/page.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { objectPath, requestsPath } from '../../state/object-path.ts';
import { FailureCard } from './failure-card.tsx';
import { FigureCards } from './figure-card.tsx';
import { OverviewCharts } from './overview-charts.tsx';
import { type Period, periodOf } from './period.ts';
import { PeriodBar } from './period-bar.tsx';
import { TopCard, type TopList } from './top-card.tsx';
import { useBalanceFigure, useFigures } from './use-figures.ts';
import { useLater } from './use-later.ts';
import { usePeriod } from './use-period.ts';
import { useSeries } from './use-series.ts';

const OwnLimits = lazyTab(['limit'], async () => (await import('../limit/own-limit-card.tsx')).OwnLimitCard);
const CallExample = lazy(() =>
  import('../../components/call-example.tsx').then((file) => ({ default: file.CallExample })),
);

const useStyles = makeStyles({
  grid: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 2fr) minmax(300px, 1fr)',
    gap: tokens.spacingVerticalM,
    alignItems: 'start',
    '@media (max-width: 1100px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  column: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: tokens.spacingVerticalM, minWidth: 0 },
});

/** What is left, what was spent, by which tokens and models, and how to call: the own account. */
export function OwnOverviewPage() {
  const { t } = useTranslation('overview');
  const { filters, setFilters } = usePeriod();
  const { data, error, refetch, isPlaceholderData } = useOwnOverview({ filters, periodOf: () => periodOf(filters) });
  return (
    <Page
      title={t('title')}
      purpose={t('ownPurpose')}
      isReady={data !== undefined || error !== null}
      action={
        <ButtonLink to="/topup" appearance="primary">
          {t('addCredit')}
        </ButtonLink>
      }
    >
      <PeriodBar {...{ filters, setFilters }} isBusy={isPlaceholderData} />
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {data ? <Content overview={data} /> : !error && <WaitingSkeleton />}
    </Page>
  );
}

function Content({ overview }: { overview: OwnOverview & { period: Period } }) {
  const { t } = useTranslation('overview');
  const styles = useStyles();
  const { period } = overview;
  const series = useSeries(overview, period.unit);
  const figures = useFigures(overview, { series, period });
  const isLater = useLater();
  const balance = useBalanceFigure(overview);
  return (
    <>
      <FigureCards figures={[balance, ...figures.filter(({ key }) => key !== 'users')]} />
      {isLater && (
        <div className={styles.grid}>
          <div className={styles.column}>
            <OverviewCharts {...{ overview, series, period }} />
          </div>
          <div className={styles.column}>
            <Deferred>
              <OwnLimits />
            </Deferred>
            <FailureCard failures={overview.failures} />
            <TopCard lists={topLists(overview)} tokenSpan="week" />
            <SectionCard
              title={t('quickStart.title')}
              purpose={t('quickStart.text')}
              aside={<TextLink to="/token">{t('quickStart.tokens')}</TextLink>}
            >
              <Deferred>
                <CallExample />
              </Deferred>
            </SectionCard>
          </div>
        </div>
      )}
    </>
  );
}

function topLists({ top_models, top_tokens, span }: OwnOverview): TopList[] {
  return [
    {
      key: 'tokens',
      rows: top_tokens.map(({ id, name, quota, previous_quota: before }) => ({
        key: String(id),
        name: name || `#${id}`,
        quota,
        before,
        to: objectPath.token(id),
      })),
    },
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
  ];
}
