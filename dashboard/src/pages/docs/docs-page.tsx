import { Card, makeStyles, Subtitle2, Text, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { documentNames } from './document.ts';

const useStyles = makeStyles({
  cards: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(280px, 1fr))',
    gap: tokens.spacingHorizontalL,
    margin: 0,
    padding: 0,
    listStyleType: 'none',
  },
  card: { padding: tokens.spacingHorizontalXL, gap: tokens.spacingVerticalS, height: '100%', boxSizing: 'border-box' },
  title: { margin: 0 },
});

/** The documentation that comes with the program. */
export function DocsPage() {
  const { t } = useTranslation('docs');
  const styles = useStyles();
  return (
    <Page title={t('title')} purpose={t('purpose')}>
      <ul className={styles.cards}>
        {documentNames.map((name) => (
          <li key={name}>
            <Card className={styles.card}>
              <Subtitle2 as="h2" className={styles.title}>
                <TextLink to={`/docs/${name}`}>{t(`name.${name}`)}</TextLink>
              </Subtitle2>
              <Text>{t(`about.${name}`)}</Text>
            </Card>
          </li>
        ))}
      </ul>
    </Page>
  );
}
