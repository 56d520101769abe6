import { Delete20Regular } from '@fluentui/react-icons/svg/delete';
import { Edit20Regular } from '@fluentui/react-icons/svg/edit';
import { Play20Regular } from '@fluentui/react-icons/svg/play';
import { Prohibited20Regular } from '@fluentui/react-icons/svg/prohibited';
import { useTranslation } from 'react-i18next';
import type { Limit } from '../../../../core/schemas/limit.ts';
import { useLimitActions } from '../../api/limit.ts';
import { useConfirm } from '../../components/feedback/confirm.tsx';
import { useNotify } from '../../components/feedback/notify.tsx';
import type { RowAction } from '../../components/list/column.ts';
import { useLimitText } from './use-limit-text.ts';

/** What can be done with a limit, wherever it is shown. */
export function useLimitRow(onEdit: (limit: Limit) => void): (limit: Limit) => RowAction[] {
  const { t } = useTranslation('limit');
  const notify = useNotify();
  const confirm = useConfirm();
  const { whole } = useLimitText();
  const { update, remove } = useLimitActions();

  async function toggle(limit: Limit): Promise<void> {
    const { id, enabled } = limit;
    try {
      await update({ id, enabled: !enabled });
      notify.undo(t(enabled ? 'disabled' : 'enabled', { name: whole(limit) }), () => {
        update({ id, enabled }).catch(notify.error);
      });
    } catch (error) {
      notify.error(error);
    }
  }

  async function removeOne(limit: Limit): Promise<void> {
    const title = t('remove.title', { name: whole(limit) });
    if (!(await confirm({ title, text: t('remove.text'), action: t('remove.action'), isDangerous: true }))) return;
    await remove(limit.id).then(() => notify.success(t('shell:done')), notify.error);
  }

  return (limit) => [
    {
      key: 'edit',
      label: t('action.edit'),
      icon: <Edit20Regular />,
      isFrequent: true,
      onSelect: () => onEdit(limit),
    },
    {
      key: 'toggle',
      label: t(limit.enabled ? 'action.disable' : 'action.enable'),
      icon: limit.enabled ? <Prohibited20Regular /> : <Play20Regular />,
      onSelect: () => void toggle(limit),
    },
    {
      key: 'remove',
      label: t('action.remove'),
      icon: <Delete20Regular />,
      isDangerous: true,
      onSelect: () => void removeOne(limit),
    },
  ];
}
