import { Button, makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { Copy16Regular } from '@fluentui/react-icons/svg/copy';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCopy } from '../feedback/copy.tsx';

export interface WorkFact {
  label: string;
  /** Left out when it is empty. */
  text: string;
  /** Has a button that copies it. */
  isId?: boolean;
  /** Stands behind the text. */
  beside?: ReactNode;
}

const useStyles = makeStyles({
  facts: {
    display: 'grid',
    gridTemplateColumns: 'minmax(80px, max-content) minmax(0, 1fr)',
    gap: '6px 16px',
    alignItems: 'baseline',
    margin: 0,
    '@media (max-width: 600px)': { gridTemplateColumns: 'minmax(0, 1fr)', rowGap: 0 },
  },
  term: { color: tokens.colorNeutralForeground3 },
  fact: {
    margin: 0,
    minWidth: 0,
    overflowWrap: 'anywhere',
    whiteSpace: 'pre-wrap',
    '@media (max-width: 600px)': { marginBottom: tokens.spacingVerticalS },
  },
  id: { fontFamily: tokens.fontFamilyMonospace, fontSize: tokens.fontSizeBase200 },
});

/** What a job contains beyond its columns. */
export function WorkFacts({ facts }: { facts: WorkFact[] }) {
  const { t } = useTranslation('work');
  const styles = useStyles();
  const copy = useCopy();
  return (
    <dl className={styles.facts}>
      {facts
        .filter(({ text }) => text !== '')
        .map(({ label, text, isId, beside }) => (
          <div key={label} style={{ display: 'contents' }}>
            <dt className={styles.term}>{label}</dt>
            <dd className={mergeClasses(styles.fact, isId && styles.id)}>
              {text}
              {isId && (
                <Button
                  appearance="subtle"
                  size="small"
                  icon={<Copy16Regular />}
                  aria-label={t('copy', { name: label })}
                  onClick={() => void copy(text)}
                />
              )}
              {beside}
            </dd>
          </div>
        ))}
    </dl>
  );
}
