import { Card, Link, makeStyles, Subtitle2, Text, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { usePublicAddress, useStatus } from '../../api/status.ts';
import { cardFrame, cardRoom } from '../../components/card-frame.ts';
import { OperatorPage } from '../../components/operator-page.tsx';
import { Page } from '../../components/page.tsx';
import { TextLink } from '../../components/text-link.tsx';

/** What the operator says about this installation, else what it is. */
export function AboutPage() {
  const { t } = useTranslation('about-page');
  return (
    <OperatorPage name="about" title={t('title')}>
      <OwnAbout />
    </OperatorPage>
  );
}

const useStyles = makeStyles({
  cards: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(280px, 1fr))',
    gap: tokens.spacingHorizontalL,
  },
  card: { ...cardFrame, ...cardRoom, gap: tokens.spacingVerticalM },
  title: { margin: 0 },
  facts: {
    display: 'grid',
    gridTemplateColumns: 'auto 1fr',
    gap: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalL}`,
    margin: 0,
  },
  term: { color: tokens.colorNeutralForeground3 },
  value: { margin: 0, overflowWrap: 'anywhere' },
  links: { display: 'flex', flexDirection: 'column', alignItems: 'flex-start', gap: tokens.spacingVerticalS },
});

function OwnAbout() {
  const { t } = useTranslation('about-page');
  const styles = useStyles();
  const { system_name: name, version, docs_link: docsLink } = useStatus();
  const address = usePublicAddress();
  const facts = [
    { key: 'name', value: name },
    { key: 'version', value: version ? `v${version}` : '' },
    { key: 'address', value: address },
    { key: 'license', value: 'MIT' },
  ];
  return (
    <Page title={t('title')} purpose={t('purpose')}>
      <div className={styles.cards}>
        <Card className={styles.card}>
          <Subtitle2 as="h2" className={styles.title}>
            {t('what')}
          </Subtitle2>
          <Text>{t('text', { name })}</Text>
        </Card>
        <Card className={styles.card}>
          <Subtitle2 as="h2" className={styles.title}>
            {t('installation')}
          </Subtitle2>
          <dl className={styles.facts}>
            {facts
              .filter(({ value }) => value !== '')
              .map(({ key, value }) => [
                <dt key={key} className={styles.term}>
                  {t(`fact.${key}`)}
                </dt>,
                <dd key={`${key} value`} className={styles.value}>
                  {value}
                </dd>,
              ])}
          </dl>
        </Card>
        <Card className={styles.card}>
          <Subtitle2 as="h2" className={styles.title}>
            {t('more')}
          </Subtitle2>
          <div className={styles.links}>
            <TextLink to="/pricing">{t('link.pricing')}</TextLink>
            <Link target="_blank" rel="noopener noreferrer" href="/api/openapi.json">
              {t('link.api')}
            </Link>
            {docsLink ? (
              <Link target="_blank" rel="noopener noreferrer" href={docsLink}>
                {t('link.docs')}
              </Link>
            ) : (
              <TextLink to="/docs">{t('link.docs')}</TextLink>
            )}
          </div>
        </Card>
      </div>
    </Page>
  );
}
