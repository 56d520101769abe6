import { AppError } from '../../../core/errors/app-error.ts';
import { role, systemActor } from '../../../core/schemas/actor.ts';
import { type User, userListSchema, userListStatus, userStatus } from '../../../core/schemas/user.ts';
import { coded } from '../../../core/text/coded.ts';
import { numberOf } from '../../flag/status-word.ts';
import { formatTime } from '../../flag/value.ts';
import { type ListAction, type ListColumn, type ListRequest, ListScreen } from '../components/list-screen.tsx';
import { type Environment, useEnvironment } from '../environment.ts';
import { grouped } from '../grouped.ts';
import { useNavigation } from '../hooks/use-navigation.tsx';
import { useQuota } from '../hooks/use-quota.ts';
import { useRowActions } from '../hooks/use-row-actions.ts';
import { useStatus } from '../hooks/use-status.tsx';
import {
  roleText,
  UserDetails,
  userDetails,
  userLinks,
  userState,
  userStatusText,
  userTokens,
} from './user/details.tsx';
import { PasswordForm, QuotaForm, UserForm } from './user/form.tsx';

const filters = ['role', 'status', 'group'] as const;
const sorts = ['-id', 'username', '-quota', '-used_quota', '-request_count', '-last_login_time'] as const;

/** All accounts, deleted ones included. */
export function UserScreen() {
  const environment = useEnvironment();
  const { app, speak } = environment;
  const { users } = app.services;
  const quota = useQuota();
  const { push } = useNavigation();
  const status = useStatus();
  const rowActions = useRowActions<User>(({ username }) => username);

  /** For what needs an account that still exists. */
  const withUser =
    (open: (user: User, reload: () => void) => void): NonNullable<ListAction<User>['run']> =>
    ([user], { reload }) => {
      if (user?.DeletedAt === null) open(user, reload);
      else if (user)
        status.fail(new AppError('object.notFound', { what: coded('noun.user'), id: user.username, noun: 'user' }));
    };

  const actions: ListAction<User>[] = [
    {
      key: 'e',
      label: speak('tui.keySwitch'),
      run: (rows, list) =>
        rowActions.toggle(
          {
            isOn: (user) => user.status === userStatus.enabled,
            set: (rows, isOn) =>
              users.manageMany(systemActor, { ids: idsOf(rows), action: isOn ? 'enable' : 'disable' }),
            on: 'user.enabled',
            off: 'user.disabled',
          },
          rows,
          list,
        ),
    },
    {
      key: '+',
      label: speak('tui.user.quota'),
      run: withUser((user, reload) => push(<QuotaForm user={user} onSaved={reload} />)),
    },
    {
      key: 'n',
      label: speak('tui.keyNew'),
      start: ({ showNew }) => push(<UserForm user={undefined} onSaved={showNew} />),
    },
    {
      key: 'E',
      label: speak('tui.keyEdit'),
      run: withUser((user, reload) => push(<UserForm user={user} onSaved={reload} />)),
    },
    {
      key: 'x',
      label: speak('tui.keyRemove'),
      run: (rows, list) =>
        rowActions.remove(
          {
            remove: (rows) => users.manageMany(systemActor, { ids: idsOf(rows), action: 'delete' }),
            ask: 'user.askRemove',
            done: 'user.removed',
          },
          rows,
          list,
        ),
    },
    {
      key: 'p',
      label: speak('tui.user.promote'),
      run: (rows, list) =>
        rowActions.toggle(
          {
            isOn: (user) => user.role >= role.admin,
            set: (rows, isOn) =>
              users.manageMany(systemActor, { ids: idsOf(rows), action: isOn ? 'promote' : 'demote' }),
            on: 'user.promoted',
            off: 'user.demoted',
          },
          rows,
          list,
        ),
    },
    {
      key: 'P',
      label: speak('tui.user.password'),
      run: withUser((user, reload) => push(<PasswordForm user={user} onSaved={reload} />)),
    },
    ...userLinks(speak).map(
      ({ key, label, open }): ListAction<User> => ({ key, label, run: ([user]) => user && push(open(user)) }),
    ),
  ];

  return (
    <ListScreen
      title={speak('tui.users')}
      columns={columnsFor(environment, quota)}
      load={async (request) => users.list(systemActor, listInput(request, environment))}
      idOf={({ id }) => id}
      filters={filters}
      sorts={sorts}
      detail={(user) => detailOf(user, environment)}
      beside={(user) => userDetails(user, environment, quota)}
      details={(user) => <UserDetails user={user} />}
      enter={{ label: speak('tui.keyTokens'), run: (user) => push(userTokens(user, speak)) }}
      actions={actions}
      empty={speak('tui.user.empty')}
    />
  );
}

const roleWords = new Map<number, string>([
  [role.user, 'user'],
  [role.admin, 'admin'],
  [role.root, 'root'],
]);
const statusWords = new Map<number, string>([
  [userListStatus.enabled, 'enabled'],
  [userListStatus.disabled, 'disabled'],
  [userListStatus.deleted, 'deleted'],
]);

/** The words of the command line, those on the screen, and the numbers of the API. */
function listInput({ page, page_size, keyword, values, sort }: ListRequest, { speak }: Environment) {
  const roles = new Map<string, number>([
    [speak('tui.user.isUser'), role.user],
    [speak('tui.user.isAdmin'), role.admin],
    [speak('tui.user.isRoot'), role.root],
  ]);
  const states = new Map<string, number>([
    [speak('tui.user.enabled'), userListStatus.enabled],
    [speak('tui.user.disabled'), userListStatus.disabled],
    [speak('tui.user.deleted'), userListStatus.deleted],
  ]);
  return userListSchema.parse({
    page,
    page_size,
    keyword,
    sort,
    group: values.group,
    ...(values.role !== undefined && { role: roles.get(values.role) ?? numberOf(roleWords, values.role, 'role') }),
    ...(values.status !== undefined && {
      status: states.get(values.status) ?? numberOf(statusWords, values.status, 'status'),
    }),
  });
}

function columnsFor(environment: Environment, quota: (units: number) => string): ListColumn<User>[] {
  const { speak } = environment;
  return [
    { title: 'ID', value: ({ id }) => id, right: true },
    { title: speak('tui.user.name'), value: ({ username }) => username, keep: true },
    { title: speak('tui.user.role'), value: (user) => roleText(user, environment) },
    {
      title: speak('tui.user.status'),
      whole: true,
      value: (user) => userStatusText(user, environment),
      color: (user) => (userState(user) === userListStatus.enabled ? 'green' : 'dim'),
    },
    { title: speak('tui.user.left'), right: true, value: (user) => quota(user.quota) },
    { title: speak('tui.user.used'), right: true, value: ({ used_quota }) => quota(used_quota) },
    { title: speak('tui.user.group'), extra: true, value: ({ group }) => group },
    { title: speak('tui.user.calls'), extra: true, right: true, value: ({ request_count }) => grouped(request_count) },
    { title: speak('tui.user.displayName'), extra: true, value: ({ display_name }) => display_name },
    { title: speak('tui.user.email'), extra: true, value: ({ email }) => email },
  ];
}

function detailOf(
  { id, username, display_name, last_login_time, request_count }: User,
  { speak }: Environment,
): string {
  const time = last_login_time > 0 ? formatTime(last_login_time) : speak('tui.user.never');
  return ` ${speak('tui.user.summary', { id, display: display_name || username, time, calls: grouped(request_count) })}`;
}

const idsOf = (rows: User[]) => rows.map(({ id }) => id);
