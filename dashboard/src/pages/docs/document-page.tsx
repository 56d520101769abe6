import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useParams } from 'react-router-dom';
import { ButtonLink } from '../../components/button-link.tsx';
import { UntilLoaded } from '../../components/feedback/until-loaded.tsx';
import { SearchInput } from '../../components/form/search-input.tsx';
import { Page } from '../../components/page.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { NotFoundPage } from '../not-found/not-found-page.tsx';
import { anchorOf, type DocumentName, isDocument, readDocument, sectionsOf } from './document.ts';
import { DocumentSearch } from './document-search.tsx';
import { DocumentText } from './document-text.tsx';

/** One page of the documentation. */
export function DocumentPage() {
  const { name } = useParams();
  return isDocument(name) ? <OwnDocument key={name} name={name} /> : <NotFoundPage />;
}

// A line longer than this is hard to read.
const useStyles = makeStyles({
  columns: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 920px) minmax(180px, 260px)',
    gap: '40px',
    alignItems: 'start',
    '@media (max-width: 1000px)': { gridTemplateColumns: 'minmax(0, 1fr)', gap: tokens.spacingVerticalL },
  },
  search: { width: '260px', maxWidth: '100%', '@media (max-width: 600px)': { width: '100%' } },
  text: {
    minWidth: 0,
    maxWidth: '920px',
    '& > :first-child > :first-child': { marginTop: 0 },
    // Each section is a text of its own, which has no space at its edges.
    '& > * + *': { marginTop: tokens.spacingVerticalXXL },
  },
  contents: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalS,
    position: 'sticky',
    top: tokens.spacingVerticalXXL,
    maxHeight: 'calc(100vh - 96px)',
    overflowY: 'auto',
    // Above the text where there is no room beside it.
    '@media (max-width: 1000px)': { order: -1, position: 'static', maxHeight: 'none' },
  },
  list: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalXS,
    margin: 0,
    padding: 0,
    listStyleType: 'none',
  },
});

function OwnDocument({ name }: { name: DocumentName }) {
  const styles = useStyles();
  const { t, i18n } = useTranslation('docs');
  const language = i18n.language === 'en' ? 'en' : 'zh';
  const reading = useQuery({
    queryKey: ['document', name, language],
    queryFn: () => readDocument(name, language),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data } = reading;
  const [typed, setTyped] = useState('');
  const { key: visit } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: who follows a hit wants to read it
  useEffect(() => setTyped(''), [visit]);
  const words = typed.trim();
  return (
    <Page
      title={data?.title ?? t(`name.${name}`)}
      isReady={data !== undefined}
      action={
        <>
          <SearchInput
            className={styles.search}
            aria-label={t('searchOne')}
            placeholder={t('searchOne')}
            maxLength={64}
            value={typed}
            onChange={(_event, { value }) => setTyped(value)}
          />
          <ButtonLink to="/docs">{t('all')}</ButtonLink>
        </>
      }
    >
      <UntilLoaded reading={reading} />
      {data && words && <DocumentSearch words={words} only={name} />}
      {data && !words && (
        <div className={styles.columns}>
          <div className={styles.text}>
            <DocumentText document={data} />
          </div>
          <Contents name={name} headings={sectionsOf(data).flatMap(({ heading }) => heading || [])} />
        </div>
      )}
    </Page>
  );
}

function Contents({ name, headings }: { name: DocumentName; headings: string[] }) {
  const { t } = useTranslation('docs');
  const styles = useStyles();
  return (
    <nav className={styles.contents} aria-label={t('contents')}>
      <Text weight="semibold">{t('contents')}</Text>
      <ul className={styles.list}>
        {headings.map((heading) => (
          <li key={heading}>
            <TextLink to={`/docs/${name}#${anchorOf(heading)}`}>{heading}</TextLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
