import { useTranslation } from 'react-i18next';
import { useSelf } from '../../api/self.ts';
import { useFormat } from '../../state/format.ts';
import { LoadError } from '../feedback/load-error.tsx';
import { FigureRow } from '../figure-row.tsx';

/** What is left, what was used, in how many calls. */
export function BalanceFigures() {
  const { t } = useTranslation('account');
  const format = useFormat();
  const { data: self, error, refetch } = useSelf();
  if (error && !self) return <LoadError error={error} onRetry={() => void refetch()} />;
  return (
    <FigureRow
      figures={[
        { label: t('balance.left'), text: self && format.quota(self.quota) },
        { label: t('balance.used'), text: self && format.quota(self.used_quota) },
        { label: t('balance.calls'), text: self && format.number(self.request_count) },
      ]}
    />
  );
}
