import { makeStyles, tokens } from '@fluentui/react-components';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../../../core/schemas/task.ts';
import type { Column, RowCard } from '../../components/list/column.ts';
import { ownerColumns } from '../../components/work/owner-column.tsx';
import { WorkCost, WorkDuration, WorkProgress, WorkText } from '../../components/work/work-cell.tsx';
import { useFormat } from '../../state/format.ts';
import { ResultTile, TaskStatus } from './task-cell.tsx';
import { inputOf } from './task-text.ts';

interface TaskColumnOptions {
  isAdmin: boolean;
  onShow: (task: Task) => void;
}

export function useTaskColumns({ isAdmin: admin, onShow }: TaskColumnOptions): Column<Task>[] {
  const { t } = useTranslation(['task', 'work']);
  const format = useFormat();
  return useMemo(() => {
    const forAdmins = ownerColumns<Task>({ channel: t('field.channel'), username: t('field.username') });
    const columns: Column<Task>[] = [
      {
        key: 'made',
        title: t('field.made'),
        grow: 0.2,
        minWidth: 56,
        isInteractive: true,
        cell: (task) => <ResultTile task={task} onShow={onShow} />,
      },
      {
        key: 'submitted',
        title: t('field.submitted'),
        minWidth: 148,
        cell: ({ submit_time: time }) => format.time(time),
      },
      {
        key: 'finished',
        title: t('field.finished'),
        minWidth: 148,
        isHidden: true,
        cell: ({ finish_time: time }) => format.time(time),
      },
      ...(admin ? forAdmins : []),
      {
        key: 'platform',
        hiddenBelow: 1440,
        title: t('field.platform'),
        grow: 0.5,
        minWidth: 56,
        cell: ({ platform }) => t([`platform.${platform}`, 'platform.other'], { platform }),
      },
      {
        key: 'action',
        title: t('field.action'),
        grow: 0.6,
        minWidth: 72,
        cell: ({ action }) => t([`action.${action}`, 'unknown']),
      },
      {
        key: 'id',
        hiddenBelow: 1440,
        title: t('field.id'),
        grow: 1.2,
        minWidth: 80,
        cell: ({ task_id: id }) => <WorkText text={id} />,
      },
      {
        key: 'input',
        title: t('field.input'),
        grow: 1.8,
        minWidth: 88,
        cell: (task) => <WorkText text={inputOf(task)} />,
      },
      {
        key: 'status',
        title: t('field.status'),
        grow: 0.7,
        minWidth: 76,
        cell: ({ status }) => <TaskStatus status={status} />,
      },
      {
        key: 'progress',
        hiddenBelow: 1200,
        title: t('field.progress'),
        grow: 0.8,
        minWidth: 76,
        cell: ({ progress, status }) => <WorkProgress progress={progress} status={status} />,
      },
      {
        key: 'duration',
        hiddenBelow: 1330,
        title: t('field.duration'),
        grow: 0.6,
        minWidth: 80,
        cell: (task) => <WorkDuration status={task.status} begun={task.submit_time} done={task.finish_time} />,
      },
      {
        key: 'cost',
        title: t('work:cost'),
        grow: 0.6,
        minWidth: 80,
        isNumber: true,
        cell: ({ quota, refund }) => <WorkCost quota={quota} refund={refund} />,
      },
    ];
    return columns;
  }, [t, format, admin, onShow]);
}

const useStyles = makeStyles({
  figures: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS, alignItems: 'flex-start' },
  line: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    // As wide as the card: else each row's bar is as wide as what is beside it leaves.
    alignSelf: 'stretch',
    gap: tokens.spacingHorizontalS,
  },
  words: { overflowWrap: 'anywhere' },
});

/** A task on a phone. */
export function taskCard(onShow: (task: Task) => void): RowCard<Task> {
  return {
    status: ({ status }) => <TaskStatus status={status} />,
    figure: (task) => <Figures task={task} onShow={onShow} />,
  };
}

function Figures({ task, onShow }: { task: Task; onShow: (task: Task) => void }) {
  const { t } = useTranslation(['task', 'work']);
  const styles = useStyles();
  const format = useFormat();
  const { action, submit_time: begun, finish_time: done, status, progress } = task;
  return (
    <div className={styles.figures}>
      <span>{[t([`action.${action}`, 'unknown']), format.time(begun)].join(' · ')}</span>
      {inputOf(task) && <span className={styles.words}>{inputOf(task)}</span>}
      <div className={styles.line}>
        <ResultTile task={task} onShow={onShow} />
        <WorkProgress progress={progress} status={status} />
        <WorkDuration {...{ status, begun, done }} />
        <WorkCost quota={task.quota} refund={task.refund} />
      </div>
    </div>
  );
}
