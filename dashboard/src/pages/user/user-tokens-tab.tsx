import { Key20Regular } from '@fluentui/react-icons/svg/key';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Token } from '../../../../core/schemas/token.ts';
import { listTokensOf } from '../../api/user-inspection.ts';
import { ListPage } from '../../components/list/list-page.tsx';
import { useList } from '../../components/list/use-list.ts';
import { objectPath } from '../../state/object-path.ts';
import { QuotaBar, TokenBadge, useTokenColumns } from '../token/token-column.tsx';

const noFilters = { user: '' };

/** The tokens of a user; their keys stay masked. */
export function UserTokensTab({ id }: { id: number }) {
  const { t } = useTranslation('user');
  const fixed = useMemo(() => ({ user: String(id) }), [id]);
  const list = useList({ name: 'user-token', filters: noFilters, fixed, load: listTokensOf });
  const columns = useTokenColumns();
  return (
    <ListPage
      isPart
      title={t('tokens.title')}
      purpose=""
      list={list}
      columns={columns}
      rowName={nameOf}
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
      empty={{ icon: <Key20Regular />, text: t('tokens.empty') }}
    />
  );
}

const nameOf = ({ name }: Token) => name;
