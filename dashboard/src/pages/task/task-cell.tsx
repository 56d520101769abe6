import { DocumentText20Regular } from '@fluentui/react-icons/svg/document-text';
import { MusicNote220Regular } from '@fluentui/react-icons/svg/music-note';
import { Open20Regular } from '@fluentui/react-icons/svg/open';
import { Video20Regular } from '@fluentui/react-icons/svg/video';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../../../core/schemas/task.ts';
import { WorkStatus } from '../../components/work/work-cell.tsx';
import { WorkTile } from '../../components/work/work-tile.tsx';
import { madeKind, taskName } from './task-text.ts';

export function TaskStatus({ status }: { status: string }) {
  const { t } = useTranslation('task');
  return <WorkStatus status={status} text={status === '' ? t('submitting') : t([`status.${status}`, 'unknown'])} />;
}

const icons = { music: <MusicNote220Regular />, video: <Video20Regular />, lyrics: <DocumentText20Regular /> };

/** Opens the player, or the words, with all there is about the task; its picture says which. */
export function ResultTile({ task, onShow }: { task: Task; onShow: (task: Task) => void }) {
  const { t } = useTranslation('task');
  const kind = madeKind(task);
  const name = taskName(task);
  const label = kind ? t(`show.${kind}`, { name }) : t('shell:list.details', { name });
  return (
    <WorkTile label={label} onClick={() => onShow(task)}>
      {kind ? icons[kind] : <Open20Regular />}
    </WorkTile>
  );
}
