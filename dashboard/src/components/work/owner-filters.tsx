import { makeStyles, tokens } from '@fluentui/react-components';
import type { Filtered } from '../list/filtered.ts';
import { SearchFilter } from '../list/search-filter.tsx';

const useStyles = makeStyles({
  // Together, so that where the line is full not one of them alone stands on the next.
  pair: {
    display: 'flex',
    flexWrap: 'wrap',
    gap: tokens.spacingHorizontalS,
    flex: '1 1 408px',
    maxWidth: '488px',
    '@media (max-width: 600px)': { flex: '1 1 100%', maxWidth: '100%' },
  },
});

interface OwnerFiltersProps {
  list: Filtered;
  /** Of the two fields. */
  username: string;
  channel: string;
}

/** For admins: whose work, and through which channel. */
export function OwnerFilters({ list, username, channel }: OwnerFiltersProps) {
  const styles = useStyles();
  return (
    <div className={styles.pair}>
      <SearchFilter list={list} name="username" label={username} />
      <SearchFilter list={list} name="channel_id" label={channel} />
    </div>
  );
}
