import { Button, makeStyles, Text, tokens, typographyStyles } from '@fluentui/react-components';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { useFirstScreen } from '../state/first-screen.ts';
import { sessionUser } from '../state/session.ts';
import { ButtonLink } from './button-link.tsx';
import { usePageTitle } from './page.tsx';

const useStyles = makeStyles({
  place: {
    flex: '1 0 auto',
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    padding: '32px 16px',
  },
  card: {
    width: '100%',
    maxWidth: '480px',
    padding: '40px 32px',
    boxSizing: 'border-box',
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    gap: tokens.spacingVerticalL,
    textAlign: 'center',
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: tokens.colorNeutralBackground1,
    boxShadow: tokens.shadow4,
  },
  icon: {
    display: 'flex',
    padding: tokens.spacingHorizontalL,
    borderRadius: tokens.borderRadiusCircular,
    color: tokens.colorBrandForeground2,
    backgroundColor: tokens.colorBrandBackground2,
  },
  title: { ...typographyStyles.title2, margin: 0, outlineStyle: 'none' },
  text: { textAlign: 'center', color: tokens.colorNeutralForeground3, overflowWrap: 'anywhere', textWrap: 'balance' },
  ways: { display: 'flex', flexWrap: 'wrap', justifyContent: 'center', gap: tokens.spacingHorizontalM },
});

/** In place of a page that is not to be seen: why, and the ways on. */
export function WayBackCard({ icon, title, text }: { icon: ReactElement; title: string; text: string }) {
  const { t } = useTranslation('shell');
  const styles = useStyles();
  const navigate = useNavigate();
  const user = sessionUser.use();
  // The first place of a visit has nothing of ours before it.
  const hasBefore = useLocation().key !== 'default';
  useFirstScreen(true);
  const titleRef = usePageTitle(title);
  return (
    <div className={styles.place}>
      <div className={styles.card}>
        <span className={styles.icon}>{icon}</span>
        <h1 ref={titleRef} tabIndex={-1} className={styles.title}>
          {title}
        </h1>
        <Text className={styles.text}>{text}</Text>
        <div className={styles.ways}>
          {hasBefore && <Button onClick={() => void navigate(-1)}>{t('wayBack.before')}</Button>}
          <ButtonLink to={user ? '/token' : '/login'} appearance="primary">
            {t(user ? 'wayBack.console' : 'navigation.login')}
          </ButtonLink>
        </div>
      </div>
    </div>
  );
}
