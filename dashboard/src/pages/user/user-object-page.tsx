import { Button } from '@fluentui/react-components';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router-dom';
import type { UserSummary } from '../../../../core/schemas/user-inspection.ts';
import { useUserSummary } from '../../api/user-inspection.ts';
import { LoadError } from '../../components/feedback/load-error.tsx';
import { lazyTab } from '../../components/object/lazy-tab.ts';
import { ObjectPage, type ObjectTab } from '../../components/object/object-page.tsx';
import { WaitingSkeleton } from '../../components/object/waiting-skeleton.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useFormat } from '../../state/format.ts';
import { objectPath } from '../../state/object-path.ts';
import { forecast } from '../detail/forecast.ts';
import type { Figure } from '../overview/figure-card.tsx';
import { ObjectOverviewTab } from '../overview/object-overview.tsx';
import { useUserRow } from './use-user-row.tsx';
import { UserStateLine } from './user-state-line.tsx';

const Requests = lazyTab(['log'], async () => (await import('../log/object-requests.tsx')).ObjectRequests);
const Tokens = lazyTab(['token'], async () => (await import('./user-tokens-tab.tsx')).UserTokensTab);
const Limits = lazyTab(['limit'], async () => (await import('../limit/limit-card.tsx')).LimitCard);
const Sessions = lazyTab(['account'], async () => (await import('./user-sessions-tab.tsx')).UserSessionsTab);
const Credit = lazyTab(['account'], async () => (await import('./user-credit-tab.tsx')).UserCreditTab);
const Settings = lazy(async () => ({ default: (await import('./user-editor.tsx')).UserSettings }));
const CreditDrawer = lazy(async () => ({ default: (await import('./credit-drawer.tsx')).CreditDrawer }));

/** One account, for those who look after it: what it spends, what it holds, and everything that can be done with it. */
export function UserObjectPage() {
  const { t } = useTranslation('user');
  const { id: named } = useParams();
  const id = Number(named);
  const { data: summary, error, refetch } = useUserSummary(id);
  const [isCrediting, setCrediting] = useState(false);
  const [, setSearch] = useSearchParams();
  const actionsOf = useUserRow({
    onEdit: () => setSearch({ tab: 'settings' }),
    onCredit: () => setCrediting(true),
  });
  const user = summary?.user;
  const actions = user ? actionsOf(user) : [];
  const credit = actions.find(({ key }) => key === 'credit');
  const figures = useUserFigures(summary);
  const tabs = summary ? tabsOf(summary, { t, figures, isEditable: actions.length > 0 }) : [];
  return (
    <>
      <ObjectPage
        list={{ text: t('title'), to: '/user' }}
        name={user?.username ?? `#${named}`}
        facts={user && factsOf(summary, t)}
        state={summary && <UserStateLine summary={summary} />}
        action={
          credit && (
            <Button appearance="primary" icon={credit.icon} onClick={credit.onSelect}>
              {credit.label}
            </Button>
          )
        }
        menu={actions.filter((one) => one !== credit)}
        tabs={tabs}
        isReady={summary !== undefined || error !== null}
        {...(!summary && {
          failure: error ? <LoadError error={error} onRetry={() => void refetch()} /> : <WaitingSkeleton />,
        })}
      />
      <Suspense fallback={null}>{isCrediting && <CreditDrawer id={id} onClose={() => setCrediting(false)} />}</Suspense>
    </>
  );
}

type Translate = (key: string) => string;

function factsOf({ user }: UserSummary, t: Translate): ReactNode {
  const { id, display_name: displayName, username, role, group, email } = user;
  const shown = displayName === username ? '' : displayName;
  const before = [`#${id}`, shown, t(`role.${role}`)].filter(Boolean).join(' · ');
  return (
    <>
      {before} · <TextLink to={objectPath.group(group)}>{group}</TextLink>
      {email && ` · ${email}`}
    </>
  );
}

/** What is left, and what the last seven days cost, before the figures of any object. */
function useUserFigures(summary: UserSummary | undefined): Figure[] {
  const { t } = useTranslation('overview');
  const format = useFormat();
  if (!summary) return [];
  const { user, spent_in_week: spentInWeek, spent_in_previous_week: before } = summary;
  const { key, days } = forecast({ left: user.quota, spentInWeek });
  return [
    { key: 'balance', text: format.quota(user.quota), hint: t(`user:forecast.${key}`, { days, count: days }) },
    {
      key: 'week',
      text: format.quota(spentInWeek),
      compared: { now: spentInWeek, before, with: 'week' },
    },
  ];
}

interface TabOptions {
  t: Translate;
  figures: Figure[];
  isEditable: boolean;
}

function tabsOf({ user: { id, username } }: UserSummary, { t, figures, isEditable }: TabOptions): ObjectTab[] {
  const object = { kind: 'user', id } as const;
  return [
    {
      key: 'overview',
      text: t('tab.overview'),
      content: () => <ObjectOverviewTab object={object} selection={{ username }} firstFigures={figures} />,
    },
    { key: 'requests', text: t('tab.requests'), content: () => <Requests username={username} /> },
    { key: 'tokens', text: t('tab.tokens'), content: () => <Tokens id={id} /> },
    {
      key: 'limits',
      text: t('tab.limits'),
      content: () => <Limits of={{ kind: 'user', subject: String(id), name: username }} />,
    },
    { key: 'credit', text: t('tab.credit'), content: () => <Credit id={id} /> },
    { key: 'sessions', text: t('tab.sessions'), content: () => <Sessions id={id} /> },
    ...(isEditable ? [{ key: 'settings', text: t('tab.settings'), content: () => <Settings id={id} /> }] : []),
  ];
}
