import { makeStyles } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page.tsx';
import { PasswordCard } from '../setting/personal/password-card.tsx';
import { ProfileCard } from '../setting/personal/profile-card.tsx';

/** The accounts spec, section 9. */
const useStyles = makeStyles({
  cards: { display: 'flex', flexDirection: 'column', gap: '16px', width: '600px', maxWidth: '100%' },
});

/** /user/edit: the user's own names and password. */
export function OwnPage() {
  const { t } = useTranslation('account');
  const styles = useStyles();
  return (
    <Page title={t('own.title')} purpose={t('own.purpose')}>
      <div className={styles.cards}>
        <ProfileCard />
        <PasswordCard />
      </div>
    </Page>
  );
}
