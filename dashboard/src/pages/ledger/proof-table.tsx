import { Badge, Text } from '@fluentui/react-components';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { LedgerProof } from '../../api/ledger.ts';
import { useHasCards } from '../../components/list/use-has-cards.ts';
import { SmallTable } from '../../components/small-table.tsx';
import { useFormat } from '../../state/format.ts';

/** The last proofs, newest first. */
export function ProofTable({ proofs }: { proofs: LedgerProof[] }) {
  const { t } = useTranslation('ledger');
  const format = useFormat();
  // A phone has room for three columns: how long it took, and for whom, is below the time.
  const hasCards = useHasCards();
  const columns = hasCards ? ['time', 'result', 'checked'] : ['time', 'result', 'checked', 'took', 'by'];
  return (
    <SmallTable
      label={t('last.title')}
      isWide={!hasCards}
      columns={columns.map((key) => ({
        title: t(`last.${key}`),
        isWord: key === 'result',
        isNumber: hasCards && key === 'checked',
      }))}
      rows={proofs.map(({ at, took_ms, by, ok, checked, difference_count }) => {
        const took =
          took_ms < 1000
            ? t('last.milliseconds', { ms: took_ms })
            : t('last.seconds', { seconds: (took_ms / 1000).toFixed(1) });
        const asker = by || t('last.nightly');
        return {
          key: `${at} ${took_ms}`,
          cells: [
            <Fragment key="time">
              {format.time(at)}
              {hasCards && (
                <Text block size={200}>
                  {asker} · {took}
                </Text>
              )}
            </Fragment>,
            <Badge key="result" appearance="tint" color={ok ? 'success' : 'danger'}>
              {ok
                ? t('last.ok')
                : t('last.wrong', { count: difference_count, figures: format.number(difference_count) })}
            </Badge>,
            format.number(Object.values(checked).reduce((sum, rows) => sum + rows, 0)),
            ...(hasCards ? [] : [took, asker]),
          ],
        };
      })}
    />
  );
}
