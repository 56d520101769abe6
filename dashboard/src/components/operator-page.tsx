import { makeStyles, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type ContentName, contentOptions } from '../api/content.ts';
import { useFirstScreen } from '../state/first-screen.ts';
import { HiddenTitle } from './hidden-title.tsx';
import { OperatorContent } from './operator-content.tsx';

interface OperatorPageProps {
  name: ContentName;
  title: string;
  /** Above what the operator wrote. */
  before?: ReactNode;
  /** What stands here as long as the operator has written nothing. */
  children: ReactNode;
}

const useStyles = makeStyles({
  text: {
    width: '100%',
    maxWidth: '960px',
    boxSizing: 'border-box',
    margin: '0 auto',
    padding: '24px',
    color: tokens.colorNeutralForeground1,
    '@media (max-width: 600px)': { padding: '16px' },
  },
});

/** A page that belongs to the operator. */
export function OperatorPage({ name, title, before, children }: OperatorPageProps) {
  const styles = useStyles();
  const { data: content, isPending } = useQuery(contentOptions(name));
  useFirstScreen(!isPending);
  // Not our own page first: it would be gone a moment later. When the response never comes, ours is better than nothing.
  if (isPending) return <HiddenTitle title={title} />;
  if (!content?.trim()) return children;
  const isFrame = /^https:\/\/\S+$/.test(content.trim());
  return (
    <>
      <HiddenTitle title={title} />
      <div className={isFrame ? undefined : styles.text}>
        {before}
        <OperatorContent content={content} title={title} />
      </div>
    </>
  );
}
