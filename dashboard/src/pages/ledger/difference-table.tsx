import {
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
import { TextLink } from '../../components/text-link.tsx';
import { useFormat } from '../../state/format.ts';

type Difference = LedgerProof['differences'][number];

const useStyles = makeStyles({
  scroll: { overflowX: 'auto' },
  table: { minWidth: '560px' },
  number: { textAlign: 'end', fontVariantNumeric: 'tabular-nums' },
  head: { '& > *': { justifyContent: 'flex-end' } },
  id: { overflowWrap: 'anywhere' },
});

/** Where the books disagree, in money and, one look away, in units. */
export function DifferenceTable({ differences }: { differences: Difference[] }) {
  const { t } = useTranslation('ledger');
  const styles = useStyles();
  const format = useFormat();
  const units = (quota: number) => t('shell:units', { amount: format.number(quota) });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a frame and a legend
    <div className={styles.scroll} tabIndex={0} role="group" aria-label={t('difference.title')}>
      <Table size="small" className={styles.table} aria-label={t('difference.title')}>
        <TableHeader>
          <TableRow>
            <TableHeaderCell>{t('difference.where')}</TableHeaderCell>
            <TableHeaderCell>{t('difference.rule')}</TableHeaderCell>
            {['expected', 'found', 'off'].map((key) => (
              <TableHeaderCell key={key} className={styles.head}>
                {t(`difference.${key}`)}
              </TableHeaderCell>
            ))}
          </TableRow>
        </TableHeader>
        <TableBody>
          {differences.map((difference) => {
            const { subject, id, rule, expected, found } = difference;
            return (
              <TableRow key={`${subject} ${id} ${rule}`}>
                <TableCell className={styles.id}>
                  <Place {...difference} />
                </TableCell>
                <TableCell>{t(`rule.${rule}`)}</TableCell>
                {[expected, found, found - expected].map((quota, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: three figures, always in this order
                  <TableCell key={index} className={styles.number} title={units(quota)}>
                    {format.quota(quota)}
                  </TableCell>
                ))}
              </TableRow>
            );
          })}
        </TableBody>
      </Table>
    </div>
  );
}

const pageOf = { user: (id: string) => `/user/edit/${id}`, channel: (id: string) => `/channel/edit/${id}` };

function Place({ subject, id }: Difference) {
  const { t } = useTranslation('ledger');
  const name = t(`subject.${subject}`, { id });
  return subject === 'user' || subject === 'channel' ? <TextLink to={pageOf[subject](id)}>{name}</TextLink> : name;
}
