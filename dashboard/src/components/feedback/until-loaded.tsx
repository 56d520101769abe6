import { makeStyles, Skeleton, SkeletonItem, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { Delayed } from './delayed.tsx';
import { LoadError } from './load-error.tsx';

interface Reading {
  data: unknown;
  error: Error | null;
  refetch: () => unknown;
}

const useStyles = makeStyles({ lines: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM } });

/** In place of what a card shows, as long as that was not read: bars, or why it could not be. */
export function UntilLoaded({ reading: { data, error, refetch } }: { reading: Reading }) {
  const { t } = useTranslation('shell');
  const styles = useStyles();
  if (data !== undefined) return null;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  return (
    <Delayed>
      <Skeleton className={styles.lines} aria-label={t('state.loading')}>
        <SkeletonItem style={{ width: '60%' }} />
        <SkeletonItem />
        <SkeletonItem style={{ width: '40%' }} />
      </Skeleton>
    </Delayed>
  );
}
