import { Copy20Regular } from '@fluentui/react-icons/svg/copy';
import { useTranslation } from 'react-i18next';
import { type Redemption, redemptionStatus } from '../../../../core/schemas/redemption.ts';
import { useRedemptionActions } from '../../api/redemption.ts';
import { useCopy } from '../../components/feedback/copy.tsx';
import { useNotify } from '../../components/feedback/notify.tsx';
import type { BulkAction } from '../../components/list/column.ts';
import { useBulk } from '../../components/list/use-bulk.tsx';

/** What can be done with all codes that are marked. */
export function useRedemptionBulk(): BulkAction<Redemption>[] {
  const { t } = useTranslation('redemption');
  const notify = useNotify();
  const copy = useCopy();
  const { setStatusOf, removeMany } = useRedemptionActions();
  const { enable, disable, remove } = useBulk<Redemption>({
    texts: {
      enable: t('bulk.enable'),
      disable: t('bulk.disable'),
      remove: t('bulk.remove'),
      none: t('selectFirst'),
      switched: (isOn, count) => t(isOn ? 'bulk.enabled' : 'bulk.disabled', { count }),
      removeTitle: (count) => t('bulk.removeTitle', { count }),
      removeText: t('remove.text'),
      word: t('bulk.word'),
      removed: (count) => t('bulk.removed', { count }),
    },
    isOn: ({ status }) => status === redemptionStatus.unused,
    isOff: ({ status }) => status === redemptionStatus.disabled,
    switchAll: (ids, isOn) => setStatusOf({ ids, status: isOn ? redemptionStatus.unused : redemptionStatus.disabled }),
    removeAll: removeMany,
  });

  async function copyCodes(marked: Redemption[]): Promise<void> {
    if (marked.length === 0) return notify.error(t('selectFirst'));
    await copy(marked.map(({ name, key, key_problem }) => `${name}\t${key_problem ?? key}`).join('\n'));
  }

  return [
    { key: 'copy', label: t('copySelected'), icon: <Copy20Regular />, onSelect: (rows) => void copyCodes(rows) },
    enable,
    disable,
    remove,
  ];
}
