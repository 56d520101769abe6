import { Badge, makeStyles, Text, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { role } from '../../../../core/schemas/actor.ts';
import { type User, userStatus } from '../../../../core/schemas/user.ts';
import { TextLink } from '../../components/text-link.tsx';
import { useFormat } from '../../state/format.ts';
import { objectPath } from '../../state/object-path.ts';

const useStyles = makeStyles({
  state: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalXS },
  // On a second line rather than cut: a number without its end is another number.
  pairs: {
    display: 'flex',
    flexWrap: 'wrap',
    columnGap: tokens.spacingHorizontalM,
    fontSize: tokens.fontSizeBase200,
    whiteSpace: 'nowrap',
  },
  label: { color: tokens.colorNeutralForeground3, whiteSpace: 'nowrap' },
  figure: { fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' },
  dim: { color: tokens.colorNeutralForeground3 },
  // A badge is one line high: words on a second one would be cut.
  badge: { whiteSpace: 'nowrap' },
});

interface CellProps {
  user: User;
}

export const isGone = ({ DeletedAt }: User): boolean => DeletedAt !== null;

/** On one line; what a row shows of an account that is no more is dim. */
export function Name({ user }: CellProps) {
  const styles = useStyles();
  const { id, username, display_name: displayName } = user;
  const hasOther = displayName !== '' && displayName !== username;
  return (
    <Text truncate wrap={false} block>
      <Text weight="semibold" wrap={false} title={username} className={isGone(user) ? styles.dim : undefined}>
        <TextLink to={objectPath.user(id)}>{username}</TextLink>
      </Text>
      {hasOther && (
        <Text size={200} wrap={false} title={displayName} className={styles.label}>
          {' '}
          {displayName}
        </Text>
      )}
    </Text>
  );
}

export function Plain({ user, text }: CellProps & { text: string }) {
  const styles = useStyles();
  return <span className={isGone(user) ? styles.dim : undefined}>{text}</span>;
}

/** Left, used, calls. */
export function UserFigures({ user }: CellProps) {
  const { t } = useTranslation('user');
  const format = useFormat();
  return (
    <Pairs
      user={user}
      pairs={[
        [t('figure.left'), format.quota(user.quota)],
        [t('figure.used'), format.quota(user.used_quota)],
        [t('figure.calls'), format.number(user.request_count)],
      ]}
    />
  );
}

/** The one figure of a card. */
export function UserBalance({ user }: CellProps) {
  const { t } = useTranslation('user');
  const format = useFormat();
  return `${t('figure.left')} ${format.quota(user.quota)}`;
}

/** Whom the account brought, what it earned by that, and who brought it. */
export function UserInvitation({ user }: CellProps) {
  const { t } = useTranslation('user');
  const format = useFormat();
  return (
    <Pairs
      user={user}
      pairs={[
        [t('figure.invited'), format.number(user.aff_count)],
        [t('figure.earned'), format.quota(user.aff_history_quota)],
        [t('figure.inviter'), user.inviter_id === 0 ? t('noInviter') : String(user.inviter_id)],
      ]}
    />
  );
}

function Pairs({ user, pairs }: CellProps & { pairs: [string, string][] }) {
  const styles = useStyles();
  return (
    <div className={styles.pairs} title={pairs.map(([label, figure]) => `${label} ${figure}`).join(' · ')}>
      {pairs.map(([label, figure]) => (
        <span key={label}>
          <span className={styles.label}>{label}</span>{' '}
          <span className={isGone(user) ? styles.dim : styles.figure}>{figure}</span>
        </span>
      ))}
    </div>
  );
}

const roleColors = { [role.user]: 'informative', [role.admin]: 'brand', [role.root]: 'brand' } as const;

export function RoleBadge({ user }: CellProps) {
  const { t } = useTranslation('user');
  const styles = useStyles();
  const color = roleColors[user.role as keyof typeof roleColors];
  return (
    <Badge
      className={styles.badge}
      appearance={isGone(user) ? 'outline' : user.role === role.root ? 'filled' : 'tint'}
      color={isGone(user) ? 'informative' : (color ?? 'warning')}
    >
      {color === undefined ? t('unknownRole', { role: user.role }) : t(`role.${user.role}`)}
    </Badge>
  );
}

export function StatusBadge({ user }: CellProps) {
  const { t } = useTranslation('user');
  if (isGone(user))
    return (
      <Badge appearance="outline" color="informative">
        {t('deactivated')}
      </Badge>
    );
  if (user.status === userStatus.enabled) return <TintBadge color="success" text={t('status.1')} />;
  if (user.status === userStatus.disabled) return <TintBadge color="danger" text={t('status.2')} />;
  return <TintBadge color="warning" text={t('unknownStatus', { status: user.status })} />;
}

const TintBadge = ({ color, text }: { color: 'success' | 'danger' | 'warning'; text: string }) => (
  <Badge appearance="tint" color={color}>
    {text}
  </Badge>
);

/** Of a card: role and status side by side. */
export function UserState({ user }: CellProps) {
  const styles = useStyles();
  return (
    <span className={styles.state}>
      <RoleBadge user={user} />
      <StatusBadge user={user} />
    </span>
  );
}
