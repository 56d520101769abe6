import { Card, Skeleton, SkeletonItem } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';

/** The place of something large that is being loaded. */
export function WaitingSkeleton() {
  const { t } = useTranslation('shell');
  return (
    <Card>
      <Skeleton aria-label={t('state.loading')} appearance="translucent">
        <SkeletonItem style={{ height: '280px' }} />
      </Skeleton>
    </Card>
  );
}
