import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../state/format.ts';
import { TextLink } from '../text-link.tsx';
import { WorkFacts } from './work-facts.tsx';

export interface Charge {
  quota: number;
  request_id: string | null;
  refund: number;
  /** Unix seconds. */
  refunded_at: number;
}

const useStyles = makeStyles({
  charge: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXS },
  receipt: { marginInlineStart: tokens.spacingHorizontalM },
});

/** What a job cost, what came back, and the way to the receipt. */
export function WorkCharge({ charge: { quota, request_id: request, refund, refunded_at: at } }: { charge: Charge }) {
  const { t } = useTranslation('work');
  const styles = useStyles();
  const format = useFormat();
  if (quota <= 0) return <Text>{t('charge.none')}</Text>;
  const receipt = request && (
    <span className={styles.receipt}>
      <TextLink to={`/log?range=all&request_id=${encodeURIComponent(request)}`}>{t('charge.receipt')}</TextLink>
    </span>
  );
  const back = refund > 0 ? t('charge.refundedAt', { amount: format.quota(refund), time: format.time(at) }) : '';
  return (
    <WorkFacts
      facts={[
        { label: t('charge.charged'), text: format.quota(quota), beside: receipt },
        { label: t('charge.refunded'), text: back },
      ]}
    />
  );
}
