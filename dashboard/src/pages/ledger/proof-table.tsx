import { Badge } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import type { LedgerProof } from '../../api/ledger.ts';
import { SmallTable } from '../../components/small-table.tsx';
import { useFormat } from '../../state/format.ts';

/** The last proofs, newest first. */
export function ProofTable({ proofs }: { proofs: LedgerProof[] }) {
  const { t } = useTranslation('ledger');
  const format = useFormat();
  return (
    <SmallTable
      label={t('last.title')}
      isWide
      columns={['time', 'result', 'checked', 'took', 'by'].map((key) => ({ title: t(`last.${key}`) }))}
      rows={proofs.map(({ at, took_ms, by, ok, checked, difference_count }) => ({
        key: `${at} ${took_ms}`,
        cells: [
          format.time(at),
          <Badge key="result" appearance="tint" color={ok ? 'success' : 'danger'}>
            {ok ? t('last.ok') : t('last.wrong', { count: difference_count, figures: format.number(difference_count) })}
          </Badge>,
          format.number(Object.values(checked).reduce((sum, rows) => sum + rows, 0)),
          took_ms < 1000
            ? t('last.milliseconds', { ms: took_ms })
            : t('last.seconds', { seconds: (took_ms / 1000).toFixed(1) }),
          by || t('last.nightly'),
        ],
      }))}
    />
  );
}
