import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useParams } from 'react-router-dom';
import { ButtonLink } from '../../components/button-link.tsx';
import { UntilLoaded } from '../../components/feedback/until-loaded.tsx';
import { Markdown } from '../../components/markdown.tsx';
import { Page } from '../../components/page.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { NotFoundPage } from '../not-found/not-found-page.tsx';
import { anchorOf, type DocumentName, isDocument, placeOf, readDocument, sectionsOf } from './document.ts';

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
  text: { minWidth: 0, maxWidth: '920px', '& > div > :first-child': { marginTop: 0 } },
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
  useAnchor(data !== undefined);
  return (
    <Page
      title={data?.title ?? t(`name.${name}`)}
      isReady={data !== undefined}
      action={<ButtonLink to="/docs">{t('all')}</ButtonLink>}
    >
      <UntilLoaded reading={reading} />
      {data && (
        <div className={styles.columns}>
          <div className={styles.text}>
            <Markdown text={data.text} document={{ placeOf, anchorOf }} />
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

/** A link into a document leads to its heading once that is there. */
function useAnchor(isThere: boolean): void {
  const { hash } = useLocation();
  useEffect(() => {
    if (isThere && hash) document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
  }, [isThere, hash]);
}
