import { Button } from '@fluentui/react-components';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams, useSearchParams } from 'react-router-dom';
import type { TokenWithOwner } from '../../../../core/schemas/user-inspection.ts';
import { useToken } from '../../api/user-inspection.ts';
import { LoadError } from '../../components/feedback/load-error.tsx';
import { lazyTab } from '../../components/object/lazy-tab.ts';
import { ObjectPage, type ObjectTab } from '../../components/object/object-page.tsx';
import { WaitingSkeleton } from '../../components/object/waiting-skeleton.tsx';
import { objectPath } from '../../state/object-path.ts';
import { isAdmin, sessionUser } from '../../state/session.ts';
import { ObjectOverviewTab } from '../overview/object-overview.tsx';
import { MaskedKey } from './token-column.tsx';
import { TokenLimitsTab } from './token-limits-tab.tsx';
import { TokenStateLine } from './token-state-line.tsx';
import { useTokenRow } from './use-token-row.tsx';

const Requests = lazyTab(['log'], async () => (await import('../log/object-requests.tsx')).ObjectRequests);
const Limits = lazyTab(['limit'], async () => (await import('../limit/limit-card.tsx')).LimitCard);
const OwnLimits = lazyTab(['limit'], async () => (await import('../limit/own-limit-card.tsx')).OwnLimitCard);
const TokenEditor = lazy(async () => ({ default: (await import('./token-editor.tsx')).TokenEditor }));
const TokenKeyDialog = lazy(async () => ({ default: (await import('./token-key-dialog.tsx')).TokenKeyDialog }));

/** One API key: what it used, what it may do, and for its owner everything that can be done with it. */
export function TokenObjectPage() {
  const { t } = useTranslation('token');
  const { id: named } = useParams();
  const id = Number(named);
  const { data: token, error, refetch } = useToken(id);
  const me = sessionUser.use();
  const [isKeyShown, setKeyShown] = useState(false);
  const [, setSearch] = useSearchParams();
  const navigate = useNavigate();
  const isMine = token !== undefined && token.user_id === me?.id;
  const actionsOf = useTokenRow({
    onView: () => setKeyShown(true),
    onEdit: () => setSearch({ tab: 'settings' }),
    onRemoved: () => void navigate('/token'),
  });
  const actions = isMine ? actionsOf(token) : [];
  const copy = actions.find(({ key }) => key === 'copy');
  return (
    <>
      <ObjectPage
        list={
          isMine || !token
            ? { text: t('title'), to: '/token' }
            : { text: token.username, to: `${objectPath.user(token.user_id)}?tab=tokens` }
        }
        name={token?.name ?? `#${named}`}
        facts={
          token && (
            <>
              #{token.id} · {token.key_problem ?? <MaskedKey token={token} />}
            </>
          )
        }
        state={token && <TokenStateLine token={token} />}
        action={
          copy && (
            <Button appearance="primary" icon={copy.icon} disabled={copy.isDisabled} onClick={copy.onSelect}>
              {copy.label}
            </Button>
          )
        }
        menu={actions.filter((one) => one !== copy)}
        tabs={token ? tabsOf(token, isMine, t) : []}
        isReady={token !== undefined || error !== null}
        {...(!token && {
          failure: error ? <LoadError error={error} onRetry={() => void refetch()} /> : <WaitingSkeleton />,
        })}
      />
      <Suspense fallback={null}>
        {token && isKeyShown && <TokenKeyDialog token={token} onClose={() => setKeyShown(false)} />}
      </Suspense>
    </>
  );
}

function tabsOf(token: TokenWithOwner, isMine: boolean, t: (key: string) => string): ObjectTab[] {
  const { id, name, username } = token;
  const selection = { token_name: name, ...(!isMine && { username }) };
  return [
    {
      key: 'usage',
      text: t('overview:token.tab.usage'),
      content: () => <ObjectOverviewTab object={{ kind: 'token', id }} selection={selection} />,
    },
    { key: 'limits', text: t('overview:token.tab.limits'), content: () => <LimitsTab token={token} /> },
    { key: 'requests', text: t('overview:token.tab.requests'), content: () => <Requests {...selection} /> },
    ...(isMine
      ? [{ key: 'settings', text: t('overview:token.tab.settings'), content: () => <Settings token={token} /> }]
      : []),
  ];
}

/** Admins may set limits of any token, their own included; users see what is set for theirs. */
function LimitsTab({ token }: { token: TokenWithOwner }) {
  const { id, name } = token;
  const admin = isAdmin(sessionUser.use());
  return (
    <>
      <TokenLimitsTab token={token} />
      {admin ? <Limits of={{ kind: 'token', subject: String(id), name }} /> : <OwnLimits tokenId={id} />}
    </>
  );
}

/** The form is filled from stored values again after each save. */
function Settings({ token }: { token: TokenWithOwner }) {
  const [version, setVersion] = useState(0);
  return <Editor key={version} token={token} onClose={() => setVersion(version + 1)} />;
}

/** As it was when the form was opened: requests change what is left meanwhile. */
function Editor({ token, onClose }: { token: TokenWithOwner; onClose: () => void }) {
  const [opened] = useState(token);
  return <TokenEditor token={opened} onCreated={onClose} onClose={onClose} isPart />;
}
