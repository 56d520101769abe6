import { Badge, makeStyles, ProgressBar, Text, tokens } from '@fluentui/react-components';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Token } from '../../../../core/schemas/token.ts';
import { lastUsed, neverExpires, tokenStatus } from '../../../../core/schemas/token-status.ts';
import type { Column } from '../../components/list/column.ts';
import { TextLink } from '../../components/text-link.tsx';
import { When } from '../../components/when.tsx';
import { type Format, useFormat } from '../../state/format.ts';
import { objectPath } from '../../state/object-path.ts';

/** The columns of tokens, one's own or those of a user. */
export function useTokenColumns(): Column<Token>[] {
  const { t } = useTranslation('token');
  const format = useFormat();
  return useMemo(
    () => [
      {
        key: 'name',
        sort: 'name',
        title: t('field.name'),
        grow: 1.4,
        minWidth: 120,
        isInteractive: true,
        cell: (token) => (
          <Text weight="semibold" truncate wrap={false} block title={token.name}>
            <TextLink to={objectPath.token(token.id)}>{token.name}</TextLink>
          </Text>
        ),
        line: (token) => token.key_problem,
      },
      {
        key: 'status',
        sort: 'status',
        title: t('field.status'),
        grow: 0.7,
        minWidth: 84,
        cell: (token) => <TokenBadge token={token} />,
      },
      {
        key: 'key',
        hiddenBelow: 1440,
        title: t('field.key'),
        grow: 1.1,
        minWidth: 114,
        cell: (token) => (token.key ? <MaskedKey token={token} /> : '—'),
      },
      {
        key: 'quota',
        sort: 'used_quota',
        title: t('field.usage'),
        grow: 1.6,
        minWidth: 150,
        cell: (token) => <QuotaBar token={token} />,
      },
      {
        key: 'group',
        sort: 'group',
        title: t('field.group'),
        minWidth: 84,
        cell: (token) => token.group || t('ownGroup'),
      },
      {
        key: 'expires',
        sort: 'expired_time',
        title: t('field.expires'),
        minWidth: 92,
        cell: (token) =>
          token.expired_time === neverExpires ? (
            t('expiry.never')
          ) : (
            <span title={format.time(token.expired_time)}>{format.date(token.expired_time)}</span>
          ),
      },
      {
        key: 'created',
        hiddenBelow: 1440,
        sort: 'created_time',
        title: t('field.created'),
        minWidth: 92,
        cell: (token) => <When seconds={token.created_time} />,
      },
      {
        key: 'used',
        hiddenBelow: 1200,
        sort: 'accessed_time',
        title: t('field.lastUsed'),
        minWidth: 92,
        cell: (token) => <When seconds={lastUsed(token)} />,
      },
    ],
    [t, format],
  );
}

export function expiry(time: number, format: Format, t: (key: string) => string): string {
  return time === neverExpires ? t('expiry.never') : format.time(time);
}

const statusColors = {
  [tokenStatus.enabled]: 'success',
  [tokenStatus.disabled]: 'informative',
  [tokenStatus.expired]: 'warning',
  [tokenStatus.exhausted]: 'danger',
} as const;

export function TokenBadge({ token }: { token: Token }) {
  const { t } = useTranslation('token');
  const color = statusColors[token.status as keyof typeof statusColors] ?? 'informative';
  return (
    <Badge appearance="tint" color={color}>
      {t(`status.${token.status}`)}
    </Badge>
  );
}

const useStyles = makeStyles({
  mono: { fontFamily: tokens.fontFamilyMonospace, fontSize: tokens.fontSizeBase200 },
  quota: { display: 'flex', flexDirection: 'column', gap: '6px', width: '100%', maxWidth: '220px' },
});

/** Enough of it to tell two apart; the whole one is for the clipboard and the key dialog. */
export function MaskedKey({ token }: { token: Token }) {
  const styles = useStyles();
  return (
    <span className={styles.mono}>
      sk-{token.key.includes('…') ? token.key : `${token.key.slice(0, 4)}…${token.key.slice(-4)}`}
    </span>
  );
}

/** Used and left, as figures and as a bar. */
export function QuotaBar({ token }: { token: Token }) {
  const { t } = useTranslation('token');
  const styles = useStyles();
  const format = useFormat();
  const { used_quota: used, remain_quota: left, unlimited_quota: isUnlimited } = token;
  if (isUnlimited) return <Text size={200}>{t('usage.unlimited', { used: format.quota(used) })}</Text>;
  const total = used + Math.max(left, 0);
  const text = t('usage.of', { used: format.quota(used), total: format.quota(total) });
  return (
    <div className={styles.quota}>
      <Text size={200}>{text}</Text>
      <ProgressBar
        aria-label={text}
        thickness="medium"
        value={total > 0 ? used / total : 1}
        color={left <= 0 ? 'error' : 'brand'}
      />
    </div>
  );
}
