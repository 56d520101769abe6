import { makeStyles, Skeleton, SkeletonItem, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { Delayed } from '../../components/feedback/delayed.tsx';

const useStyles = makeStyles({ cards: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalL } });

/** Cards to come. */
export function SettingSkeleton() {
  const { t } = useTranslation('shell');
  const styles = useStyles();
  return (
    <Delayed>
      <Skeleton className={styles.cards} aria-label={t('state.loading')}>
        <SkeletonItem style={{ height: '36px', maxWidth: '480px' }} />
        <SkeletonItem style={{ height: '320px' }} />
        <SkeletonItem style={{ height: '200px' }} />
      </Skeleton>
    </Delayed>
  );
}
