import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { Add20Regular } from '@fluentui/react-icons/svg/add';
import { Key20Regular } from '@fluentui/react-icons/svg/key';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import type { Token } from '../../../../core/schemas/token.ts';
import { listTokens } from '../../api/token.ts';
import { ListPage } from '../../components/list/list-page.tsx';
import { SearchFilter } from '../../components/list/search-filter.tsx';
import { useList } from '../../components/list/use-list.ts';
import { currentSearch } from '../../state/current-search.ts';
import { objectPath } from '../../state/object-path.ts';
import { QuotaBar, TokenBadge, useTokenColumns } from './token-column.tsx';
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
        card={{
          to: ({ id }) => objectPath.token(id),
          status: (token) => <TokenBadge token={token} />,
          figure: (token) => (
            <>
              <QuotaBar token={token} />
              <div>{token.key_problem}</div>
            </>
          ),
        }}
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

const useStyles = makeStyles({ note: { color: tokens.colorNeutralForeground3 } });
