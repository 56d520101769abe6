import { Badge, makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { TopUp } from '../../../../core/schemas/wallet.ts';
import { listOrders } from '../../api/wallet.ts';
import { LoadError } from '../../components/feedback/load-error.tsx';
import type { Column } from '../../components/list/column.ts';
import { ListCards } from '../../components/list/list-cards.tsx';
import { ListGrid } from '../../components/list/list-grid.tsx';
import { ListPager } from '../../components/list/list-pager.tsx';
import { ListSkeleton } from '../../components/list/list-skeleton.tsx';
import { useHasCards } from '../../components/list/use-has-cards.ts';
import { useList } from '../../components/list/use-list.ts';
import { SectionCard } from '../../components/section-card.tsx';
import { useFormat } from '../../state/format.ts';

const useStyles = makeStyles({
  inset: { padding: '0 24px 20px', '@media (max-width: 600px)': { padding: '0 16px 16px' } },
  empty: { color: tokens.colorNeutralForeground3 },
});

const noFilters = {};
const nothingMarked: ReadonlySet<number> = new Set();

/** The own orders at the payment service, the newest first. */
export function OrderCard() {
  const { t } = useTranslation('account');
  const styles = useStyles();
  const hasCards = useHasCards();
  const list = useList({ name: 'top-up', filters: noFilters, load: listOrders });
  const columns = useOrderColumns();
  const marking = { marked: nothingMarked, onMark: () => {} };
  const { rows, error } = list;
  return (
    <SectionCard title={t('order.title')} purpose={t('order.purpose')} isFlush>
      {error && (
        <div className={styles.inset}>
          <LoadError error={error} onRetry={list.refresh} />
        </div>
      )}
      {!error && rows === undefined && <ListSkeleton columns={hasCards ? 1 : columns.length} />}
      {rows?.length === 0 && <Text className={mergeClasses(styles.inset, styles.empty)}>{t('order.empty')}</Text>}
      {rows && rows.length > 0 && (
        <>
          {hasCards ? (
            <ListCards
              {...{ rows, ...marking }}
              rowName={nameOf}
              card={{ status: (order) => <StatusBadge order={order} />, figure: (order) => <Sum order={order} /> }}
            />
          ) : (
            <ListGrid title={t('order.title')} {...{ rows, columns, ...marking }} rowName={nameOf} />
          )}
          <ListPager list={list} />
        </>
      )}
    </SectionCard>
  );
}

const nameOf = (order: TopUp) => order.trade_no;

function useOrderColumns(): Column<TopUp>[] {
  const { t } = useTranslation('account');
  const format = useFormat();
  return useMemo(
    () => [
      { key: 'number', title: t('order.number'), grow: 1.6, minWidth: 200, cell: ({ trade_no: number }) => number },
      { key: 'status', title: t('order.status'), minWidth: 88, cell: (order) => <StatusBadge order={order} /> },
      { key: 'quota', title: t('order.quota'), minWidth: 96, isNumber: true, cell: ({ quota }) => format.quota(quota) },
      {
        key: 'money',
        title: t('order.money'),
        minWidth: 96,
        isNumber: true,
        cell: ({ money }) => t('order.paid', { money: money.toFixed(2) }),
      },
      { key: 'method', title: t('order.method'), minWidth: 96, cell: (order) => <Method order={order} /> },
      {
        key: 'created',
        title: t('order.created'),
        grow: 1.2,
        minWidth: 150,
        cell: ({ create_time: time }) => format.time(time),
      },
      {
        key: 'completed',
        title: t('order.completed'),
        grow: 1.2,
        minWidth: 150,
        cell: ({ complete_time: time }) => format.time(time),
      },
    ],
    [t, format],
  );
}

function StatusBadge({ order: { status } }: { order: TopUp }) {
  const { t } = useTranslation('account');
  const isKnown = status === 'success' || status === 'pending';
  return (
    <Badge appearance="tint" color={status === 'success' ? 'success' : 'warning'}>
      {isKnown ? t(`order.state.${status}`) : status}
    </Badge>
  );
}

function Method({ order: { payment_method: method } }: { order: TopUp }) {
  const { t } = useTranslation('account');
  return method === 'zfb' || method === 'wx' ? t(`order.by.${method}`) : method;
}

function Sum({ order }: { order: TopUp }) {
  const { t } = useTranslation('account');
  const format = useFormat();
  return t('order.sum', {
    quota: format.quota(order.quota),
    money: order.money.toFixed(2),
    time: format.time(order.create_time),
  });
}
