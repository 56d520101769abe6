import { makeStyles } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { BalanceFigures } from '../../components/account/balance-figures.tsx';
import { InvitationCard } from '../../components/account/invitation-card.tsx';
import { Deferred } from '../../components/deferred.tsx';
import { lazyTab } from '../../components/object/lazy-tab.ts';
import { Page } from '../../components/page.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { OrderCard } from './order-card.tsx';
import { PayCard } from './pay-card.tsx';
import { RedeemCard } from './redeem-card.tsx';

const OwnLimits = lazyTab(['limit'], async () => (await import('../limit/own-limit-card.tsx')).OwnLimitCard);

const useStyles = makeStyles({
  columns: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(380px, 100%), 1fr))',
    gap: '16px',
    alignItems: 'start',
  },
  column: { display: 'flex', flexDirection: 'column', gap: '16px', minWidth: 0 },
});

/** The own balance and every way to add to it. */
export function WalletPage() {
  const { t } = useTranslation('account');
  const styles = useStyles();
  return (
    <Page title={t('wallet.title')} purpose={t('wallet.purpose')} sections={['payment']}>
      <div className={styles.columns}>
        <div className={styles.column}>
          <SectionCard title={t('balance.title')}>
            <BalanceFigures />
          </SectionCard>
          <Deferred>
            <OwnLimits isMoney />
          </Deferred>
          <PayCard />
        </div>
        <div className={styles.column}>
          <RedeemCard />
          <InvitationCard />
        </div>
      </div>
      <OrderCard />
    </Page>
  );
}
