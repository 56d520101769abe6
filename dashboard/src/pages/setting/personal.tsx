import { makeStyles } from '@fluentui/react-components';
import { Suspense } from 'react';
import { InvitationCard } from '../../components/account/invitation-card.tsx';
import { AccessTokenCard } from './personal/access-token-card.tsx';
import { BindingCard } from './personal/binding-card.tsx';
import { CloseAccountCard } from './personal/close-account-card.tsx';
import { ModelCard } from './personal/model-card.tsx';
import { NotificationCard } from './personal/notification-card.tsx';
import { OverviewCard } from './personal/overview-card.tsx';
import { PasswordCard } from './personal/password-card.tsx';
import { ProfileCard } from './personal/profile-card.tsx';
import { SessionCard } from './personal/session-card.tsx';
import { TwoFactorCard } from './personal/two-factor-card.tsx';

const useStyles = makeStyles({
  columns: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(400px, 100%), 1fr))',
    gap: '16px',
    alignItems: 'start',
  },
  column: { display: 'flex', flexDirection: 'column', gap: '16px', minWidth: 0 },
});

/** Everything about the own account. */
export function PersonalTab() {
  const styles = useStyles();
  return (
    // Brings its own texts, which come while the page stands.
    <Suspense fallback={null}>
      <div className={styles.columns}>
        <div className={styles.column}>
          <OverviewCard />
          <InvitationCard />
          <ProfileCard />
          <PasswordCard />
          <NotificationCard />
        </div>
        <div className={styles.column}>
          <BindingCard />
          <TwoFactorCard />
          <SessionCard />
          <AccessTokenCard />
          <ModelCard />
          <CloseAccountCard />
        </div>
      </div>
    </Suspense>
  );
}
