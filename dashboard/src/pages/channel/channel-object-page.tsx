import { Button } from '@fluentui/react-components';
import { Flash20Regular } from '@fluentui/react-icons/svg/flash';
import { Play20Regular } from '@fluentui/react-icons/svg/play';
import { Prohibited20Regular } from '@fluentui/react-icons/svg/prohibited';
import { Fragment, lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams, useSearchParams } from 'react-router-dom';
import type { Channel } from '../../../../core/schemas/channel.ts';
import { channelStatus } from '../../../../core/schemas/channel-status.ts';
import { useChannel } from '../../api/channel.ts';
import { idlePollMs, sharedPollMs } from '../../api/retry.ts';
import { LoadError } from '../../components/feedback/load-error.tsx';
import { lazyTab } from '../../components/object/lazy-tab.ts';
import { ObjectPage, type ObjectTab } from '../../components/object/object-page.tsx';
import { WaitingSkeleton } from '../../components/object/waiting-skeleton.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { objectPath } from '../../state/object-path.ts';
import { ObjectOverviewTab } from '../overview/object-overview.tsx';
import { ChannelStateLine } from './channel-state-line.tsx';
import { useTypeName } from './channel-type.ts';
import { useChannelRow } from './use-channel-row.tsx';

const Requests = lazyTab(['log'], async () => (await import('../log/object-requests.tsx')).ObjectRequests);
const History = lazyTab(['audit'], async () => (await import('../audit/object-history.tsx')).ObjectHistory);
const Health = lazyTab(['health'], async () => (await import('./health-card.tsx')).HealthCard);
const Models = lazy(async () => ({ default: (await import('./channel-models-tab.tsx')).ChannelModelsTab }));
const Keys = lazy(async () => ({ default: (await import('./channel-keys-tab.tsx')).ChannelKeysTab }));
const Settings = lazy(async () => ({ default: (await import('./channel-editor.tsx')).ChannelSettings }));
const ModelTestDialog = lazy(async () => ({ default: (await import('./model-test-dialog.tsx')).ModelTestDialog }));
const KeyDialog = lazy(async () => ({ default: (await import('./channel-key-dialog.tsx')).ChannelKeyDialog }));

/** One upstream account: how it is doing, what it serves, and everything that is set. */
export function ChannelObjectPage() {
  const { t } = useTranslation('channel');
  const { id: named } = useParams();
  const id = Number(named);
  const { data: channel, error, refetch } = useChannel(id);
  const typeName = useTypeName();
  const [panel, setPanel] = useState<'models' | 'key'>();
  const [search, setSearch] = useSearchParams();
  const stateMs = search.get('tab') === 'health' ? sharedPollMs : idlePollMs;
  const navigate = useNavigate();
  const { actionsOf } = useChannelRow({
    onEdit: () => setSearch({ tab: 'settings' }),
    onEditTag: () => {},
    onTestModels: () => setPanel('models'),
    onShowKey: () => setPanel('key'),
    onRemoved: () => void navigate('/channel'),
  });
  const actions = channel ? actionsOf(channel) : [];
  const isOff = channel !== undefined && channel.status !== channelStatus.enabled;
  const first = actions.find(({ key }) => key === (isOff ? 'toggle' : 'test'));
  // The list of what needs attention leads here: a broken channel is switched off at once.
  const toggle = isOff ? undefined : actions.find(({ key }) => key === 'toggle');
  return (
    <>
      <ObjectPage
        list={{ text: t('title'), to: '/channel' }}
        name={channel?.name ?? `#${named}`}
        facts={
          channel && (
            <>
              {[`#${id}`, typeName(channel.type), channel.tag].filter(Boolean).join(' · ')}
              {namesIn(channel.group).map((name) => (
                <Fragment key={name}>
                  {' · '}
                  <TextLink to={objectPath.group(name)}>{name}</TextLink>
                </Fragment>
              ))}
            </>
          )
        }
        state={channel && <ChannelStateLine channel={channel} everyMs={stateMs} />}
        action={
          first && (
            <>
              {toggle && (
                <Button icon={<Prohibited20Regular />} onClick={toggle.onSelect}>
                  {toggle.label}
                </Button>
              )}
              <Button
                appearance="primary"
                icon={isOff ? <Play20Regular /> : <Flash20Regular />}
                onClick={first.onSelect}
              >
                {first.label}
              </Button>
            </>
          )
        }
        menu={actions.filter((one) => one !== first && one !== toggle)}
        tabs={channel ? tabsOf(channel, t) : []}
        isReady={channel !== undefined || error !== null}
        {...(!channel && {
          failure: error ? <LoadError error={error} onRetry={() => void refetch()} /> : <WaitingSkeleton />,
        })}
      />
      <Suspense fallback={null}>
        {channel && panel === 'models' && <ModelTestDialog channel={channel} onClose={() => setPanel(undefined)} />}
        {channel && panel === 'key' && <KeyDialog channel={channel} onClose={() => setPanel(undefined)} />}
      </Suspense>
    </>
  );
}

const namesIn = (group: string): string[] => [...new Set(group.split(',').filter(Boolean))];

function tabsOf(channel: Channel, t: (key: string) => string): ObjectTab[] {
  const { id } = channel;
  return [
    {
      key: 'overview',
      text: t('tab.overview'),
      content: () => <ObjectOverviewTab object={{ kind: 'channel', id }} selection={{ channel: id }} />,
    },
    { key: 'health', text: t('tab.health'), content: () => <Health of={{ channel_id: id }} /> },
    { key: 'requests', text: t('tab.requests'), content: () => <Requests channel={String(id)} /> },
    { key: 'models', text: t('tab.models'), content: () => <Models channel={channel} /> },
    { key: 'keys', text: t('tab.keys'), content: () => <Keys channel={channel} /> },
    {
      key: 'settings',
      text: t('tab.settings'),
      content: () => <Settings channel={channel} />,
    },
    { key: 'history', text: t('tab.history'), content: () => <History kind="channel" id={String(id)} /> },
  ];
}
