import { Badge } from '@fluentui/react-components';
import { CheckmarkCircle20Filled } from '@fluentui/react-icons/svg/checkmark-circle';
import { WalletCreditCard20Regular } from '@fluentui/react-icons/svg/wallet-credit-card';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { UserCreditEntry } from '../../../../core/schemas/user-inspection.ts';
import { listCreditOf } from '../../api/user-inspection.ts';
import type { Column } from '../../components/list/column.ts';
import { ListPage } from '../../components/list/list-page.tsx';
import { useList } from '../../components/list/use-list.ts';
import { When } from '../../components/when.tsx';
import { type Format, useFormat } from '../../state/format.ts';
import { OrderDrawer } from './order-drawer.tsx';

const noFilters = { user: '' };

/** What changed a user's balance from outside. */
export function UserCreditTab({ id }: { id: number }) {
  const { t } = useTranslation('user');
  const format = useFormat();
  const fixed = useMemo(() => ({ user: String(id) }), [id]);
  const list = useList({ name: 'user-credit', filters: noFilters, fixed, load: listCreditOf });
  const columns = useCreditColumns();
  // Only of one kind is an id the only one.
  const rows = useMemo(() => list.rows?.map((row, index) => ({ ...row, id: index + 1 })), [list.rows]);
  const [order, setOrder] = useState<UserCreditEntry>();
  const complete = (row: UserCreditEntry) => ({
    key: 'complete',
    label: t('order.title'),
    icon: <CheckmarkCircle20Filled />,
    isFrequent: true,
    onSelect: () => setOrder(row),
  });
  return (
    <>
      <ListPage
        isPart
        title={t('credit.list')}
        purpose=""
        list={list}
        rows={rows}
        columns={columns}
        rowName={(row) => `${t(`creditKind.${row.kind}`)} ${row.note}`.trim()}
        // Without one to do there is no column for it.
        {...(rows?.some(isOpen) && { rowActions: (row: UserCreditEntry) => (isOpen(row) ? [complete(row)] : []) })}
        card={{ status: (row) => <State row={row} />, figure: (row) => <Amount row={row} /> }}
        empty={{ icon: <WalletCreditCard20Regular />, text: t('credit.none') }}
      />
      {order && (
        <OrderDrawer tradeNo={order.note} sum={format.quota(order.amount)} onClose={() => setOrder(undefined)} />
      )}
    </>
  );
}

/** On a phone: how much, and when. */
function Amount({ row }: { row: UserCreditEntry }) {
  const format = useFormat();
  return (
    <>
      {change(row, format)} · <When seconds={row.time} />
    </>
  );
}

function useCreditColumns(): Column<UserCreditEntry>[] {
  const { t } = useTranslation('user');
  const format = useFormat();
  return useMemo(
    () => [
      { key: 'time', title: t('credit.time'), minWidth: 110, cell: ({ time }) => <When seconds={time} /> },
      { key: 'kind', title: t('credit.kind'), minWidth: 104, cell: ({ kind }) => t(`creditKind.${kind}`) },
      {
        key: 'amount',
        title: t('credit.amount'),
        minWidth: 110,
        isNumber: true,
        cell: (row) => change(row, format),
      },
      { key: 'state', title: t('field.status'), minWidth: 90, cell: (row) => <State row={row} /> },
      { key: 'note', title: t('credit.details'), grow: 2.4, minWidth: 124, cell: ({ note }) => note || '–' },
      { key: 'by', title: t('credit.by'), minWidth: 90, cell: ({ by }) => by || '–' },
    ],
    [t, format],
  );
}

const isOpen = ({ kind, state }: UserCreditEntry): boolean => kind === 'order' && state === 'pending';

const change = ({ amount }: UserCreditEntry, format: Format) => `${amount > 0 ? '+' : ''}${format.quota(amount)}`;

function State({ row: { kind, state } }: { row: UserCreditEntry }) {
  const { t } = useTranslation('user');
  const isKnown = state === 'success' || state === 'pending';
  if (kind !== 'order') return t('credit.booked');
  return (
    <Badge appearance="tint" color={state === 'success' ? 'success' : 'warning'}>
      {isKnown ? t(`account:order.state.${state}`) : state}
    </Badge>
  );
}
