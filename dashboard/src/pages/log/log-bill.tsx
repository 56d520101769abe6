import { makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { prepareRates, priceUsage, type Rates, type Receipt } from '../../../../core/billing/price.ts';
import type { Log } from '../../../../core/schemas/log.ts';
import { useStatus } from '../../api/status.ts';
import { useFormat } from '../../state/format.ts';
import { priceFormula } from './formula.ts';
import { readRecord } from './log-record.ts';
import { billOf } from './row-bill.ts';

const useStyles = makeStyles({
  part: { minWidth: 0, display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS },
  bill: { borderCollapse: 'collapse', width: '100%', fontVariantNumeric: 'tabular-nums' },
  name: { textAlign: 'start', fontWeight: tokens.fontWeightRegular, padding: '3px 12px 3px 0' },
  figure: { textAlign: 'end', padding: '3px 0 3px 12px', whiteSpace: 'nowrap' },
  sum: { color: tokens.colorNeutralForeground3 },
  total: { borderTop: `1px solid ${tokens.colorNeutralStroke1}`, fontWeight: tokens.fontWeightSemibold },
  note: { color: tokens.colorNeutralForeground3, overflowWrap: 'anywhere' },
  formula: { fontFamily: tokens.fontFamilyMonospace, fontSize: tokens.fontSizeBase200, overflowWrap: 'anywhere' },
});

/** The bill of a call, line by line as it was computed, and as one formula. */
export function LogBill({ log }: { log: Log }) {
  const { t } = useTranslation('log');
  const styles = useStyles();
  const format = useFormat();
  const { quota_per_unit: quotaPerUnit } = useStatus();
  const computed = computeBill(log, quotaPerUnit);
  if (!computed) {
    return (
      <div className={styles.part}>
        <Text weight="semibold">{t('bill.title')}</Text>
        <Text>{t('bill.none', { amount: format.cost(log.quota) })}</Text>
      </div>
    );
  }
  const { receipt, rates } = computed;
  const formula = priceFormula(receipt, rates);
  const isVideo = readRecord(log).action === 'VIDEO';
  return (
    <div className={styles.part}>
      <Text weight="semibold">{t('bill.title')}</Text>
      <table className={styles.bill}>
        <tbody>
          {receipt.lines.map(({ what, count, rate, amount }) => (
            <tr key={what}>
              <th scope="row" className={styles.name}>
                {t(`line.${what === 'call' && isVideo ? 'second' : what}`)}
              </th>
              <td className={mergeClasses(styles.figure, styles.sum)}>
                {what === 'rounding' ? '' : `${format.number(count)} × ${rate}`}
              </td>
              <td className={styles.figure}>{format.exact(amount)}</td>
            </tr>
          ))}
          <tr className={styles.total}>
            <th scope="row" className={styles.name}>
              {t('bill.total')}
            </th>
            <td className={styles.figure}>{t('bill.quota', { quota: format.number(receipt.quota) })}</td>
            <td className={styles.figure}>{`$${(receipt.quota / rates.quotaPerUnit).toFixed(6)}`}</td>
          </tr>
        </tbody>
      </table>
      {formula && (
        <>
          <Text size={200} className={styles.note}>
            {t(rates.kind === 'price' ? 'bill.priceMeans' : 'bill.ratioMeans')}
          </Text>
          <code className={styles.formula}>{formula}</code>
        </>
      )}
      <BillNotes receipt={receipt} charged={log.quota} />
    </div>
  );
}

function BillNotes({ receipt, charged }: { receipt: Receipt; charged: number }) {
  const { t } = useTranslation('log');
  const styles = useStyles();
  const { longPrompt, tiers = [] } = receipt.terms ?? {};
  const notes = [
    ...(longPrompt ? [t('bill.longPrompt', { ...longPrompt })] : []),
    ...tiers.map(({ tier, ratio }) => t('bill.tier', { tier, ratio })),
    ...(receipt.quota === charged ? [] : [t('bill.differs', { quota: receipt.quota, charged })]),
  ];
  return notes.map((note) => (
    <Text key={note} size={200} className={styles.note}>
      {note}
    </Text>
  ));
}

function computeBill(log: Log, quotaPerUnit: number): { receipt: Receipt; rates: Rates } | undefined {
  const bill = billOf(log, quotaPerUnit);
  if (!bill) return undefined;
  try {
    return { receipt: priceUsage(prepareRates(bill.rates), bill.usage, bill.extras), rates: bill.rates };
  } catch {
    return undefined; // the figures of an imported row need not make sense
  }
}
