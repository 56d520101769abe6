import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { priceListOptions } from '../../api/pricing.ts';
import { useStatus } from '../../api/status.ts';
import { LoadError } from '../../components/feedback/load-error.tsx';
import { WaitingSkeleton } from '../../components/object/waiting-skeleton.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { isAdmin, isRoot, sessionUser } from '../../state/session.ts';
import { ModelFactRow } from '../pricing/model-fact-row.tsx';
import { priceOf } from '../pricing/price.ts';
import { PriceDetail } from '../pricing/price-detail.tsx';
import { PriceHistory } from './price-history.tsx';

const unit = '1M';

const useStyles = makeStyles({ group: { display: 'grid', gap: tokens.spacingVerticalXS } });

/** What a model costs, in each group that the reader may choose. */
export function ModelPriceTab({ model }: { model: string }) {
  const { t } = useTranslation('model');
  const styles = useStyles();
  const { data, error, refetch } = useQuery(priceListOptions);
  const { quota_per_unit: quotaPerUnit } = useStatus();
  const reader = sessionUser.use();
  const mayChange = isRoot(reader);
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data) return <WaitingSkeleton />;
  const row = data.data.find(({ model_name: name }) => name === model);
  const groups = Object.entries(data.group_ratio).filter(([group]) => row?.enable_groups.includes(group));
  return (
    <>
      <SectionCard
        title={t('price.title')}
        aside={mayChange && <TextLink to="/setting?tab=ratio">{t('price.change')}</TextLink>}
      >
        {!row && <Text>{t('price.none')}</Text>}
        {row && <ModelFactRow row={row} maker={row.maker} />}
        {row &&
          groups.map(([group, groupRatio]) => (
            <div key={group} className={styles.group}>
              <Text weight="semibold">{t('price.group', { group })}</Text>
              <PriceDetail price={priceOf(row, { groupRatio, unit, quotaPerUnit })} unit={unit} />
            </div>
          ))}
      </SectionCard>
      {isAdmin(reader) && (
        <SectionCard title={t('history.title')}>
          <PriceHistory model={model} />
        </SectionCard>
      )}
    </>
  );
}
