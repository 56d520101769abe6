import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PriceHistoryRow } from '../../../../core/schemas/price-sync.ts';
import { historyPageSize, priceHistoryOptions } from '../../api/price-sync.ts';
import { LoadError } from '../../components/feedback/load-error.tsx';
import { WaitingSkeleton } from '../../components/object/waiting-skeleton.tsx';
import { PageTurner } from '../../components/page-turner.tsx';
import { SmallTable } from '../../components/small-table.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useFormat } from '../../state/format.ts';
import { type PriceFigure, priceFigures, useListedPrice } from '../../state/listed-price.ts';
import { objectPath } from '../../state/object-path.ts';

const useStyles = makeStyles({
  history: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS, minWidth: 0 },
  // An address may be broken anywhere, but not into single letters.
  from: { display: 'inline-block', minWidth: '160px' },
});

/** Who changed which price, when, from what to what, and where the new one came from. For admins: it is a part of the audit log. */
export function PriceHistory({ model = '' }: { model?: string }) {
  const { t } = useTranslation('model');
  const styles = useStyles();
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery(priceHistoryOptions({ model, page }));
  const format = useFormat();
  const price = useListedPrice(t('history.unpriced'));
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data) return <WaitingSkeleton />;
  if (data.total === 0) return <Text>{t('history.none')}</Text>;
  const actorOf = ({ actor_id: id, actor_name: name }: PriceHistoryRow) =>
    id > 0 ? <TextLink to={objectPath.user(id)}>{name}</TextLink> : t('history.system');
  const originOf = ({ origin, list }: PriceHistoryRow) =>
    [origin && t(`history.origin.${origin}`), list].filter(Boolean).join(': ');
  const has = ({ before, after }: PriceHistoryRow, figure: PriceFigure) =>
    before?.[figure] !== undefined || after?.[figure] !== undefined;
  const used = priceFigures.filter((figure) => data.items.some((row) => has(row, figure)));
  return (
    <div className={styles.history}>
      <SmallTable
        label={t('history.title')}
        isWide
        columns={[
          { title: t('history.time'), isWord: true },
          ...(model === '' ? [{ title: t('history.model') }] : []),
          { title: t('history.actor') },
          { title: t('history.from') },
          ...used.map((figure) => ({ title: t(`history.${figure}`), isNumber: true })),
        ]}
        rows={data.items.map((row) => ({
          key: String(row.id),
          cells: [
            format.time(row.created_at),
            ...(model === ''
              ? [
                  <TextLink key="model" to={objectPath.model(row.model)}>
                    {row.model}
                  </TextLink>,
                ]
              : []),
            actorOf(row),
            <span key="from" className={styles.from}>
              {originOf(row)}
            </span>,
            ...used.map((figure) => price.change(row.before, row.after, figure)),
          ],
        }))}
      />
      {data.total > historyPageSize && (
        <PageTurner page={page} pageSize={historyPageSize} total={data.total} onPage={setPage} />
      )}
    </div>
  );
}
