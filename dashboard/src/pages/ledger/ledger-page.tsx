import { Button, makeStyles, ProgressBar, Text, tokens } from '@fluentui/react-components';
import { ShieldCheckmark20Regular } from '@fluentui/react-icons/svg/shield-checkmark';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ledgerProofOptions, startLedgerProof } from '../../api/ledger.ts';
import { useNotify } from '../../components/feedback/notify.tsx';
import { UntilLoaded } from '../../components/feedback/until-loaded.tsx';
import { Page } from '../../components/page.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { useFormat } from '../../state/format.ts';
import { DifferenceTable } from './difference-table.tsx';
import { ProofState } from './proof-state.tsx';
import { ProofTable } from './proof-table.tsx';

const useStyles = makeStyles({
  running: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXS },
});

/** Whether balances, counters, log rows and hourly sums agree: prove it now, and what the last proofs found. */
export function LedgerPage() {
  const { t } = useTranslation('ledger');
  const styles = useStyles();
  const notify = useNotify();
  const format = useFormat();
  const reading = useQuery(ledgerProofOptions);
  const { data } = reading;
  const latest = data?.proofs[0];

  async function prove(): Promise<void> {
    try {
      await startLedgerProof();
    } catch (error) {
      notify.error(error);
    }
  }

  return (
    <Page
      title={t('title')}
      purpose={t('purpose')}
      isReady={data !== undefined}
      action={
        <Button
          appearance="primary"
          icon={<ShieldCheckmark20Regular />}
          disabledFocusable={data?.running === true}
          onClick={() => void prove()}
        >
          {t('prove')}
        </Button>
      }
    >
      <UntilLoaded reading={reading} />
      {data?.running && (
        <div className={styles.running} role="status">
          <Text>{data.total > 0 ? t('running', { done: data.done, total: data.total }) : t('starting')}</Text>
          <ProgressBar aria-label={t('progress')} {...(data.total > 0 ? { value: data.done, max: data.total } : {})} />
        </div>
      )}
      {data && <ProofState proof={latest} />}
      {latest && latest.difference_count > 0 && (
        <SectionCard
          title={t('difference.title')}
          purpose={t('difference.purpose', {
            count: latest.difference_count,
            figures: format.number(latest.difference_count),
          })}
        >
          {latest.difference_count > latest.differences.length && (
            <Text>{t('difference.more', { shown: format.number(latest.differences.length) })}</Text>
          )}
          <DifferenceTable differences={latest.differences} />
        </SectionCard>
      )}
      {data && data.proofs.length > 0 && (
        <SectionCard title={t('last.title')} purpose={t('last.purpose')}>
          <ProofTable proofs={data.proofs} />
        </SectionCard>
      )}
    </Page>
  );
}
