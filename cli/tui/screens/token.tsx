import { useRef } from 'react';
import type { App } from '../../../core/app.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import type { Page } from '../../../core/schemas/paging.ts';
import { neverExpires, type Token, tokenListSchema, tokenStatus } from '../../../core/schemas/token.ts';
import { wordsIn } from '../../../core/text/text.ts';
import { findRoot } from '../../find-root.ts';
import { formatTime } from '../../flag/value.ts';
import { type ListAction, type ListColumn, type ListRequest, ListScreen } from '../components/list-screen.tsx';
import { type Environment, useEnvironment } from '../environment.ts';
import { useLoad } from '../hooks/use-load.ts';
import { useNavigation } from '../hooks/use-navigation.tsx';
import { useQuota } from '../hooks/use-quota.ts';
import { useRowActions } from '../hooks/use-row-actions.ts';
import { useStatus } from '../hooks/use-status.tsx';
import { LogScreen } from './log.tsx';
import {
  keyText,
  lastUsedText,
  type OwnedToken,
  TokenDetails,
  TokenKey,
  tokenDetails,
  tokenLimits,
  tokenScope,
  tokenStatusText,
} from './token/details.tsx';
import { TokenForm } from './token/form.tsx';

const filters = ['user'] as const;
const sorts = ['-id', 'name', '-used_quota', 'remain_quota', 'expired_time', '-accessed_time'] as const;

interface TokenScreenProps {
  /** Only the tokens of this user, with what was opened to come here. */
  owner?: { id: number; name: string };
  trail?: readonly string[];
}

/** The tokens of all users, or of one. */
export function TokenScreen({ owner, trail = [] }: TokenScreenProps) {
  const environment = useEnvironment();
  const { app, speak } = environment;
  const { tokens } = app.services;
  const quota = useQuota();
  const { push } = useNavigation();
  const status = useStatus();
  const { data: root } = useLoad(() => findRoot(app), { key: 'root' });
  const owners = useRef(new Map<number, string>());
  const rowActions = useRowActions<Token>(({ id, name }) => `${id} (${name})`);

  const showKey = ([token]: OwnedToken[]) =>
    token &&
    void status.act(async () => {
      push(<TokenKey token={{ ...token, key: await tokens.reveal(systemActor, token.id) }} />);
      return undefined;
    });
  const showRequests = (token: OwnedToken) => push(<LogScreen scope={tokenScope(token, trail, speak)} />);
  const actions: ListAction<OwnedToken>[] = [
    {
      key: 'e',
      label: speak('tui.keySwitch'),
      run: (rows, list) =>
        rowActions.toggle(
          {
            isOn: (row) => row.status !== tokenStatus.disabled,
            set: (rows, isOn) =>
              tokens.setStatusMany(systemActor, {
                ids: idsOf(rows),
                status: isOn ? tokenStatus.enabled : tokenStatus.disabled,
              }),
            on: 'token.enabled',
            off: 'token.disabled',
          },
          rows,
          list,
        ),
    },
    {
      key: 'n',
      label: speak('tui.keyNew'),
      start: ({ showNew }) =>
        push(<TokenForm token={undefined} owner={owner?.name ?? root?.username} onSaved={showNew} />),
    },
    {
      key: 'E',
      label: speak('tui.keyEdit'),
      run: ([token], { reload }) => push(<TokenForm token={token} onSaved={reload} />),
    },
    {
      key: 'x',
      label: speak('tui.keyRemove'),
      run: (rows, list) =>
        rowActions.remove(
          {
            remove: (rows) => tokens.removeMany(systemActor, idsOf(rows)),
            ask: 'token.askRemove',
            done: 'token.removed',
          },
          rows,
          list,
        ),
    },
    { key: 'v', label: speak('tui.token.showKey'), run: showKey },
    {
      key: 'l',
      label: speak('tui.keyRequests'),
      run: ([token]) => token && showRequests(token),
    },
    {
      key: 'L',
      label: speak('tui.keyLimits'),
      run: ([token]) => token && push(tokenLimits(token, trail, speak)),
    },
  ];

  return (
    <ListScreen
      title={speak('tui.tokens')}
      trail={trail}
      columns={columnsFor(environment, quota)}
      load={(request) => load(app, request, { owners: owners.current, userId: owner?.id })}
      idOf={({ id }) => id}
      filters={owner ? [] : filters}
      sorts={sorts}
      detail={(token) => detailOf(token, environment)}
      beside={(token) => tokenDetails(token, environment, quota)}
      details={(token) => <TokenDetails token={token} trail={trail} />}
      enter={{ label: speak('tui.keyRequests'), run: showRequests }}
      actions={actions}
      empty={speak('tui.token.empty')}
    />
  );
}

async function load(
  { services }: App,
  { page, page_size, keyword, values, sort }: ListRequest,
  { owners, userId }: { owners: Map<number, string>; userId: number | undefined },
): Promise<Page<OwnedToken>> {
  const wanted = values.user === undefined ? userId : (await services.users.find(systemActor, values.user)).id;
  const owner = wanted === undefined ? {} : { userId: wanted };
  const query = tokenListSchema.parse({ page, page_size, keyword, sort });
  const found = await services.tokens.list(systemActor, query, owner);
  for (const { user_id } of found.items) {
    if (!owners.has(user_id)) owners.set(user_id, await ownerName(services, user_id));
  }
  return { ...found, items: found.items.map((token) => ({ ...token, owner: owners.get(token.user_id) ?? '' })) };
}

/** Of an account that was deleted, only the number is left to tell. */
async function ownerName({ users }: App['services'], id: number): Promise<string> {
  try {
    return (await users.get(systemActor, id)).username;
  } catch (error) {
    if (error instanceof AppError && error.code === 'object.notFound') return `#${id}`;
    throw error;
  }
}

function columnsFor(environment: Environment, quota: (units: number) => string): ListColumn<OwnedToken>[] {
  const { speak } = environment;
  return [
    { title: 'ID', value: ({ id }) => id, right: true },
    { title: speak('tui.token.name'), value: ({ name }) => name, keep: true },
    { title: speak('tui.token.user'), value: ({ owner }) => owner },
    {
      title: speak('tui.token.status'),
      whole: true,
      value: (token) => tokenStatusText(token, environment),
      color: ({ status }) => {
        if (status === tokenStatus.enabled) return 'green';
        return status === tokenStatus.disabled ? 'dim' : 'yellow';
      },
    },
    {
      title: speak('tui.token.left'),
      right: true,
      value: (token) => (token.unlimited_quota ? speak('tui.token.unlimited') : quota(token.remain_quota)),
    },
    { title: speak('tui.token.used'), right: true, value: ({ used_quota }) => quota(used_quota) },
    {
      title: speak('tui.token.expires'),
      extra: true,
      whole: true,
      value: ({ expired_time: time }) => (time === neverExpires ? speak('tui.token.never') : formatTime(time)),
    },
    {
      title: speak('tui.token.key'),
      extra: true,
      whole: true,
      value: (token) => (token.key_problem ? environment.symbols.unknown : keyText(token, environment)),
    },
    { title: speak('tui.token.group'), extra: true, value: ({ group }) => group },
  ];
}

function detailOf(token: OwnedToken, { speak, language }: Environment): string {
  const { id, owner, model_limits_enabled, model_limits, key_problem } = token;
  if (key_problem) return ` ${wordsIn(language, key_problem)}`;
  const models = model_limits_enabled ? model_limits.split(',').join(', ') : speak('tui.token.all');
  return ` ${speak('tui.token.summary', { id, owner, time: lastUsedText(token, speak), models })}`;
}

const idsOf = (rows: Pick<OwnedToken, 'id'>[]) => rows.map(({ id }) => id);
