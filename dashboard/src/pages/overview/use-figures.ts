import { useTranslation } from 'react-i18next';
import { logType } from '../../../../core/schemas/log-type.ts';
import type { OwnOverview, SystemOverview } from '../../../../core/schemas/overview.ts';
import { useCompactNumber } from '../../state/compact-number.ts';
import { useFormat } from '../../state/format.ts';
import { type LogSelection, requestsPath } from '../../state/object-path.ts';
import { forecast } from '../detail/forecast.ts';
import { latencySeries } from '../detail/latency-series.ts';
import { type OutcomeBucket, outcomeSeries, totalOf } from '../detail/outcome-series.ts';
import { isSoFar, type UsageSeries } from '../detail/usage-series.ts';
import type { Figure } from './figure-card.tsx';
import type { Period } from './period.ts';
import { useDuration } from './use-duration.ts';

type FiguresOf = Pick<
  SystemOverview,
  ('current' | 'previous' | 'pace' | 'previous_pace' | 'latency' | 'previous_latency') | ('outcomes' | 'latencies')
>;

/** What the time adds up to, beside the time before. */
export function useFigures(
  {
    current,
    previous,
    pace,
    previous_pace: paceBefore,
    latency,
    previous_latency: before,
    outcomes,
    latencies,
  }: FiguresOf,
  { series, period, selection = {} }: { series: UsageSeries; period: Period; selection?: LogSelection },
): Figure[] {
  const { t } = useTranslation('overview');
  const format = useFormat();
  const compact = useCompactNumber();
  const { start, end, comparedWith } = period;
  const isWhole = Object.keys(selection).length === 0;
  const duration = useDuration();
  const speeds = latencySeries(latencies, series.buckets);
  const compared = (key: keyof typeof current) => ({ now: current[key], before: previous[key], with: comparedWith });
  const growing = { isSoFar: series.buckets.slice(-1).some(isSoFar) };
  const count = (key: 'requests' | 'tokens' | 'users') => ({
    key,
    text: compact(current[key]),
    exact: format.number(current[key]),
    compared: compared(key),
  });
  return [
    {
      ...count('requests'),
      course: series.buckets.map((bucket) => bucket.count),
      ...growing,
      to: requestsPath({ ...selection, start, end }),
    },
    {
      key: 'spend',
      text: format.quota(current.quota),
      compared: compared('quota'),
      course: series.buckets.map((bucket) => bucket.quota),
      ...growing,
      ...(isWhole && { to: '/detail' }),
    },
    {
      key: 'failed',
      text: format.percent(failureShare(current)),
      exact: format.number(current.failed),
      compared: { now: failureShare(current), before: failureShare(previous), with: comparedWith, isShare: true },
      course: outcomeSeries(outcomes, series.buckets).map(failedShareOf),
      to: requestsPath(selection, logType.error),
    },
    ...(latency.first_p50 === null
      ? []
      : [
          {
            key: 'firstToken',
            text: duration(latency.first_p50),
            compared: { now: latency.first_p50, before: before.first_p50 ?? 0, with: comparedWith },
            hint: t('figure.p95', { time: duration(latency.first_p95 ?? 0) }),
            course: withoutGaps(speeds.map((bucket) => bucket.first_p50)),
          },
        ]),
    ...(latency.p50 === null
      ? []
      : [
          {
            key: 'duration',
            text: duration(latency.p50),
            compared: { now: latency.p50, before: before.p50 ?? 0, with: comparedWith },
            hint: t('figure.p95', { time: duration(latency.p95 ?? 0) }),
            course: withoutGaps(speeds.map((bucket) => bucket.p50)),
          },
        ]),
    { ...count('tokens'), course: series.buckets.map((bucket) => bucket.tokens), ...growing },
    count('users'),
    {
      key: 'pace',
      text: format.number(pace.rpm),
      compared: { now: pace.rpm, before: paceBefore.rpm, with: comparedWith },
      hint: t('figure.tokensPerMinute', { tokens: compact(pace.tpm) }),
    },
  ];
}

/** What is left of the own balance, and how long it lasts. */
export function useBalanceFigure({ balance, spent_in_week: spentInWeek }: OwnOverview): Figure {
  const { t } = useTranslation('overview');
  const format = useFormat();
  const { key, days } = forecast({ left: balance, spentInWeek });
  return {
    key: 'balance',
    text: format.quota(balance),
    hint: t(`detail:forecast.${key}`, { days, count: days }),
    to: '/topup',
  };
}

/** Of all requests, paid or not. */
function failureShare({ requests, failed }: { requests: number; failed: number }): number {
  return requests + failed > 0 ? failed / (requests + failed) : 0;
}

function failedShareOf(bucket: OutcomeBucket): number {
  const total = totalOf(bucket);
  return total > 0 ? (bucket.refused + bucket.failed) / total : 0;
}

/** A time without requests was neither fast nor slow: the line goes on where it was. */
function withoutGaps(values: (number | null)[]): number[] {
  const known = values.findIndex((value) => value !== null);
  if (known < 0) return [];
  let last = values[known] ?? 0;
  return values.slice(known).map((value) => {
    last = value ?? last;
    return last;
  });
}
