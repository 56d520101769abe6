import type { ReactNode } from 'react';
import { role } from '../../../../core/schemas/actor.ts';
import { type User, userListStatus } from '../../../../core/schemas/user.ts';
import { formatTime } from '../../../flag/value.ts';
import type { Subject } from '../../../limits-of.ts';
import { type Detail, type DetailLink, Details } from '../../components/details.tsx';
import { type Environment, useEnvironment } from '../../environment.ts';
import { grouped } from '../../grouped.ts';
import type { Hint } from '../../hint.ts';
import { useQuota } from '../../hooks/use-quota.ts';
import { useLimits } from '../limit/use-limits.ts';
import { LimitScreen } from '../limit.tsx';
import { LogScreen } from '../log.tsx';
import { TokenScreen } from '../token.tsx';
import { UsageScreen } from '../usage.tsx';

export function UserDetails({ user }: { user: User }) {
  const environment = useEnvironment();
  const { speak } = environment;
  const quota = useQuota();
  const links = userLinks(speak).map(({ open, ...hint }): DetailLink => ({ ...hint, open: () => open(user) }));
  const title = speak('tui.user.title', { id: user.id, name: user.username });
  const limits = useLimits(userSubject(user));
  return <Details title={title} details={[...userDetails(user, environment, quota), ...limits]} links={links} />;
}

interface UserLink extends Hint {
  open(user: User): ReactNode;
}

/** What belongs to a user. */
export function userLinks(speak: Environment['speak']): UserLink[] {
  return [
    { key: 't', label: speak('tui.keyTokens'), open: (user) => userTokens(user, speak) },
    {
      key: 'l',
      label: speak('tui.keyRequests'),
      open: (user) => <LogScreen scope={{ trail: trailOf(user, speak), userId: user.id }} />,
    },
    {
      key: 'U',
      label: speak('tui.keyUsage'),
      open: (user) => <UsageScreen owner={{ id: user.id, name: user.username }} trail={trailOf(user, speak)} />,
    },
    {
      key: 'L',
      label: speak('tui.keyLimits'),
      open: (user) => <LimitScreen subject={userSubject(user)} trail={trailOf(user, speak)} />,
    },
  ];
}

const userSubject = ({ id }: User): Subject => ({ subject_kind: 'user', subject: String(id) });

/** The tokens of a user: what one comes for first. */
export function userTokens(user: User, speak: Environment['speak']): ReactNode {
  return <TokenScreen owner={{ id: user.id, name: user.username }} trail={trailOf(user, speak)} />;
}

const trailOf = ({ username }: User, speak: Environment['speak']) => [speak('tui.users'), username];

export function userDetails(user: User, environment: Environment, quota: (units: number) => string): Detail[] {
  const { speak } = environment;
  const time = (seconds: number) => (seconds > 0 ? formatTime(seconds) : speak('tui.user.never'));
  return [
    [speak('tui.user.field.displayName'), user.display_name],
    [speak('tui.user.detail.role'), roleText(user, environment)],
    [speak('tui.user.detail.status'), userStatusText(user, environment)],
    [speak('tui.user.field.group'), user.group],
    [speak('tui.user.detail.quota'), quota(user.quota)],
    [speak('tui.user.detail.used'), quota(user.used_quota)],
    [speak('tui.user.detail.calls'), grouped(user.request_count)],
    [speak('tui.user.detail.email'), user.email],
    ...signIns(user),
    [speak('tui.user.detail.invited'), String(user.aff_count)],
    ...(user.inviter_id > 0 ? [[speak('tui.user.detail.inviter'), `#${user.inviter_id}`] satisfies Detail] : []),
    [speak('tui.user.detail.created'), time(user.created_time)],
    [speak('tui.user.detail.signedIn'), time(user.last_login_time)],
  ];
}

/** Outside accounts that are bound to this one. */
function signIns({ github_id, wechat_id, telegram_id, linux_do_id, oidc_id }: User): Detail[] {
  const all: Detail[] = [
    ['GitHub', github_id],
    ['WeChat', wechat_id],
    ['Telegram', telegram_id],
    ['LinuxDO', linux_do_id],
    ['OIDC', oidc_id],
  ];
  return all.filter(([, id]) => id !== '');
}

/** Where it no longer exists, whatever it was before says nothing. */
/** Deleted is not what the row says but when; an unknown number is 0. */
export function userState({ status, DeletedAt }: User): number {
  if (DeletedAt !== null) return userListStatus.deleted;
  return status === userListStatus.deleted ? 0 : status;
}

export function userStatusText(user: User, { speak, symbols }: Environment): string {
  const words: Record<number, string> = {
    [userListStatus.enabled]: `${symbols.on} ${speak('tui.user.enabled')}`,
    [userListStatus.disabled]: `${symbols.off} ${speak('tui.user.disabled')}`,
    [userListStatus.deleted]: `${symbols.bad} ${speak('tui.user.deleted')}`,
  };
  return words[userState(user)] ?? String(user.status);
}

export function roleText(user: User, { speak }: Environment): string {
  const words: Record<number, string> = {
    [role.user]: speak('tui.user.isUser'),
    [role.admin]: speak('tui.user.isAdmin'),
    [role.root]: speak('tui.user.isRoot'),
  };
  return words[user.role] ?? String(user.role);
}
