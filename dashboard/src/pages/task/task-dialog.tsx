import { useTranslation } from 'react-i18next';
import type { Task } from '../../../../core/schemas/task.ts';
import { CancelButton } from '../../components/work/cancel-button.tsx';
import { WorkDuration, WorkProgress } from '../../components/work/work-cell.tsx';
import { WorkDialog } from '../../components/work/work-dialog.tsx';
import type { WorkFact } from '../../components/work/work-facts.tsx';
import { useFormat } from '../../state/format.ts';
import { MadePart } from './made-part.tsx';
import { TaskStatus } from './task-cell.tsx';
import { inputOf, taskName } from './task-text.ts';

interface TaskDialogProps {
  task: Task;
  isAdmin: boolean;
  /** Something about it is different now. */
  onChange: () => void;
  onClose: () => void;
}

/** What a task made, to hear, to see or to read, and everything else there is about it. */
export function TaskDialog({ task, isAdmin, onChange, onClose }: TaskDialogProps) {
  const { t } = useTranslation(['task', 'work']);
  const facts = useFacts(task, isAdmin);
  const name = taskName(task);
  return (
    <WorkDialog
      title={t('dialog', { name })}
      work={task}
      state={
        <>
          <TaskStatus status={task.status} />
          <WorkProgress progress={task.progress} status={task.status} />
          <WorkDuration status={task.status} begun={task.submit_time} done={task.finish_time} />
        </>
      }
      facts={facts}
      raw={task.data}
      actions={task.can_cancel && <CancelButton path="/api/task" id={task.id} name={name} onDone={onChange} />}
      onClose={onClose}
    >
      {task.made.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts keep their order; a title may come twice
        <MadePart key={index} part={part} fileName={name} />
      ))}
    </WorkDialog>
  );
}

function useFacts(task: Task, isAdmin: boolean): WorkFact[] {
  const { t } = useTranslation(['task', 'work']);
  const format = useFormat();
  const { platform, action, model, username, channel_id, task_id, properties } = task;
  const time = (seconds: number) => (seconds > 0 ? format.time(seconds) : '');
  const { input: _, seconds, ...rest } = properties;
  const length = Number(seconds) > 0 ? t('work:duration.seconds', { value: Number(seconds) }) : '';
  return [
    { label: t('field.input'), text: inputOf(task) },
    { label: t('property.seconds'), text: length },
    ...Object.entries(rest).map(([key, value]) => ({
      label: t([`property.${key}`, 'property.other'], { key }),
      text: typeof value === 'string' ? value : JSON.stringify(value),
    })),
    { label: t('field.platform'), text: t([`platform.${platform}`, 'platform.other'], { platform }) },
    { label: t('field.action'), text: t([`action.${action}`, 'unknown']) },
    { label: t('field.model'), text: model },
    { label: t('field.submitted'), text: time(task.submit_time) },
    { label: t('field.started'), text: time(task.start_time) },
    { label: t('field.finished'), text: time(task.finish_time) },
    { label: t('field.username'), text: isAdmin ? username : '' },
    { label: t('field.channel'), text: isAdmin && channel_id > 0 ? `#${channel_id}` : '' },
    { label: t('field.id'), text: task_id, isId: true },
  ];
}
