import { LockClosed24Regular } from '@fluentui/react-icons/svg/lock-closed';
import { useTranslation } from 'react-i18next';
import { WayBackCard } from '../../components/way-back-card.tsx';

export function ForbiddenPage() {
  const { t } = useTranslation('shell');
  return <WayBackCard icon={<LockClosed24Regular />} title={t('forbidden.title')} text={t('forbidden.text')} />;
}
