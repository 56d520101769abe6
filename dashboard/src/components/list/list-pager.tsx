import { makeStyles } from '@fluentui/react-components';
import { Deferred } from '../deferred.tsx';
import { lazyPart } from '../lazy-part.tsx';
import type { List } from './use-list.ts';

const PagerBar = lazyPart(async () => (await import('./pager-bar.tsx')).PagerBar);

/** Nothing moves when the buttons come, a moment after the rows. */
const useStyles = makeStyles({ place: { minHeight: '40px' } });

export function ListPager<Row, Filters extends Record<string, string>>({ list }: { list: List<Row, Filters> }) {
  const styles = useStyles();
  return (
    <div className={styles.place}>
      <Deferred>
        <PagerBar list={list} />
      </Deferred>
    </div>
  );
}
