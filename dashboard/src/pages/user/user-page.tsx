import { Button } from '@fluentui/react-components';
import { People20Regular } from '@fluentui/react-icons/svg/people';
import { PersonAdd20Regular } from '@fluentui/react-icons/svg/person-add';
import { Search20Regular } from '@fluentui/react-icons/svg/search';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import type { User } from '../../../../core/schemas/user.ts';
import { useGroupNames } from '../../api/group.ts';
import { listUsers } from '../../api/user.ts';
import { SelectFilter } from '../../components/list/filter.tsx';
import { ListPage } from '../../components/list/list-page.tsx';
import { SearchFilter } from '../../components/list/search-filter.tsx';
import { useList } from '../../components/list/use-list.ts';
import { objectPath } from '../../state/object-path.ts';
import { useUserBulk } from './use-user-bulk.ts';
import { useUserColumns } from './use-user-columns.tsx';
import { useUserRow } from './use-user-row.tsx';
import { UserBalance, UserState } from './user-cell.tsx';

const CreditDrawer = lazy(() => import('./credit-drawer.tsx').then((file) => ({ default: file.CreditDrawer })));
const UserAdder = lazy(() => import('./user-adder.tsx').then((file) => ({ default: file.UserAdder })));
const UserEditor = lazy(() => import('./user-editor.tsx').then((file) => ({ default: file.UserEditor })));

/** All accounts, for admins. */
export function UserPage() {
  const { t } = useTranslation('user');
  const { edited, credited, isAdding, openAdder, openEditor, openCredit, close } = usePanel();
  const list = useList({ name: 'user', filters: { keyword: '', group: '' }, load: listUsers });
  const groups = useGroupNames().data ?? [];
  const columns = useUserColumns();
  const actionsOf = useUserRow({ onEdit: ({ id }) => openEditor(id), onCredit: ({ id }) => openCredit(id) });
  const bulkActions = useUserBulk();
  const addButton = (
    <Button appearance="primary" icon={<PersonAdd20Regular />} onClick={openAdder}>
      {t('add')}
    </Button>
  );
  return (
    <>
      <ListPage
        title={t('title')}
        purpose={t('purpose')}
        sections={['sign-in', 'quota']}
        action={addButton}
        list={list}
        columns={columns}
        rowName={nameOf}
        rowActions={actionsOf}
        bulkActions={bulkActions}
        card={{
          to: ({ id }) => objectPath.user(id),
          status: (user) => <UserState user={user} />,
          figure: (user) => <UserBalance user={user} />,
        }}
        filters={
          <>
            <SearchFilter list={list} name="keyword" label={t('searchKeyword')} />
            <SelectFilter
              list={list}
              name="group"
              label={t('field.group')}
              choices={[{ value: '', text: t('allGroups') }, ...groups.map((name) => ({ value: name, text: name }))]}
            />
            <Button icon={<Search20Regular />} onClick={list.refresh}>
              {t('query')}
            </Button>
          </>
        }
        empty={{ icon: <People20Regular />, text: t('empty'), action: addButton }}
      />
      <Suspense fallback={null}>
        {isAdding && <UserAdder onClose={close} />}
        {edited > 0 && <UserEditor key={edited} id={edited} onClose={close} />}
        {credited > 0 && <CreditDrawer key={credited} id={credited} onClose={close} />}
      </Suspense>
    </>
  );
}

const nameOf = (user: User) => user.username;

/** Which drawer is open is in the address, so that a link can open it; Back leaves the page, with the question a form asks. */
function usePanel() {
  const [search, setSearch] = useSearchParams();
  const open = (panel: Record<string, string>) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        for (const name of ['add', 'edit', 'credit']) after.delete(name);
        for (const [name, value] of Object.entries(panel)) after.set(name, value);
        return after;
      },
      { replace: true },
    );
  const idIn = (name: string) => Math.trunc(Number(search.get(name))) || 0;
  return {
    isAdding: search.has('add'),
    edited: idIn('edit'),
    credited: idIn('credit'),
    openAdder: () => open({ add: 'true' }),
    openEditor: (id: number) => open({ edit: String(id) }),
    openCredit: (id: number) => open({ credit: String(id) }),
    close: () => open({}),
  };
}
