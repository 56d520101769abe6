import { Chat20Regular } from '@fluentui/react-icons/svg/chat';
import { Copy20Regular } from '@fluentui/react-icons/svg/copy';
import { Delete20Regular } from '@fluentui/react-icons/svg/delete';
import { Edit20Regular } from '@fluentui/react-icons/svg/edit';
import { Eye20Regular } from '@fluentui/react-icons/svg/eye';
import { Play20Regular } from '@fluentui/react-icons/svg/play';
import { Prohibited20Regular } from '@fluentui/react-icons/svg/prohibited';
import { useTranslation } from 'react-i18next';
import type { Token } from '../../../../core/schemas/token.ts';
import { tokenStatus } from '../../../../core/schemas/token-status.ts';
import { usePublicAddress, useStatus } from '../../api/status.ts';
import { useTokenActions } from '../../api/token.ts';
import { useConfirm } from '../../components/feedback/confirm.tsx';
import { useCopy } from '../../components/feedback/copy.tsx';
import { useNotify } from '../../components/feedback/notify.tsx';
import type { RowAction } from '../../components/list/column.ts';
import { chatLinks, filledChatLink } from '../../state/chat-link.ts';

interface TokenRowOptions {
  onView: (token: Token) => void;
  onEdit: (token: Token) => void;
  onRemoved?: () => void;
}

/** What can be done with a token. */
export function useTokenRow({ onView, onEdit, onRemoved = () => {} }: TokenRowOptions) {
  const { t } = useTranslation('token');
  const notify = useNotify();
  const confirm = useConfirm();
  const copy = useCopy();
  const status = useStatus();
  const address = usePublicAddress();
  const { setStatus, remove } = useTokenActions();
  const links = chatLinks(status);

  async function toggle({ id, name, status: before }: Token): Promise<void> {
    const isOn = before === tokenStatus.enabled;
    try {
      await setStatus({ id, status: isOn ? tokenStatus.disabled : tokenStatus.enabled });
      notify.undo(t(isOn ? 'disabled' : 'enabled', { name }), () => {
        setStatus({ id, status: isOn ? tokenStatus.enabled : tokenStatus.disabled }).catch(notify.error);
      });
    } catch (error) {
      notify.error(error);
    }
  }

  async function removeOne({ id, name }: Token): Promise<void> {
    const title = t('remove.title', { name });
    if (!(await confirm({ title, text: t('remove.text'), action: title, isDangerous: true }))) return;
    await remove(id).then(() => {
      notify.success(t('shell:done'));
      onRemoved();
    }, notify.error);
  }

  function openChat({ key }: Token, template: string | undefined): void {
    const link = template === undefined ? undefined : filledChatLink(template, key, address);
    if (link) window.open(link, '_blank', 'noopener,noreferrer');
    else notify.error(t(template === undefined ? 'chat.missing' : 'chat.broken'));
  }

  function chatActions(token: Token): RowAction[] {
    const icon = <Chat20Regular />;
    if (!links || links.length === 0) {
      const onSelect = links ? () => openChat(token, undefined) : () => notify.error(t('chat.unreadable'));
      return [{ key: 'chat', label: t('action.chat'), icon, onSelect }];
    }
    return links.map(({ name, template }) => ({
      key: `chat ${name} ${template}`,
      label: name ? t('action.chatIn', { name }) : t('action.chat'),
      icon,
      isDisabled: token.key === '',
      onSelect: () => openChat(token, template),
    }));
  }

  function actionsOf(token: Token): RowAction[] {
    const isOn = token.status === tokenStatus.enabled;
    const isDisabled = token.key === '';
    return [
      {
        key: 'copy',
        label: t('action.copy'),
        icon: <Copy20Regular />,
        isFrequent: true,
        isDisabled,
        onSelect: () => void copy(`sk-${token.key}`),
      },
      {
        key: 'edit',
        label: t('action.edit'),
        icon: <Edit20Regular />,
        isFrequent: true,
        onSelect: () => onEdit(token),
      },
      { key: 'view', label: t('action.view'), icon: <Eye20Regular />, isDisabled, onSelect: () => onView(token) },
      ...chatActions(token),
      {
        key: 'toggle',
        label: t(isOn ? 'action.disable' : 'action.enable'),
        icon: isOn ? <Prohibited20Regular /> : <Play20Regular />,
        onSelect: () => void toggle(token),
      },
      {
        key: 'remove',
        label: t('action.remove'),
        icon: <Delete20Regular />,
        isDangerous: true,
        onSelect: () => void removeOne(token),
      },
    ];
  }

  return actionsOf;
}
