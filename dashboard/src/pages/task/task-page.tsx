import { ClipboardTask20Regular } from '@fluentui/react-icons/svg/clipboard-task';
import { useTranslation } from 'react-i18next';
import { type Task, taskActions, taskPlatforms, taskStatuses } from '../../../../core/schemas/task.ts';
import { listTasks, type TaskFilters } from '../../api/task.ts';
import { ListPage } from '../../components/list/list-page.tsx';
import { MoreFilters } from '../../components/list/more-filters.tsx';
import { RangeFilter } from '../../components/list/range-filter.tsx';
import { SearchFilter } from '../../components/list/search-filter.tsx';
import { type List, useList } from '../../components/list/use-list.ts';
import { ChoiceFilter } from '../../components/work/choice-filter.tsx';
import { OwnerFilters } from '../../components/work/owner-filters.tsx';
import { useShownRow } from '../../components/work/use-shown-row.ts';
import { isUnderWay, useWorkPolling } from '../../components/work/use-work-polling.ts';
import { isAdmin, sessionUser } from '../../state/session.ts';
import { taskCard, useTaskColumns } from './task-columns.tsx';
import { TaskDialog } from './task-dialog.tsx';
import { taskName } from './task-text.ts';

const noFilters: TaskFilters = {
  platform: '',
  task_id: '',
  action: '',
  status: '',
  channel_id: '',
  username: '',
  range: 'today',
  start: '',
  end: '',
};

/** Work that takes its time, such as songs and videos: what was asked for, how far it has come, and what came of it. */
export function TaskPage() {
  const { t } = useTranslation('task');
  const admin = isAdmin(sessionUser.use());
  const list = useList({ name: 'task', filters: noFilters, load: listTasks });
  const { shown, open, close } = useShownRow(list.rows);
  const columns = useTaskColumns({ isAdmin: admin, onShow: open });
  useWorkPolling(list.rows?.some(isUnderWay) ?? false, list.refresh);
  return (
    <>
      <ListPage
        title={t('title')}
        purpose={t('purpose')}
        list={list}
        columns={columns}
        rowName={taskName}
        card={taskCard(open)}
        filters={<TaskFilterRow list={list} isAdmin={admin} />}
        empty={{ icon: <ClipboardTask20Regular />, text: t('empty') }}
      />
      {shown && <TaskDialog task={shown} isAdmin={admin} onChange={list.refresh} onClose={close} />}
    </>
  );
}

function TaskFilterRow({ list, isAdmin: admin }: { list: List<Task, TaskFilters>; isAdmin: boolean }) {
  const { t } = useTranslation('task');
  return (
    <>
      <RangeFilter list={list} />
      <MoreFilters>
        <ChoiceFilter
          {...{ list, name: 'platform', label: t('field.platform'), all: t('allPlatforms'), values: taskPlatforms }}
          textOf={(value) => t(`platform.${value}`)}
        />
        <ChoiceFilter
          {...{ list, name: 'status', label: t('field.status'), all: t('allStatuses'), values: taskStatuses }}
          textOf={(value) => t(`status.${value}`)}
        />
        <ChoiceFilter
          {...{ list, name: 'action', label: t('field.action'), all: t('allTypes'), values: taskActions }}
          textOf={(value) => t(`action.${value}`)}
        />
        <SearchFilter list={list} name="task_id" label={t('filter.id')} />
        {admin && <OwnerFilters list={list} username={t('filter.username')} channel={t('filter.channel')} />}
      </MoreFilters>
    </>
  );
}
