import { DocumentSearch24Regular } from '@fluentui/react-icons/svg/document-search';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { WayBackCard } from '../../components/way-back-card.tsx';

export function NotFoundPage() {
  const { t } = useTranslation('shell');
  const { pathname } = useLocation();
  return (
    <WayBackCard
      icon={<DocumentSearch24Regular />}
      title={t('notFound.title')}
      text={t('notFound.text', { path: pathname })}
    />
  );
}
