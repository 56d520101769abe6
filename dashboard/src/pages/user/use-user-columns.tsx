import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { User } from '../../../../core/schemas/user.ts';
import type { Column } from '../../components/list/column.ts';
import { TextLink } from '../../components/text-link.tsx';
import { When } from '../../components/when.tsx';
import { objectPath } from '../../state/object-path.ts';
import { isGone, Name, Plain, RoleBadge, StatusBadge, UserFigures, UserInvitation } from './user-cell.tsx';

/** The columns of the accounts spec, section 2; what follows the status is there to be chosen. */
export function useUserColumns(): Column<User>[] {
  const { t } = useTranslation('user');
  return useMemo(
    () => [
      {
        key: 'id',
        hiddenBelow: 1200,
        sort: 'id',
        title: t('field.id'),
        grow: 0.2,
        minWidth: 46,
        cell: (user) => <Plain user={user} text={String(user.id)} />,
      },
      {
        key: 'username',
        sort: 'username',
        title: t('field.username'),
        grow: 1.2,
        minWidth: 104,
        isInteractive: true,
        cell: (user) => <Name user={user} />,
      },
      {
        key: 'group',
        sort: 'group',
        title: t('field.group'),
        grow: 0.5,
        minWidth: 72,
        isInteractive: true,
        cell: (user) =>
          isGone(user) ? (
            <Plain user={user} text={user.group} />
          ) : (
            <TextLink to={objectPath.group(user.group)}>{user.group}</TextLink>
          ),
      },
      {
        key: 'stats',
        sort: 'quota',
        title: t('field.stats'),
        grow: 2.6,
        minWidth: 212,
        cell: (user) => <UserFigures user={user} />,
      },
      {
        key: 'invitation',
        hiddenBelow: 1440,
        title: t('field.invitation'),
        grow: 1.2,
        minWidth: 224,
        cell: (user) => <UserInvitation user={user} />,
      },
      {
        key: 'role',
        hiddenBelow: 1200,
        sort: 'role',
        title: t('field.role'),
        grow: 0.4,
        minWidth: 104,
        cell: (user) => <RoleBadge user={user} />,
      },
      {
        key: 'status',
        sort: 'status',
        title: t('field.status'),
        grow: 0.4,
        minWidth: 100,
        cell: (user) => <StatusBadge user={user} />,
      },
      {
        key: 'email',
        title: t('field.email'),
        grow: 1.2,
        minWidth: 150,
        isHidden: true,
        cell: (user) => <Plain user={user} text={user.email || '–'} />,
      },
      {
        key: 'created',
        sort: 'created_time',
        title: t('field.created'),
        minWidth: 100,
        isHidden: true,
        cell: (user) => <When seconds={user.created_time} />,
      },
      {
        key: 'lastLogin',
        sort: 'last_login_time',
        title: t('field.lastLogin'),
        minWidth: 100,
        isHidden: true,
        cell: (user) => <When seconds={user.last_login_time} />,
      },
    ],
    [t],
  );
}
