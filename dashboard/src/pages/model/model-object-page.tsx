import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router-dom';
import type { ObjectOverview } from '../../../../core/schemas/overview.ts';
import { useObjectOverview } from '../../api/overview.ts';
import { idlePollMs, sharedPollMs } from '../../api/retry.ts';
import { ButtonLink } from '../../components/button-link.tsx';
import { lazyTab } from '../../components/object/lazy-tab.ts';
import { ObjectPage, type ObjectTab } from '../../components/object/object-page.tsx';
import { StateLine, type StateTone } from '../../components/object/state-mark.tsx';
import { isAdmin, sessionUser } from '../../state/session.ts';
import { ChannelCard } from '../overview/channel-card.tsx';
import { ObjectOverviewTab } from '../overview/object-overview.tsx';
import { periodOf } from '../overview/period.ts';

const Requests = lazyTab(['log'], async () => (await import('../log/object-requests.tsx')).ObjectRequests);
const Health = lazyTab(['health'], async () => (await import('../channel/health-card.tsx')).HealthCard);
const Limits = lazyTab(['limit'], async () => (await import('../limit/limit-card.tsx')).LimitCard);
const Price = lazyTab(['pricing'], async () => (await import('./model-price-tab.tsx')).ModelPriceTab);

/** As the first tab asks without a choice, so that both share a reading. */
const today = { range: 'today', start: '', end: '', unit: '', compare: '' };

/** One model: who serves it, what it costs, what it was used for. Users see their own requests. */
export function ModelObjectPage() {
  const { t } = useTranslation('model');
  const admin = isAdmin(sessionUser.use());
  // The rest of the path: names contain slashes.
  const name = useParams()['*'] ?? '';
  const choice = { filters: today, periodOf: () => periodOf(today) };
  const isHealth = useSearchParams()[0].get('tab') === 'health';
  const everyMs = isHealth ? sharedPollMs : idlePollMs;
  const { data, error } = useObjectOverview({ kind: 'model', name }, choice, everyMs);
  const tabs: ObjectTab[] = [
    {
      key: 'overview',
      text: t('tab.overview'),
      content: () => (
        <ObjectOverviewTab
          object={{ kind: 'model', name }}
          selection={{ model_name: name }}
          {...(admin && { below: channelsOf })}
        />
      ),
    },
    ...(admin ? [{ key: 'health', text: t('tab.health'), content: () => <Health of={{ model: name }} /> }] : []),
    ...(admin
      ? [
          {
            key: 'limits',
            text: t('tab.limits'),
            content: () => <Limits of={{ kind: 'model', subject: name, name }} />,
          },
        ]
      : []),
    { key: 'price', text: t('tab.price'), content: () => <Price model={name} /> },
    { key: 'requests', text: t('tab.requests'), content: () => <Requests model_name={name} /> },
  ];
  return (
    <ObjectPage
      list={{ text: t('list'), to: '/pricing' }}
      name={name}
      state={admin && data && <ModelState channels={data.channels} />}
      action={
        admin ? (
          <ButtonLink to={`/explain?model=${encodeURIComponent(name)}`}>{t('explain')}</ButtonLink>
        ) : (
          <ButtonLink to="/playground">{t('try')}</ButtonLink>
        )
      }
      tabs={tabs}
      isReady={data !== undefined || error !== null}
    />
  );
}

const channelsOf = ({ channels, channel_states }: ObjectOverview) => (
  <ChannelCard channels={channels} states={channel_states} isPart />
);

/** Served as long as one channel is on; green only when one was proven to work. */
function ModelState({ channels }: Pick<ObjectOverview, 'channels'>) {
  const { t } = useTranslation('model');
  const count = (state: string) => channels.filter((channel) => channel.state === state).length;
  const on = channels.length - count('off');
  const working = count('working') + count('slow');
  const state = on === 0 ? 'none' : working > 0 ? 'working' : count('failing') === on ? 'failing' : 'unknown';
  const tones: Record<typeof state, StateTone> = {
    none: 'off',
    working: 'good',
    failing: 'danger',
    unknown: 'unknown',
  };
  return (
    <StateLine tone={tones[state]} word={t(`state.${state}`)}>
      {t(`condition.${state}`, { working, on })}
    </StateLine>
  );
}
