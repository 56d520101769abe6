import { useTranslation } from 'react-i18next';
import { WorkStatus } from '../../components/work/work-cell.tsx';

export function DrawingStatus({ status }: { status: string }) {
  const { t } = useTranslation('midjourney');
  return <WorkStatus status={status} text={t([`status.${status}`, 'unknown'])} />;
}
