import { Copy20Regular } from '@fluentui/react-icons/svg/copy';
import { Delete20Regular } from '@fluentui/react-icons/svg/delete';
import { Edit20Regular } from '@fluentui/react-icons/svg/edit';
import { Eye20Regular } from '@fluentui/react-icons/svg/eye';
import { Play20Regular } from '@fluentui/react-icons/svg/play';
import { Prohibited20Regular } from '@fluentui/react-icons/svg/prohibited';
import { useTranslation } from 'react-i18next';
import { type Redemption, redemptionStatus } from '../../../../core/schemas/redemption.ts';
import { useRedemptionActions } from '../../api/redemption.ts';
import { useConfirm } from '../../components/feedback/confirm.tsx';
import { useCopy } from '../../components/feedback/copy.tsx';
import { useNotify } from '../../components/feedback/notify.tsx';
import type { RowAction } from '../../components/list/column.ts';

interface RedemptionRowOptions {
  onView: (redemption: Redemption) => void;
  onEdit: (redemption: Redemption) => void;
}

/** What can be done with a code, and with all that are done with. */
export function useRedemptionRow({ onView, onEdit }: RedemptionRowOptions) {
  const { t } = useTranslation('redemption');
  const notify = useNotify();
  const confirm = useConfirm();
  const copy = useCopy();
  const { setStatus, remove, removeInvalid: clear } = useRedemptionActions();

  async function toggle({ id, name, status: before }: Redemption): Promise<void> {
    const isOn = before === redemptionStatus.unused;
    const [now, then] = isOn ? [redemptionStatus.disabled, before] : [redemptionStatus.unused, before];
    try {
      await setStatus({ id, status: now });
      notify.undo(t(isOn ? 'disabled' : 'enabled', { name }), () => {
        setStatus({ id, status: then }).catch(notify.error);
      });
    } catch (error) {
      notify.error(error);
    }
  }

  async function removeOne({ id, name }: Redemption): Promise<void> {
    const title = t('remove.title', { name });
    if (!(await confirm({ title, text: t('remove.text'), action: title, isDangerous: true }))) return;
    await remove(id).then(() => notify.success(t('shell:done')), notify.error);
  }

  async function removeInvalid(): Promise<void> {
    const isSure = await confirm({
      title: t('clear.title'),
      text: t('clear.text'),
      action: t('clear.action'),
      word: t('clear.word'),
      isDangerous: true,
    });
    if (!isSure) return;
    await clear().then((count) => notify.success(t('clear.done', { count })), notify.error);
  }

  function actionsOf(redemption: Redemption): RowAction[] {
    const { status, key } = redemption;
    const isOn = status === redemptionStatus.unused;
    return [
      {
        key: 'copy',
        label: t('action.copy'),
        icon: <Copy20Regular />,
        isFrequent: true,
        isDisabled: key === '',
        onSelect: () => void copy(key),
      },
      {
        key: 'edit',
        label: t('action.edit'),
        icon: <Edit20Regular />,
        isFrequent: true,
        // Operations spec, section 2: only what is unused may change.
        isDisabled: !isOn,
        onSelect: () => onEdit(redemption),
      },
      { key: 'view', label: t('action.view'), icon: <Eye20Regular />, onSelect: () => onView(redemption) },
      {
        key: 'toggle',
        label: t(isOn ? 'action.disable' : 'action.enable'),
        icon: isOn ? <Prohibited20Regular /> : <Play20Regular />,
        isDisabled: status === redemptionStatus.used,
        onSelect: () => void toggle(redemption),
      },
      {
        key: 'remove',
        label: t('action.remove'),
        icon: <Delete20Regular />,
        isDangerous: true,
        onSelect: () => void removeOne(redemption),
      },
    ];
  }

  return { actionsOf, removeInvalid };
}
