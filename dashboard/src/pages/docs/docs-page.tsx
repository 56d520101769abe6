import { Card, makeStyles, Subtitle2, Text, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { cardFrame } from '../../components/card-frame.ts';
import { SearchInput } from '../../components/form/search-input.tsx';
import { Page } from '../../components/page.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { documentNames } from './document.ts';
import { DocumentSearch } from './document-search.tsx';

const useStyles = makeStyles({
  cards: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(280px, 1fr))',
    gap: tokens.spacingHorizontalL,
    margin: 0,
    padding: 0,
    listStyleType: 'none',
  },
  card: {
    ...cardFrame,
    padding: tokens.spacingHorizontalXL,
    gap: tokens.spacingVerticalS,
    height: '100%',
    boxSizing: 'border-box',
  },
  title: { margin: 0 },
  search: { width: '320px', maxWidth: '100%', '@media (max-width: 600px)': { width: '100%' } },
});

/** The documentation that comes with the program. */
export function DocsPage() {
  const { t } = useTranslation('docs');
  const styles = useStyles();
  const [typed, setTyped] = useState('');
  const words = typed.trim();
  return (
    <Page
      title={t('title')}
      purpose={t('purpose')}
      action={
        <SearchInput
          className={styles.search}
          aria-label={t('search')}
          placeholder={t('search')}
          maxLength={64}
          value={typed}
          onChange={(_event, { value }) => setTyped(value)}
        />
      }
    >
      {words ? <DocumentSearch words={words} /> : <DocumentCards />}
    </Page>
  );
}

function DocumentCards() {
  const { t } = useTranslation('docs');
  const styles = useStyles();
  return (
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
  );
}
