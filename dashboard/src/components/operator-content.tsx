import { makeStyles, tokens } from '@fluentui/react-components';
import { lazy, Suspense } from 'react';

const Markdown = lazy(() => import('./markdown.tsx').then(({ Markdown: component }) => ({ default: component })));

const useStyles = makeStyles({
  frame: {
    width: '100%',
    height: 'calc(100vh - 56px)',
    border: 'none',
    display: 'block',
    backgroundColor: tokens.colorNeutralBackground1,
  },
});

/** What an operator wrote: Markdown or HTML, cleaned of everything that runs; a lone address becomes a closed-off frame. */
export function OperatorContent({ content, title }: { content: string; title: string }) {
  const styles = useStyles();
  const address = content.trim();
  if (/^https:\/\/\S+$/.test(address)) {
    return (
      <iframe className={styles.frame} src={address} title={title} sandbox="allow-scripts allow-popups allow-forms" />
    );
  }
  return (
    <Suspense fallback={null}>
      <Markdown text={content} />
    </Suspense>
  );
}
