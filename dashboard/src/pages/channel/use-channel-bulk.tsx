import { Tag20Regular } from '@fluentui/react-icons/svg/tag';
import { useTranslation } from 'react-i18next';
import type { Channel } from '../../../../core/schemas/channel.ts';
import { channelStatus } from '../../../../core/schemas/channel-status.ts';
import { type ChannelRow, isGroup, useChannelActions } from '../../api/channel.ts';
import { useNotify } from '../../components/feedback/notify.tsx';
import type { BulkAction } from '../../components/list/column.ts';
import { useBulk } from '../../components/list/use-bulk.tsx';

/** What can be done with all channels that are marked; a marked tag stands for its channels. */
export function useChannelBulk({ onSetTag }: { onSetTag: (channels: Channel[]) => void }): BulkAction<ChannelRow>[] {
  const { t } = useTranslation('channel');
  const notify = useNotify();
  const { setStatusOf, removeMany } = useChannelActions();
  const { enable, disable, remove } = useBulk<Channel>({
    texts: {
      enable: t('bulk.enable'),
      disable: t('bulk.disable'),
      remove: t('bulk.remove'),
      none: t('select.any'),
      noneToRemove: t('select.toRemove'),
      switched: (isOn, count) => t(isOn ? 'done.manyEnabled' : 'done.manyDisabled', { count }),
      removeTitle: (count) => t('removeMany.title', { count }),
      removeText: t('remove.text'),
      word: t('removeMany.word'),
      removed: (count) => t('done.removed', { count }),
    },
    isOn: ({ status }) => status === channelStatus.enabled,
    isOff: ({ status }) => status === channelStatus.disabled,
    switchAll: (ids, isOn) => setStatusOf({ ids, status: isOn ? channelStatus.enabled : channelStatus.disabled }),
    removeAll: removeMany,
  });
  const ofChannels = (action: BulkAction<Channel>): BulkAction<ChannelRow> => ({
    ...action,
    onSelect: (rows) => action.onSelect(channelsOf(rows)),
  });

  return [
    ...[enable, disable].map(ofChannels),
    {
      key: 'tag',
      label: t('bulk.tag'),
      icon: <Tag20Regular />,
      onSelect(rows) {
        const marked = channelsOf(rows);
        if (marked.length === 0) notify.error(t('select.toTag'));
        else onSetTag(marked);
      },
    },
    ofChannels(remove),
  ];
}

function channelsOf(rows: ChannelRow[]): Channel[] {
  const channels = rows.flatMap((row) => (isGroup(row) ? row.channels : [row]));
  return [...new Map(channels.map((channel) => [channel.id, channel])).values()];
}
