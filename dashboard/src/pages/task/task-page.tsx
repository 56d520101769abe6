import { ClipboardTask20Regular } from '@fluentui/react-icons/svg/clipboard-task';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../../../core/schemas/task.ts';
import { listTasks, type TaskFilters } from '../../api/task.ts';
import type { Column } from '../../components/list/column.ts';
import { SelectFilter } from '../../components/list/filter.tsx';
import { ListPage } from '../../components/list/list-page.tsx';
import { MoreFilters } from '../../components/list/more-filters.tsx';
import { RangeFilter } from '../../components/list/range-filter.tsx';
import { SearchFilter } from '../../components/list/search-filter.tsx';
import { type List, useList } from '../../components/list/use-list.ts';
import { ownerColumns } from '../../components/work/owner-column.tsx';
import {
  isUnderWay,
  useWorkPolling,
  WorkDuration,
  WorkFacts,
  WorkProgress,
  WorkStatus,
  WorkText,
} from '../../components/work/work-cell.tsx';
import { useFormat } from '../../state/format.ts';
import { isAdmin, sessionUser } from '../../state/session.ts';

const noFilters: TaskFilters = {
  ...{ task_id: '', action: '', status: '', channel_id: '', username: '' },
  ...{ range: 'today', start: '', end: '' },
};

const actions = ['MUSIC', 'LYRICS'];
const statuses = ['SUCCESS', 'NOT_START', 'SUBMITTED', 'IN_PROGRESS', 'FAILURE', 'QUEUED', 'UNKNOWN'];

/** Work that takes its time, such as songs: what was asked for and how far it has come. */
export function TaskPage() {
  const { t } = useTranslation('task');
  const admin = isAdmin(sessionUser.use());
  const list = useList({ name: 'task', filters: noFilters, load: listTasks });
  const columns = useTaskColumns(admin);
  useWorkPolling(list.rows?.some(isUnderWay) ?? false, list.refresh);
  return (
    <ListPage
      title={t('title')}
      purpose={t('purpose')}
      list={list}
      columns={columns}
      rowName={nameOf}
      rowDetail={detailOf}
      card={{
        status: (task) => <TaskStatus task={task} />,
        figure: (task) => <TaskProgress task={task} />,
      }}
      filters={<TaskFilterRow list={list} isAdmin={admin} />}
      empty={{ icon: <ClipboardTask20Regular />, text: t('empty') }}
    />
  );
}

const nameOf = ({ task_id, id }: Task) => task_id || `#${id}`;
const detailOf = (task: Task) => <TaskDetail task={task} />;

function TaskFilterRow({ list, isAdmin: admin }: { list: List<Task, TaskFilters>; isAdmin: boolean }) {
  const { t } = useTranslation('task');
  return (
    <>
      <RangeFilter list={list} />
      <MoreFilters>
        <SelectFilter
          list={list}
          name="status"
          label={t('field.status')}
          choices={[
            { value: '', text: t('allStatuses') },
            ...statuses.map((value) => ({ value, text: t(`status.${value}`) })),
          ]}
        />
        <SelectFilter
          list={list}
          name="action"
          label={t('field.action')}
          choices={[
            { value: '', text: t('allTypes') },
            ...actions.map((value) => ({ value, text: t(`action.${value}`) })),
          ]}
        />
        <SearchFilter list={list} name="task_id" label={t('filter.id')} />
        {admin && <SearchFilter list={list} name="username" label={t('filter.username')} />}
        {admin && <SearchFilter list={list} name="channel_id" label={t('filter.channel')} />}
      </MoreFilters>
    </>
  );
}

function useTaskColumns(admin: boolean): Column<Task>[] {
  const { t } = useTranslation('task');
  const format = useFormat();
  return useMemo(() => {
    const forAdmins = ownerColumns<Task>({ channel: t('field.channel'), username: t('field.username') });
    const columns: Column<Task>[] = [
      {
        ...{ key: 'submitted', title: t('field.submitted'), minWidth: 148 },
        cell: ({ submit_time: time }) => format.time(time),
      },
      {
        ...{ key: 'finished', title: t('field.finished'), minWidth: 148 },
        cell: ({ finish_time: time }) => format.time(time),
      },
      {
        ...{ key: 'duration', title: t('field.duration'), grow: 0.6, minWidth: 68 },
        cell: (task) => <TaskDuration task={task} />,
      },
      ...(admin ? forAdmins : []),
      {
        ...{ key: 'platform', title: t('field.platform'), grow: 0.6, minWidth: 72 },
        cell: ({ platform }) => t([`platform.${platform}`, 'platform.other'], { platform }),
      },
      {
        ...{ key: 'action', title: t('field.action'), grow: 0.8, minWidth: 92 },
        cell: ({ action }) => t([`action.${action}`, 'unknown']),
      },
      { key: 'id', title: t('field.id'), grow: 1.6, minWidth: 96, cell: ({ task_id: id }) => <WorkText text={id} /> },
      {
        ...{ key: 'status', title: t('field.status'), grow: 0.7, minWidth: 84 },
        cell: (task) => <TaskStatus task={task} />,
      },
      {
        ...{ key: 'progress', title: t('field.progress'), minWidth: 96 },
        cell: (task) => <TaskProgress task={task} />,
      },
    ];
    return columns;
  }, [t, format, admin]);
}

function TaskStatus({ task: { status } }: { task: Task }) {
  const { t } = useTranslation('task');
  return <WorkStatus status={status} text={status === '' ? t('submitting') : t([`status.${status}`, 'unknown'])} />;
}

function TaskProgress({ task: { progress, status } }: { task: Task }) {
  const { t } = useTranslation('task');
  return (
    <WorkProgress
      progress={progress}
      isFailed={status === 'FAILURE'}
      label={t('progress', { progress: progress || '0%' })}
    />
  );
}

function TaskDuration({ task: { submit_time: begun, finish_time: done } }: { task: Task }) {
  const { t } = useTranslation('task');
  if (done <= 0 || begun <= 0) return null;
  return <WorkDuration seconds={done - begun} text={t('seconds', { value: done - begun })} />;
}

function TaskDetail({ task }: { task: Task }) {
  const { t } = useTranslation('task');
  const format = useFormat();
  const { properties, fail_reason: reason, quota, data } = task;
  return (
    <WorkFacts
      facts={[
        { label: t('field.input'), text: typeof properties.input === 'string' ? properties.input : '' },
        { label: t('field.failReason'), text: reason },
        { label: t('field.quota'), text: quota > 0 ? format.quota(quota) : '' },
        { label: t('field.data'), text: data === null ? '' : JSON.stringify(data, undefined, 2) },
      ]}
    />
  );
}
