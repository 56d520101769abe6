import { makeStyles } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useParams } from 'react-router-dom';
import { ButtonLink } from '../../components/button-link.tsx';
import { UntilLoaded } from '../../components/feedback/until-loaded.tsx';
import { Markdown } from '../../components/markdown.tsx';
import { Page } from '../../components/page.tsx';
import { NotFoundPage } from '../not-found/not-found-page.tsx';
import { anchorOf, type DocumentName, isDocument, placeOf, readDocument } from './document.ts';

/** One page of the documentation. */
export function DocumentPage() {
  const { name } = useParams();
  return isDocument(name) ? <OwnDocument key={name} name={name} /> : <NotFoundPage />;
}

// A line longer than this is hard to read.
const useStyles = makeStyles({ text: { maxWidth: '920px' } });

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
        <div className={styles.text}>
          <Markdown text={data.text} document={{ placeOf, anchorOf }} />
        </div>
      )}
    </Page>
  );
}

/** A link into a document leads to its heading once that is there. */
function useAnchor(isThere: boolean): void {
  const { hash } = useLocation();
  useEffect(() => {
    if (isThere && hash) document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
  }, [isThere, hash]);
}
