import { Badge, Button, makeStyles, ProgressBar, Text, tokens } from '@fluentui/react-components';
import { Add20Regular } from '@fluentui/react-icons/svg/add';
import { Key20Regular } from '@fluentui/react-icons/svg/key';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import type { Token } from '../../../../core/schemas/token.ts';
import { neverExpires, tokenStatus } from '../../../../core/schemas/token-status.ts';
import { listTokens } from '../../api/token.ts';
import type { Column } from '../../components/list/column.ts';
import { ListPage } from '../../components/list/list-page.tsx';
import { SearchFilter } from '../../components/list/search-filter.tsx';
import { useList } from '../../components/list/use-list.ts';
import { currentSearch } from '../../state/current-search.ts';
import { type Format, useFormat } from '../../state/format.ts';
import { useTokenBulk } from './use-token-bulk.tsx';
import { useTokenRow } from './use-token-row.tsx';

const TokenEditor = lazy(() => import('./token-editor.tsx').then((file) => ({ default: file.TokenEditor })));
const TokenKeyDialog = lazy(() => import('./token-key-dialog.tsx').then((file) => ({ default: file.TokenKeyDialog })));

type Open = { panel: 'editor'; token?: Token } | { panel: 'key'; token: Token };

/** The own API keys: what each may do, what it has used, and everything that can be done with one. */
export function TokenPage() {
  const { t } = useTranslation('token');
  const styles = useStyles();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const openAdder = () => setOpen({ panel: 'editor' });
  useAddress(openAdder);
  const list = useList({ name: 'token', filters: { keyword: '', token: '' }, load: listTokens });
  const columns = useTokenColumns();
  const bulkActions = useTokenBulk();
  const actionsOf = useTokenRow({
    onView: (token) => setOpen({ panel: 'key', token }),
    onEdit: (token) => setOpen({ panel: 'editor', token }),
  });
  const addButton = (
    <Button appearance="primary" icon={<Add20Regular />} onClick={openAdder}>
      {t('add')}
    </Button>
  );
  return (
    <>
      <ListPage
        title={t('title')}
        purpose={t('purpose')}
        action={addButton}
        notice={<Text className={styles.note}>{t('note')}</Text>}
        list={list}
        columns={columns}
        rowName={nameOf}
        rowActions={actionsOf}
        bulkActions={bulkActions}
        card={{ status: (token) => <StatusBadge token={token} />, figure: (token) => <QuotaBar token={token} /> }}
        filters={
          <>
            <SearchFilter list={list} name="keyword" label={t('searchName')} />
            <SearchFilter list={list} name="token" label={t('searchKey')} />
          </>
        }
        empty={{ icon: <Key20Regular />, text: t('empty'), action: addButton }}
      />
      <Suspense fallback={null}>
        {open?.panel === 'editor' && (
          <TokenEditor
            token={open.token}
            onCreated={(made) => setOpen(made && { panel: 'key', token: made })}
            onClose={close}
          />
        )}
        {open?.panel === 'key' && <TokenKeyDialog token={open.token} onClose={close} />}
      </Suspense>
    </>
  );
}

/** `?add=true`, from wherever the link came: opens the form for a new one, once. */
function useAddress(openAdder: () => void): void {
  const [search, setSearch] = useSearchParams();
  const isAsked = search.get('add') === 'true';
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time it is asked
  useEffect(() => {
    if (!isAsked) return;
    openAdder();
    const after = currentSearch();
    after.delete('add');
    setSearch(after, { replace: true });
  }, [isAsked]);
}

const nameOf = (token: Token) => token.name;

function useTokenColumns(): Column<Token>[] {
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
        cell: (token) => (
          <Text weight="semibold" truncate wrap={false} block title={token.name}>
            {token.name}
          </Text>
        ),
      },
      {
        key: 'status',
        sort: 'status',
        title: t('field.status'),
        grow: 0.7,
        minWidth: 84,
        cell: (token) => <StatusBadge token={token} />,
      },
      { key: 'key', title: t('field.key'), grow: 1.1, minWidth: 130, cell: (token) => <MaskedKey token={token} /> },
      {
        key: 'quota',
        sort: 'used_quota',
        title: t('field.usage'),
        grow: 1.6,
        minWidth: 160,
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
        grow: 1.3,
        minWidth: 150,
        cell: (token) => expiry(token, format, t),
      },
      {
        key: 'created',
        sort: 'created_time',
        title: t('field.created'),
        grow: 1.3,
        minWidth: 150,
        cell: (token) => format.time(token.created_time),
      },
      {
        key: 'used',
        sort: 'accessed_time',
        title: t('field.lastUsed'),
        grow: 1.3,
        minWidth: 150,
        isHidden: true,
        cell: (token) => format.time(token.accessed_time),
      },
    ],
    [t, format],
  );
}

function expiry({ expired_time: time }: Token, format: Format, t: (key: string) => string): string {
  return time === neverExpires ? t('expiry.never') : format.time(time);
}

const statusColors = {
  [tokenStatus.enabled]: 'success',
  [tokenStatus.disabled]: 'informative',
  [tokenStatus.expired]: 'warning',
  [tokenStatus.exhausted]: 'danger',
} as const;

function StatusBadge({ token }: { token: Token }) {
  const { t } = useTranslation('token');
  const color = statusColors[token.status as keyof typeof statusColors] ?? 'informative';
  return (
    <Badge appearance="tint" color={color}>
      {t(`status.${token.status}`)}
    </Badge>
  );
}

const useStyles = makeStyles({
  note: { color: tokens.colorNeutralForeground3 },
  mono: { fontFamily: tokens.fontFamilyMonospace, fontSize: tokens.fontSizeBase200 },
  quota: { display: 'flex', flexDirection: 'column', gap: '6px', width: '100%', maxWidth: '220px' },
});

/** Enough of it to tell two apart; the whole one is for the clipboard and the key dialog. */
function MaskedKey({ token }: { token: Token }) {
  const styles = useStyles();
  return (
    <span className={styles.mono}>
      sk-{token.key.slice(0, 4)}…{token.key.slice(-4)}
    </span>
  );
}

/** Used and left, as figures and as a bar. */
function QuotaBar({ token }: { token: Token }) {
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
