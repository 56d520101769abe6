import { Delete20Regular } from '@fluentui/react-icons/svg/delete';
import { Play20Regular } from '@fluentui/react-icons/svg/play';
import { Prohibited20Regular } from '@fluentui/react-icons/svg/prohibited';
import { Tag20Regular } from '@fluentui/react-icons/svg/tag';
import { useTranslation } from 'react-i18next';
import { type Channel, channelStatus } from '../../../../core/schemas/channel.ts';
import { type ChannelRow, isGroup, useChannelActions } from '../../api/channel.ts';
import { useConfirm } from '../../components/feedback/confirm.tsx';
import { useNotify } from '../../components/feedback/notify.tsx';
import type { BulkAction } from '../../components/list/column.ts';
import { wayBack } from './use-channel-row.tsx';

/** What can be done with all channels that are marked; a marked tag stands for its channels. */
export function useChannelBulk({ onSetTag }: { onSetTag: (channels: Channel[]) => void }): BulkAction<ChannelRow>[] {
  const { t } = useTranslation('channel');
  const notify = useNotify();
  const confirm = useConfirm();
  const { setStatusOf, removeMany } = useChannelActions();

  async function setAll(marked: Channel[], status: 1 | 2): Promise<void> {
    const changed = marked.filter((channel) => channel.status !== status);
    if (marked.length === 0) return notify.error(t('select.any'));
    if (changed.length === 0) return notify.warning(t('shell:form.unchanged'));
    const isOn = status === channelStatus.enabled;
    try {
      await setStatusOf({ ids: changed.map(({ id }) => id), status });
      notify.undo(t(isOn ? 'done.manyEnabled' : 'done.manyDisabled', { count: changed.length }), () => {
        setStatusOf(wayBack(changed, status)).catch(notify.error);
      });
    } catch (error) {
      notify.error(error);
    }
  }

  async function removeAll(marked: Channel[]): Promise<void> {
    if (marked.length === 0) return notify.error(t('select.toRemove'));
    const isSure = await confirm({
      title: t('removeMany.title', { count: marked.length }),
      text: t('remove.text'),
      action: t('bulk.remove'),
      word: t('removeMany.word'),
      isDangerous: true,
    });
    if (!isSure) return;
    const ids = marked.map(({ id }) => id);
    await removeMany(ids).then((count) => notify.success(t('done.removed', { count })), notify.error);
  }

  return [
    {
      key: 'enable',
      label: t('bulk.enable'),
      icon: <Play20Regular />,
      onSelect: (rows) => void setAll(channelsOf(rows), channelStatus.enabled),
    },
    {
      key: 'disable',
      label: t('bulk.disable'),
      icon: <Prohibited20Regular />,
      onSelect: (rows) => void setAll(channelsOf(rows), channelStatus.disabled),
    },
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
    {
      key: 'remove',
      label: t('bulk.remove'),
      icon: <Delete20Regular />,
      onSelect: (rows) => void removeAll(channelsOf(rows)),
    },
  ];
}

function channelsOf(rows: ChannelRow[]): Channel[] {
  const channels = rows.flatMap((row) => (isGroup(row) ? row.channels : [row]));
  return [...new Map(channels.map((channel) => [channel.id, channel])).values()];
}
