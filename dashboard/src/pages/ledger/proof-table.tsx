import {
  Badge,
  makeStyles,
  Table,
  TableBody,
  TableCell,
  TableHeader,
  TableHeaderCell,
  TableRow,
} from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import type { LedgerProof } from '../../api/ledger.ts';
import { useFormat } from '../../state/format.ts';

const useStyles = makeStyles({
  scroll: { overflowX: 'auto' },
  table: { minWidth: '560px' },
});

/** The last proofs, newest first. */
export function ProofTable({ proofs }: { proofs: LedgerProof[] }) {
  const { t } = useTranslation('ledger');
  const styles = useStyles();
  const format = useFormat();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a frame and a legend
    <div className={styles.scroll} tabIndex={0} role="group" aria-label={t('last.title')}>
      <Table size="small" className={styles.table} aria-label={t('last.title')}>
        <TableHeader>
          <TableRow>
            {['time', 'result', 'checked', 'took', 'by'].map((key) => (
              <TableHeaderCell key={key}>{t(`last.${key}`)}</TableHeaderCell>
            ))}
          </TableRow>
        </TableHeader>
        <TableBody>
          {proofs.map(({ at, took_ms, by, ok, checked, difference_count }) => (
            <TableRow key={`${at} ${took_ms}`}>
              <TableCell>{format.time(at)}</TableCell>
              <TableCell>
                <Badge appearance="tint" color={ok ? 'success' : 'danger'}>
                  {ok ? t('last.ok') : t('last.wrong', { count: difference_count })}
                </Badge>
              </TableCell>
              <TableCell>{format.number(Object.values(checked).reduce((sum, rows) => sum + rows, 0))}</TableCell>
              <TableCell>{durationText(took_ms)}</TableCell>
              <TableCell>{by || t('last.nightly')}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  );
}

const durationText = (ms: number) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);
