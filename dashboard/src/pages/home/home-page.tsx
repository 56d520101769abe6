import { Card, makeStyles, mergeClasses, Subtitle2, Text, tokens, typographyStyles } from '@fluentui/react-components';
import { LockClosed24Regular } from '@fluentui/react-icons/svg/lock-closed';
import { ReceiptMoney24Regular } from '@fluentui/react-icons/svg/receipt-money';
import { ShieldCheckmark24Regular } from '@fluentui/react-icons/svg/shield-checkmark';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { chatModelIn } from '../../../../core/schemas/chat-model.ts';
import { type PriceRow, priceListOptions } from '../../api/pricing.ts';
import { useStatus } from '../../api/status.ts';
import { ButtonLink } from '../../components/button-link.tsx';
import { cardFrame, cardRoom } from '../../components/card-frame.ts';
import { OperatorPage } from '../../components/operator-page.tsx';
import { usePageTitle } from '../../components/page.tsx';
import { sessionUser } from '../../state/session.ts';
import { ExampleReceipt } from './example-receipt.tsx';
import { GetStarted } from './get-started.tsx';
import { ModelCard } from './model-card.tsx';
import { ProtocolCard } from './protocol-card.tsx';

/** The operator's own page, else what is served here, what it costs, and how to begin. */
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
  // Before there is a model with a price, no receipt stands beside the words.
  alone: { gridTemplateColumns: 'minmax(0, 1fr)' },
  words: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalL },
  title: {
    ...typographyStyles.largeTitle,
    margin: 0,
    outlineStyle: 'none',
    '@media (max-width: 600px)': { fontSize: tokens.fontSizeHero800, lineHeight: tokens.lineHeightHero800 },
  },
  lead: { color: tokens.colorNeutralForeground2, maxWidth: '52ch', textWrap: 'balance' },
  actions: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalM },
  points: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(240px, 1fr))',
    gap: tokens.spacingHorizontalL,
  },
  point: { ...cardFrame, ...cardRoom, gap: tokens.spacingVerticalS },
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
  section: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalL, minWidth: 0 },
  heading: { ...typographyStyles.subtitle1, margin: 0 },
});

const points = [
  { key: 'hold', icon: <LockClosed24Regular /> },
  { key: 'settle', icon: <ReceiptMoney24Regular /> },
  { key: 'prove', icon: <ShieldCheckmark24Regular /> },
];

function OwnHome() {
  const { t } = useTranslation('home');
  const styles = useStyles();
  const { system_name: systemName } = useStatus();
  const title = usePageTitle(t('title'));
  const { rows, groupRatio, example } = useServed();
  const model = example?.model_name ?? chatModelIn(rows.map(({ model_name: name }) => name));
  return (
    <div className={styles.page}>
      <GetStarted />
      <div className={mergeClasses(styles.hero, !example && styles.alone)}>
        <div className={styles.words}>
          <h1 ref={title} tabIndex={-1} className={styles.title}>
            {t('headline')}
          </h1>
          <Text size={400} className={styles.lead}>
            {t('lead', { name: systemName })}
          </Text>
          <Actions />
        </div>
        {example && <ExampleReceipt row={example} groupRatio={groupRatio} />}
      </div>
      {rows.length > 0 && <ModelCard rows={rows} groupRatio={groupRatio} />}
      <ProtocolCard model={model || 'gpt-4o-mini'} />
      <Proof />
    </div>
  );
}

/** The models of the reader's group, and the one to compute an example with. */
function useServed() {
  const group = sessionUser.use()?.group ?? 'default';
  const { data } = useQuery(priceListOptions);
  // Requests of a model without a price are refused.
  const rows: PriceRow[] = (data?.data ?? []).filter((row) => row.price_source !== 'none');
  const byTokens = rows.filter((row) => row.quota_type === 0 && row.model_ratio > 0);
  const name = chatModelIn(byTokens.map((row) => row.model_name));
  return {
    rows,
    groupRatio: data?.group_ratio[group] ?? 1,
    example: byTokens.find((row) => row.model_name === name),
  };
}

function Proof() {
  const { t } = useTranslation('home');
  const styles = useStyles();
  return (
    <section className={styles.section}>
      <h2 className={styles.heading}>{t('proof.title')}</h2>
      <div className={styles.points}>
        {points.map(({ key, icon }) => (
          <Card key={key} className={styles.point}>
            <span className={styles.icon}>{icon}</span>
            <Subtitle2 as="h3" className={styles.name}>
              {t(`point.${key}.title`)}
            </Subtitle2>
            <Text className={styles.quiet}>{t(`point.${key}.text`)}</Text>
          </Card>
        ))}
      </div>
    </section>
  );
}

function Actions() {
  const { t } = useTranslation('home');
  const styles = useStyles();
  const user = sessionUser.use();
  return (
    <div className={styles.actions}>
      <ButtonLink to={user ? '/token' : '/register'} appearance="primary" size="large">
        {t(user ? 'action.token' : 'action.key')}
      </ButtonLink>
      <ButtonLink to="/pricing" size="large">
        {t('action.pricing')}
      </ButtonLink>
      <ButtonLink to="/docs" size="large" appearance="subtle">
        {t('action.docs')}
      </ButtonLink>
    </div>
  );
}
