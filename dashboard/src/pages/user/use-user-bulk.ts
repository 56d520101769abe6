import { useTranslation } from 'react-i18next';
import { type User, userStatus } from '../../../../core/schemas/user.ts';
import { useUserActions } from '../../api/user.ts';
import type { BulkAction } from '../../components/list/column.ts';
import { useBulk } from '../../components/list/use-bulk.tsx';

/** What can be done with all accounts that are marked; the server says of which one it may not be done. */
export function useUserBulk(): BulkAction<User>[] {
  const { t } = useTranslation('user');
  const { manageMany } = useUserActions();
  const { enable, disable, remove } = useBulk<User>({
    texts: {
      enable: t('bulk.enable'),
      disable: t('bulk.disable'),
      remove: t('bulk.remove'),
      none: t('bulk.none'),
      switched: (isOn, count) => t(isOn ? 'bulk.enabled' : 'bulk.disabled', { count }),
      removeTitle: (count) => t('bulk.removeTitle', { count }),
      removeText: t('bulk.removeText'),
      word: t('bulk.word'),
      removed: (count) => t('bulk.removed', { count }),
    },
    isOn: ({ status }) => status === userStatus.enabled,
    isOff: ({ status }) => status !== userStatus.enabled,
    switchAll: (ids, isOn) => manageMany({ ids, action: isOn ? 'enable' : 'disable' }),
    removeAll: (ids) => manageMany({ ids, action: 'delete' }),
  });
  return [enable, disable, remove];
}
