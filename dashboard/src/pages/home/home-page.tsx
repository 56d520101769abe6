import { Card, makeStyles, Subtitle2, Text, tokens, typographyStyles } from '@fluentui/react-components';
import { PlugConnected24Regular } from '@fluentui/react-icons/svg/plug-connected';
import { ReceiptMoney24Regular } from '@fluentui/react-icons/svg/receipt-money';
import { ShieldCheckmark24Regular } from '@fluentui/react-icons/svg/shield-checkmark';
import { useTranslation } from 'react-i18next';
import { useStatus } from '../../api/status.ts';
import { ButtonLink } from '../../components/button-link.tsx';
import { CallExample } from '../../components/call-example.tsx';
import { OperatorPage } from '../../components/operator-page.tsx';
import { usePageTitle } from '../../components/page.tsx';
import { sessionUser } from '../../state/session.ts';
import { GetStarted } from './get-started.tsx';

/** The operator's own page, else what a user needs to make a first call. */
export function HomePage() {
  const { t } = useTranslation('home');
  return (
    <OperatorPage name="home_page_content" title={t('title')} before={<GetStarted />}>
      <OwnHome />
    </OperatorPage>
  );
}

const useStyles = makeStyles({
  page: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalXXXL,
    width: '100%',
    maxWidth: '1200px',
    boxSizing: 'border-box',
    margin: '0 auto',
    padding: '48px 24px',
    '@media (max-width: 600px)': { padding: '24px 16px', gap: tokens.spacingVerticalXXL },
  },
  hero: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1.1fr)',
    alignItems: 'center',
    gap: '48px',
    '@media (max-width: 900px)': { gridTemplateColumns: 'minmax(0, 1fr)', gap: '24px' },
  },
  words: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalL },
  title: {
    ...typographyStyles.largeTitle,
    margin: 0,
    outlineStyle: 'none',
    '@media (max-width: 600px)': { fontSize: tokens.fontSizeHero800, lineHeight: tokens.lineHeightHero800 },
  },
  lead: { color: tokens.colorNeutralForeground2, maxWidth: '52ch' },
  actions: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalM },
  points: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(240px, 1fr))',
    gap: tokens.spacingHorizontalL,
  },
  point: { padding: tokens.spacingHorizontalXL, gap: tokens.spacingVerticalS },
  icon: {
    display: 'inline-flex',
    alignSelf: 'flex-start',
    padding: tokens.spacingHorizontalS,
    borderRadius: tokens.borderRadiusLarge,
    color: tokens.colorBrandForeground2,
    backgroundColor: tokens.colorBrandBackground2,
  },
  name: { margin: 0 },
  quiet: { color: tokens.colorNeutralForeground3 },
});

const points = [
  { key: 'protocol', icon: <PlugConnected24Regular /> },
  { key: 'bill', icon: <ReceiptMoney24Regular /> },
  { key: 'safe', icon: <ShieldCheckmark24Regular /> },
];

function OwnHome() {
  const { t } = useTranslation('home');
  const styles = useStyles();
  const { system_name: systemName } = useStatus();
  const title = usePageTitle(t('title'));
  return (
    <div className={styles.page}>
      <GetStarted />
      <div className={styles.hero}>
        <div className={styles.words}>
          <h1 ref={title} tabIndex={-1} className={styles.title}>
            {t('headline')}
          </h1>
          <Text size={400} className={styles.lead}>
            {t('lead', { name: systemName })}
          </Text>
          <Actions />
        </div>
        <CallExample />
      </div>
      <div className={styles.points}>
        {points.map(({ key, icon }) => (
          <Card key={key} className={styles.point}>
            <span className={styles.icon}>{icon}</span>
            <Subtitle2 as="h2" className={styles.name}>
              {t(`point.${key}.title`)}
            </Subtitle2>
            <Text className={styles.quiet}>{t(`point.${key}.text`)}</Text>
          </Card>
        ))}
      </div>
    </div>
  );
}

function Actions() {
  const { t } = useTranslation('home');
  const styles = useStyles();
  const user = sessionUser.use();
  return (
    <div className={styles.actions}>
      {user ? (
        <ButtonLink to="/token" appearance="primary" size="large">
          {t('action.token')}
        </ButtonLink>
      ) : (
        <ButtonLink to="/login" appearance="primary" size="large">
          {t('action.signIn')}
        </ButtonLink>
      )}
      <ButtonLink to="/pricing" size="large">
        {t('action.pricing')}
      </ButtonLink>
    </div>
  );
}
