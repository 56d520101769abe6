import { makeStyles } from '@fluentui/react-components';
import { usePageTitle } from './page.tsx';

const useStyles = makeStyles({
  hidden: {
    position: 'absolute',
    width: '1px',
    height: '1px',
    margin: 0,
    overflow: 'hidden',
    clipPath: 'inset(50%)',
    outlineStyle: 'none',
  },
});

/** Names a page whose content brings a heading of its own, or none. */
export function HiddenTitle({ title }: { title: string }) {
  const styles = useStyles();
  const ref = usePageTitle(title);
  return (
    <h1 ref={ref} tabIndex={-1} className={styles.hidden}>
      {title}
    </h1>
  );
}
