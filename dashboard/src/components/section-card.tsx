import { makeStyles, mergeClasses, Subtitle2, Text, tokens } from '@fluentui/react-components';
import { type ReactNode, useId } from 'react';
import { cardFrame, cardRoom } from './card-frame.ts';

interface SectionCardProps {
  title: string;
  /** Where a link leads to. */
  id?: string;
  /** One line that says what it is for. */
  purpose?: string | undefined;
  /** Beside the title. */
  aside?: ReactNode;
  /** What is in it touches its edges: a list. */
  isFlush?: boolean;
  children?: ReactNode;
}

const useStyles = makeStyles({
  card: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalL,
    ...cardFrame,
    ...cardRoom,
    minWidth: 0,
    scrollMarginTop: '16px',
    backgroundColor: tokens.colorNeutralBackground1,
  },
  flush: { paddingLeft: 0, paddingRight: 0, paddingBottom: 0, '@media (max-width: 600px)': { padding: '16px 0 0' } },
  head: { display: 'flex', alignItems: 'flex-start', flexWrap: 'wrap', gap: tokens.spacingHorizontalM },
  inset: { paddingLeft: '24px', paddingRight: '24px', '@media (max-width: 600px)': { padding: '0 16px' } },
  words: { flex: '1 1 200px', minWidth: 0, display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXXS },
  title: { margin: 0 },
  purpose: { color: tokens.colorNeutralForeground3 },
});

/** One matter of a page that has several. */
export function SectionCard({ title, id, purpose, aside, isFlush = false, children }: SectionCardProps) {
  const styles = useStyles();
  const titleId = useId();
  return (
    <section id={id} className={mergeClasses(styles.card, isFlush && styles.flush)} aria-labelledby={titleId}>
      <div className={mergeClasses(styles.head, isFlush && styles.inset)}>
        <div className={styles.words}>
          <Subtitle2 as="h2" id={titleId} className={styles.title}>
            {title}
          </Subtitle2>
          {purpose && (
            <Text size={200} className={styles.purpose}>
              {purpose}
            </Text>
          )}
        </div>
        {aside}
      </div>
      {children}
    </section>
  );
}
