import { systemActor } from '../../../core/schemas/actor.ts';
import { type Task, taskQuery } from '../../../core/schemas/task.ts';
import { reasonIn } from '../../../core/services/task/reason.ts';
import { formatTime } from '../../flag/value.ts';
import { channelNames } from '../../print/object-name.ts';
import { workFilter } from '../../work/filter.ts';
import { type Detail, Details } from '../components/details.tsx';
import { type ListColumn, type ListRequest, ListScreen } from '../components/list-screen.tsx';
import { type Environment, useEnvironment } from '../environment.ts';
import type { ListPage } from '../hooks/use-list.ts';
import { useQuota } from '../hooks/use-quota.ts';
import { useStatus } from '../hooks/use-status.tsx';
import { statusNamed, statusText } from './task/status-text.ts';

const filters = ['user', 'channel', 'platform', 'status', 'action', 'since', 'until'] as const;

/** With the name of the channel that it was sent to. */
interface PlacedTask extends Task {
  channel: string;
}

/** Work that users paid for and that goes on after the request: songs, videos. */
export function TaskScreen() {
  const environment = useEnvironment();
  const { app, speak } = environment;
  const quota = useQuota();
  const status = useStatus();

  async function cancel(task: PlacedTask, reload: () => void): Promise<void> {
    const { taskCancel } = app.services;
    const isCanceled = await status.act(async () => {
      await taskCancel.check(systemActor, 'task', String(task.id));
      return undefined;
    });
    if (!isCanceled || !(await status.ask(speak('work.askCancel', { names: task.task_id })))) return;
    await status.act(async () => {
      const { task_id: id, refunded } = await taskCancel.cancel(systemActor, 'task', String(task.id));
      reload();
      return speak('work.canceled', { id, amount: quota(refunded) });
    });
  }

  return (
    <ListScreen
      title={speak('tui.tasks')}
      columns={columnsFor(environment, quota)}
      load={(request) => readTasks(environment, request)}
      idOf={({ id }) => id}
      filters={filters}
      detail={({ task_id, fail_reason }) => ` ${[task_id, fail_reason].filter(Boolean).join(': ')}`}
      beside={(task) => taskDetails(task, environment, quota)}
      details={(task) => (
        <Details
          title={speak('tui.task.title', { id: task.id, name: task.task_id })}
          details={taskDetails(task, environment, quota)}
        />
      )}
      actions={[
        { key: 'c', label: speak('tui.task.cancel'), run: ([task], { reload }) => task && void cancel(task, reload) },
      ]}
      hasMarks={false}
      empty={speak('tui.task.empty')}
    />
  );
}

async function readTasks(
  { app, language, speak }: Environment,
  { page, page_size, keyword, values }: ListRequest,
): Promise<ListPage<PlacedTask>> {
  const { platform, status, action, ...flags } = values;
  const paging = { page: String(page), pageSize: String(page_size) };
  const own = {
    platform,
    status: status && statusNamed(status, speak),
    action: action?.toUpperCase(),
    task_id: keyword,
  };
  const input = taskQuery.parse({ ...own, ...(await workFilter(app, { ...flags, ...paging }, 1)) });
  const found = await app.services.tasks.listPage(systemActor, input);
  const channelOf = await channelNames(
    app,
    found.items.map(({ channel_id }) => channel_id),
  );
  const items = found.items.map((task) => ({ ...reasonIn(language, task), channel: channelOf(task.channel_id) }));
  return { ...found, page, items };
}

const colors: Record<string, 'green' | 'red' | 'yellow'> = { SUCCESS: 'green', FAILURE: 'red', IN_PROGRESS: 'yellow' };

function columnsFor({ speak, symbols }: Environment, quota: (units: number) => string): ListColumn<PlacedTask>[] {
  const signs: Record<string, string> = { SUCCESS: symbols.good, FAILURE: symbols.bad };
  return [
    { title: 'ID', value: ({ id }) => id, right: true },
    {
      title: speak('tui.task.status'),
      whole: true,
      value: ({ status }) => `${signs[status] ?? symbols.on} ${statusText(status, speak)}`,
      color: ({ status }) => colors[status],
    },
    { title: speak('tui.task.progress'), right: true, value: ({ progress }) => progress },
    { title: speak('tui.task.user'), keep: true, value: ({ username, user_id }) => username || `#${user_id}` },
    { title: speak('tui.task.channel'), value: ({ channel }) => channel },
    { title: speak('tui.task.action'), value: ({ action }) => action },
    { title: speak('tui.task.cost'), right: true, value: (task) => quota(task.quota) },
    { title: speak('tui.task.submitted'), extra: true, whole: true, value: ({ submit_time }) => timeText(submit_time) },
    { title: speak('tui.task.platform'), extra: true, value: ({ platform }) => platform },
    { title: speak('tui.task.model'), extra: true, value: ({ model }) => model },
  ];
}

const timeText = (seconds: number) => (seconds > 0 ? formatTime(seconds) : '');

function taskDetails(task: PlacedTask, { speak }: Environment, quota: (units: number) => string): Detail[] {
  return [
    [speak('tui.task.field.task'), task.task_id],
    [speak('tui.task.field.status'), [statusText(task.status, speak), task.progress].filter(Boolean).join(' ')],
    [speak('tui.task.field.user'), task.username || `#${task.user_id}`],
    [speak('tui.task.field.channel'), task.channel],
    [speak('tui.task.field.platform'), [task.platform, task.action, task.model].filter(Boolean).join(' ')],
    [speak('tui.task.field.cost'), quota(task.quota)],
    [speak('tui.task.field.refund'), task.refund > 0 ? quota(task.refund) : ''],
    [speak('tui.task.field.submitted'), timeText(task.submit_time)],
    [speak('tui.task.field.finished'), timeText(task.finish_time)],
    [speak('tui.task.field.reason'), task.fail_reason],
  ];
}
