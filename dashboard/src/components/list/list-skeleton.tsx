import { makeStyles, Skeleton, SkeletonItem, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { Delayed } from '../feedback/delayed.tsx';

const rows = ['a', 'b', 'c', 'd', 'e', 'f'];

const useStyles = makeStyles({
  row: {
    display: 'grid',
    gap: tokens.spacingHorizontalXL,
    padding: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalM}`,
  },
});

/** The shape of the rows that are on their way. */
export function ListSkeleton({ columns }: { columns: number }) {
  const { t } = useTranslation('shell');
  const styles = useStyles();
  return (
    <Delayed>
      <Skeleton aria-label={t('state.loading')}>
        {rows.map((row) => (
          <div key={row} className={styles.row} style={{ gridTemplateColumns: `repeat(${columns}, 1fr)` }}>
            {Array.from({ length: columns }, (_, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: bars that never change places
              <SkeletonItem key={column} />
            ))}
          </div>
        ))}
      </Skeleton>
    </Delayed>
  );
}
