import { Beaker20Regular } from '@fluentui/react-icons/svg/beaker';
import { Copy20Regular } from '@fluentui/react-icons/svg/copy';
import { Delete20Regular } from '@fluentui/react-icons/svg/delete';
import { Edit20Regular } from '@fluentui/react-icons/svg/edit';
import { Flash20Regular } from '@fluentui/react-icons/svg/flash';
import { Key20Regular } from '@fluentui/react-icons/svg/key';
import { Money20Regular } from '@fluentui/react-icons/svg/money';
import { Play20Regular } from '@fluentui/react-icons/svg/play';
import { Prohibited20Regular } from '@fluentui/react-icons/svg/prohibited';
import { useTranslation } from 'react-i18next';
import type { Channel } from '../../../../core/schemas/channel.ts';
import { channelStatus } from '../../../../core/schemas/channel-status.ts';
import {
  type ChannelRow,
  isGroup,
  refreshChannels,
  type TagGroup,
  testChannel,
  useChannelActions,
} from '../../api/channel.ts';
import { useConfirm } from '../../components/feedback/confirm.tsx';
import { useNotify } from '../../components/feedback/notify.tsx';
import type { RowAction } from '../../components/list/column.ts';
import { useFormat } from '../../state/format.ts';
import { isRoot, sessionUser } from '../../state/session.ts';

interface ChannelRowOptions {
  onEdit: (channel: Channel) => void;
  onEditTag: (group: TagGroup) => void;
  onTestModels: (channel: Channel) => void;
  onShowKey: (channel: Channel) => void;
  onRemoved?: () => void;
}

/** What can be done with a channel, and with a tag. */
export function useChannelRow({ onEdit, onEditTag, onTestModels, onShowKey, onRemoved }: ChannelRowOptions) {
  const { t } = useTranslation('channel');
  const notify = useNotify();
  const confirm = useConfirm();
  const test = useTestOne();
  const format = useFormat();
  const isOwner = isRoot(sessionUser.use());
  const { update, setStatusOf, copy, remove, updateBalance, setTagStatus } = useChannelActions();

  async function toggle({ id, name, status }: Channel): Promise<void> {
    const isOn = status === channelStatus.enabled;
    const set = (isWanted: boolean) =>
      update({ id, status: isWanted ? channelStatus.enabled : channelStatus.disabled });
    try {
      await set(!isOn);
      notify.undo(t(isOn ? 'done.disabled' : 'done.enabled', { name }), () => {
        set(isOn).catch(notify.error);
      });
    } catch (error) {
      notify.error(error);
    }
  }

  async function copyOne({ id }: Channel): Promise<void> {
    try {
      await copy(id);
      notify.success(t('done.copied'));
    } catch (error) {
      notify.error(t('copyFailed', { reason: error instanceof Error ? error.message : String(error) }));
    }
  }

  async function readBalance({ id, name }: Channel): Promise<void> {
    await updateBalance(id).then(
      (balance) => notify.success(t('done.balance', { name, balance: format.dollars(balance) })),
      notify.error,
    );
  }

  async function removeOne({ id, name }: Channel): Promise<void> {
    const title = t('remove.title', { name });
    if (!(await confirm({ title, text: t('remove.text'), action: title, isDangerous: true }))) return;
    await remove(id).then(() => {
      notify.success(t('shell:done'));
      onRemoved?.();
    }, notify.error);
  }

  async function setAll({ tag, channels }: TagGroup, isOn: boolean): Promise<void> {
    const wanted = isOn ? channelStatus.enabled : channelStatus.disabled;
    const changed = channels.filter(({ status }) => status !== wanted);
    try {
      await setTagStatus({ tag, isOn });
      notify.undo(t(isOn ? 'done.tagEnabled' : 'done.tagDisabled', { tag }), () => {
        setStatusOf(wayBack(changed, wanted)).catch(notify.error);
      });
    } catch (error) {
      notify.error(error);
    }
  }

  function ofGroup(group: TagGroup): RowAction[] {
    return [
      {
        key: 'edit',
        label: t('action.editTag'),
        icon: <Edit20Regular />,
        isFrequent: true,
        onSelect: () => onEditTag(group),
      },
      {
        key: 'enable',
        label: t('action.enableAll'),
        icon: <Play20Regular />,
        onSelect: () => void setAll(group, true),
      },
      {
        key: 'disable',
        label: t('action.disableAll'),
        icon: <Prohibited20Regular />,
        onSelect: () => void setAll(group, false),
      },
    ];
  }

  function ofChannel(channel: Channel): RowAction[] {
    const isOn = channel.status === channelStatus.enabled;
    return [
      {
        key: 'test',
        label: t('action.test'),
        icon: <Flash20Regular />,
        isFrequent: true,
        onSelect: () => void test(channel),
      },
      {
        key: 'edit',
        label: t('action.edit'),
        icon: <Edit20Regular />,
        isFrequent: true,
        onSelect: () => onEdit(channel),
      },
      {
        key: 'models',
        label: t('action.testModels'),
        icon: <Beaker20Regular />,
        onSelect: () => onTestModels(channel),
      },
      {
        key: 'toggle',
        label: t(isOn ? 'action.disable' : 'action.enable'),
        icon: isOn ? <Prohibited20Regular /> : <Play20Regular />,
        onSelect: () => void toggle(channel),
      },
      { key: 'copy', label: t('action.copy'), icon: <Copy20Regular />, onSelect: () => void copyOne(channel) },
      {
        key: 'balance',
        label: t('action.balance'),
        icon: <Money20Regular />,
        onSelect: () => void readBalance(channel),
      },
      ...(isOwner
        ? [{ key: 'key', label: t('action.showKey'), icon: <Key20Regular />, onSelect: () => onShowKey(channel) }]
        : []),
      {
        key: 'remove',
        label: t('action.remove'),
        icon: <Delete20Regular />,
        isDangerous: true,
        onSelect: () => void removeOne(channel),
      },
    ];
  }

  return { actionsOf: (row: ChannelRow) => (isGroup(row) ? ofGroup(row) : ofChannel(row)) };
}

/** What takes a switch of several channels back; one that had gone off by itself stays off. */
export function wayBack(changed: Channel[], status: 1 | 2): { ids: number[]; status: 1 | 2 } {
  const isOn = status === channelStatus.enabled;
  const wereOn = changed.filter((channel) => channel.status === channelStatus.enabled);
  return {
    ids: (isOn ? changed : wereOn).map(({ id }) => id),
    status: isOn ? channelStatus.disabled : channelStatus.enabled,
  };
}

/** One tiny call, and a word on how it went. */
export function useTestOne(): (channel: Pick<Channel, 'id' | 'name'>) => Promise<void> {
  const { t } = useTranslation('channel');
  const notify = useNotify();
  const format = useFormat();
  return async ({ id, name }) => {
    try {
      const seconds = format.number(Math.round((await testChannel(id)) * 100) / 100);
      notify.success(t('done.tested', { name, seconds }));
    } catch (error) {
      notify.error(t('testFailed', { name, reason: error instanceof Error ? error.message : String(error) }));
    } finally {
      void refreshChannels();
    }
  };
}
