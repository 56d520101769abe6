import { useTranslation } from 'react-i18next';
import type { OwnOverview, SystemOverview } from '../../../../core/schemas/overview.ts';
import { useCompactNumber } from '../../state/compact-number.ts';
import { useFormat } from '../../state/format.ts';
import { requestsPath } from '../../state/object-path.ts';
import { forecast } from '../detail/forecast.ts';
import type { UsageSeries } from '../detail/usage-series.ts';
import type { Figure } from './figure-card.tsx';
import type { Period } from './period.ts';

/** What the time adds up to, beside the time before. */
export function useFigures(
  { current, previous, pace }: Pick<SystemOverview, 'current' | 'previous' | 'pace'>,
  { series, period }: { series: UsageSeries; period: Period },
): Figure[] {
  const { t } = useTranslation('overview');
  const format = useFormat();
  const compact = useCompactNumber();
  const { start, end, comparedWith } = period;
  const compared = (key: keyof typeof current) => ({ now: current[key], before: previous[key], with: comparedWith });
  const count = (key: 'requests' | 'tokens' | 'users') => ({
    key,
    text: compact(current[key]),
    exact: format.number(current[key]),
    compared: compared(key),
  });
  return [
    { ...count('requests'), course: series.buckets.map((bucket) => bucket.count), to: requestsPath({ start, end }) },
    {
      key: 'spend',
      text: format.quota(current.quota),
      compared: compared('quota'),
      course: series.buckets.map((bucket) => bucket.quota),
      to: '/detail',
    },
    { ...count('tokens'), course: series.buckets.map((bucket) => bucket.tokens) },
    count('users'),
    {
      key: 'pace',
      text: format.number(pace.rpm),
      hint: t('figure.tokensPerMinute', { tokens: compact(pace.tpm) }),
    },
  ];
}

/** What is left of the own balance, and how long it lasts. */
export function useBalanceFigure({ balance, spent_in_week: spentInWeek }: OwnOverview): Figure {
  const { t } = useTranslation('overview');
  const format = useFormat();
  const { key, days } = forecast({ left: balance, spentInWeek });
  return { key: 'balance', text: format.quota(balance), hint: t(`detail:forecast.${key}`, { days }), to: '/topup' };
}
