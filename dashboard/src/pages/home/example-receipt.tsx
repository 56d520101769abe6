import { makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components';
import { ShieldCheckmark20Regular } from '@fluentui/react-icons/svg/shield-checkmark';
import { useTranslation } from 'react-i18next';
import { prepareRates, priceUsage } from '../../../../core/billing/price.ts';
import type { PriceRow } from '../../api/pricing.ts';
import { useStatus } from '../../api/status.ts';
import { SectionCard } from '../../components/section-card.tsx';
import { useFormat } from '../../state/format.ts';
import { useRelativeTime } from '../../state/relative-time.ts';

const useStyles = makeStyles({
  bill: { borderCollapse: 'collapse', width: '100%', fontVariantNumeric: 'tabular-nums' },
  name: { textAlign: 'start', fontWeight: tokens.fontWeightRegular, padding: '4px 12px 4px 0' },
  figure: { textAlign: 'end', padding: '4px 0 4px 12px', whiteSpace: 'nowrap' },
  quiet: { color: tokens.colorNeutralForeground3 },
  total: {
    borderTop: `1px solid ${tokens.colorNeutralStroke1}`,
    fontWeight: tokens.fontWeightSemibold,
    fontSize: tokens.fontSizeBase400,
  },
  proof: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    color: tokens.colorNeutralForeground2,
  },
  fresh: { color: tokens.colorStatusSuccessForeground1 },
});

/** Green is for what was proven in the last hour. */
const freshSeconds = 3600;

/** A chat of some length, most of whose prompt was there before. */
const exampleUsage = {
  ...{ prompt: 3200, cachedRead: 2400, completion: 640 },
  ...{ cacheWrite: 0, reasoning: 0, audioInput: 0, audioOutput: 0 },
};

/** What such a request costs here and now, computed as every bill is, and when the ledger was last proved. */
export function ExampleReceipt({ row, groupRatio }: { row: PriceRow; groupRatio: number }) {
  const { t } = useTranslation('home');
  const styles = useStyles();
  const format = useFormat();
  const since = useRelativeTime();
  const { quota_per_unit: quotaPerUnit, ledger_proved_at: provedAt } = useStatus();
  const isFresh = Date.now() / 1000 - provedAt < freshSeconds;
  const { lines, quota } = receiptOf(row, { groupRatio, quotaPerUnit });
  return (
    <SectionCard title={t('receipt.title')} purpose={t('receipt.text', { model: row.model_name })}>
      <table className={styles.bill} aria-label={t('receipt.title')}>
        <tbody>
          {lines.map(({ what, count, amount }) => (
            <tr key={what}>
              <th scope="row" className={styles.name}>
                {t(`receipt.${what}`)}
              </th>
              <td className={mergeClasses(styles.figure, styles.quiet)}>
                {what === 'rounding' ? '' : format.number(count)}
              </td>
              <td className={styles.figure}>{dollars(Number(amount) / quotaPerUnit)}</td>
            </tr>
          ))}
          <tr className={styles.total}>
            <th scope="row" className={mergeClasses(styles.name, styles.total)}>
              {t('receipt.total')}
            </th>
            <td />
            <td className={styles.figure}>{dollars(quota / quotaPerUnit)}</td>
          </tr>
        </tbody>
      </table>
      <Text className={mergeClasses(styles.proof, isFresh && styles.fresh)}>
        <ShieldCheckmark20Regular />
        {provedAt > 0 ? t('receipt.proved', { time: since(provedAt) }) : t('receipt.unproved')}
      </Text>
    </SectionCard>
  );
}

/** A millionth of a dollar is half a unit of quota: lines show more digits than the total has. */
const dollars = (value: number) => `${value < 0 ? '−' : ''}$${Math.abs(value).toFixed(7)}`;

function receiptOf(row: PriceRow, { groupRatio, quotaPerUnit }: { groupRatio: number; quotaPerUnit: number }) {
  const rates = prepareRates({
    ...({ kind: 'ratio', source: 'operator', modelPrice: -1 } as const),
    modelRatio: row.model_ratio,
    completionRatio: row.completion_ratio,
    cacheRatio: row.cache_ratio,
    createCacheRatio: row.create_cache_ratio,
    createCacheHourRatio: row.create_cache_hour_ratio,
    audioRatio: row.audio_ratio,
    audioCompletionRatio: row.audio_completion_ratio,
    imageRatio: 1,
    imageCompletionRatio: 1,
    groupRatio,
    quotaPerUnit,
  });
  return priceUsage(rates, exampleUsage);
}
