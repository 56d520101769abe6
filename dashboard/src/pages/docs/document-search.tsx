import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { UntilLoaded } from '../../components/feedback/until-loaded.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { anchorOf, type DocumentName, documentNames, readDocument, sectionsOf } from './document.ts';

const useStyles = makeStyles({
  hits: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalL,
    margin: 0,
    padding: 0,
    listStyleType: 'none',
    maxWidth: '920px',
  },
  hit: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXXS, overflowWrap: 'anywhere' },
  quiet: { color: tokens.colorNeutralForeground3 },
});

interface Hit {
  name: DocumentName;
  title: string;
  heading: string;
  line: string;
}

const maxHits = 30;

interface DocumentSearchProps {
  words: string;
  /** Where to look; everywhere when left out. */
  only?: DocumentName;
}

/** Every section of the documents that contains the words, with the line they stand in. */
export function DocumentSearch({ words, only }: DocumentSearchProps) {
  const { t, i18n } = useTranslation('docs');
  const styles = useStyles();
  const language = i18n.language === 'en' ? 'en' : 'zh';
  const reading = useQuery({
    queryKey: ['documents', language, only],
    queryFn: () =>
      Promise.all(
        (only ? [only] : documentNames).map(async (name) => ({ name, ...(await readDocument(name, language)) })),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const sought = words.toLowerCase();
  const hits = (reading.data ?? []).flatMap((one) =>
    sectionsOf(one, 3).flatMap(({ heading, text }): Hit[] => {
      const line = [heading, ...text.split('\n')].find((words) => words.toLowerCase().includes(sought));
      return line === undefined ? [] : [{ name: one.name, title: one.title, heading, line }];
    }),
  );
  if (!reading.data) return <UntilLoaded reading={reading} />;
  return (
    <>
      <Text role="status" className={styles.quiet}>
        {t('found', { count: hits.length })}
      </Text>
      <ul className={styles.hits}>
        {hits.slice(0, maxHits).map(({ name, title, heading, line }) => (
          <li key={`${name} ${heading}`} className={styles.hit}>
            <TextLink to={`/docs/${name}${heading && `#${anchorOf(heading)}`}`}>
              {[title, heading].filter(Boolean).join(' › ')}
            </TextLink>
            {line !== heading && (
              <Text size={200} className={styles.quiet}>
                {excerpt(line, sought)}
              </Text>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

const before = 60;
const after = 120;

/** The words and what stands around them, without the marks of Markdown. */
function excerpt(source: string, sought: string): string {
  const line = source.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  const place = Math.max(0, line.toLowerCase().indexOf(sought));
  const start = Math.max(0, place - before);
  const end = place + after;
  const text = line.slice(start, end).replace(/[`*|]/g, ' ').replace(/\s+/g, ' ').trim();
  return `${start > 0 ? '…' : ''}${text}${end < line.length ? '…' : ''}`;
}
