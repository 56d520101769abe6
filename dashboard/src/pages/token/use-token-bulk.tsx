import { Copy20Regular } from '@fluentui/react-icons/svg/copy';
import { useTranslation } from 'react-i18next';
import type { Token } from '../../../../core/schemas/token.ts';
import { tokenStatus } from '../../../../core/schemas/token-status.ts';
import { useTokenActions } from '../../api/token.ts';
import { useCopy } from '../../components/feedback/copy.tsx';
import { useNotify } from '../../components/feedback/notify.tsx';
import type { BulkAction } from '../../components/list/column.ts';
import { useBulk } from '../../components/list/use-bulk.tsx';

/** What can be done with all tokens that are marked. */
export function useTokenBulk(): BulkAction<Token>[] {
  const { t } = useTranslation('token');
  const notify = useNotify();
  const copy = useCopy();
  const { setStatusOf, removeMany } = useTokenActions();
  const { enable, disable, remove } = useBulk<Token>({
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
    isOn: ({ status }) => status === tokenStatus.enabled,
    isOff: ({ status }) => status === tokenStatus.disabled,
    switchAll: (ids, isOn) => setStatusOf({ ids, status: isOn ? tokenStatus.enabled : tokenStatus.disabled }),
    removeAll: removeMany,
  });

  async function copyKeys(marked: Token[]): Promise<void> {
    if (marked.length === 0) return notify.error(t('selectFirst'));
    await copy(marked.map(({ name, key, key_problem }) => `${name}\t${key_problem ?? `sk-${key}`}`).join('\n'));
  }

  return [
    { key: 'copy', label: t('copySelected'), icon: <Copy20Regular />, onSelect: (rows) => void copyKeys(rows) },
    enable,
    disable,
    remove,
  ];
}
